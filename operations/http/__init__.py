"""A polite way to other hosts: limits, retries, redirects and pace. Knows nothing of papers."""
