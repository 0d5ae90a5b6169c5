"""The model services pi knows by name, and the environment variable in which each takes its key."""

# From `env-api-keys.js` of pi-ai 0.73.1 and 1.6.0 and from pi's docs/providers.md. Those that sign in by other means
# than one key (Bedrock, Copilot) are reached with an AGENT_COMMAND of one's own.
KEY_VARIABLES = {
    "ant-ling": "ANT_LING_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "azure": "AZURE_OPENAI_API_KEY",
    "azure-openai-responses": "AZURE_OPENAI_API_KEY",
    "baseten": "BASETEN_API_KEY",
    "cerebras": "CEREBRAS_API_KEY",
    "cloudflare-ai-gateway": "CLOUDFLARE_API_KEY",
    "cloudflare-workers-ai": "CLOUDFLARE_API_KEY",
    "deepseek": "DEEPSEEK_API_KEY",
    "fireworks": "FIREWORKS_API_KEY",
    "google": "GEMINI_API_KEY",
    "google-vertex": "GOOGLE_CLOUD_API_KEY",
    "groq": "GROQ_API_KEY",
    "huggingface": "HF_TOKEN",
    "kimi-coding": "KIMI_API_KEY",
    "meta": "META_API_KEY",
    "minimax": "MINIMAX_API_KEY",
    "minimax-cn": "MINIMAX_CN_API_KEY",
    "mistral": "MISTRAL_API_KEY",
    "moonshotai": "MOONSHOT_API_KEY",
    "moonshotai-cn": "MOONSHOT_API_KEY",
    "nvidia": "NVIDIA_API_KEY",
    "openai": "OPENAI_API_KEY",
    "opencode": "OPENCODE_API_KEY",
    "opencode-go": "OPENCODE_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "qwen-token-plan": "QWEN_TOKEN_PLAN_TEAM_API_KEY",
    "qwen-token-plan-cn": "QWEN_TOKEN_PLAN_TEAM_CN_API_KEY",
    "qwen-token-plan-individual": "QWEN_TOKEN_PLAN_INDIVIDUAL_API_KEY",
    "qwen-token-plan-individual-cn": "QWEN_TOKEN_PLAN_INDIVIDUAL_CN_API_KEY",
    "radius": "RADIUS_API_KEY",
    "together": "TOGETHER_API_KEY",
    "vercel-ai-gateway": "AI_GATEWAY_API_KEY",
    "xai": "XAI_API_KEY",
    "xiaomi": "XIAOMI_API_KEY",
    "xiaomi-token-plan-ams": "XIAOMI_TOKEN_PLAN_AMS_API_KEY",
    "xiaomi-token-plan-cn": "XIAOMI_TOKEN_PLAN_CN_API_KEY",
    "xiaomi-token-plan-sgp": "XIAOMI_TOKEN_PLAN_SGP_API_KEY",
    "zai": "ZAI_API_KEY",
    "zai-coding-cn": "ZAI_CODING_CN_API_KEY",
}

# What else, none of it secret, a service must be told through the environment.
FURTHER_VARIABLES = {
    "azure": ("AZURE_OPENAI_BASE_URL", "AZURE_OPENAI_RESOURCE_NAME", "AZURE_OPENAI_API_VERSION"),
    "azure-openai-responses": ("AZURE_OPENAI_BASE_URL", "AZURE_OPENAI_RESOURCE_NAME", "AZURE_OPENAI_API_VERSION"),
    "cloudflare-ai-gateway": ("CLOUDFLARE_ACCOUNT_ID", "CLOUDFLARE_GATEWAY_ID"),
    "cloudflare-workers-ai": ("CLOUDFLARE_ACCOUNT_ID",),
}


def key_variable(provider: str) -> str:
    """Return the variable that takes the key of `provider`; by pi's habit of naming where it is not listed here."""
    return KEY_VARIABLES.get(provider, f"{provider.upper().replace('-', '_')}_API_KEY")
