"""The agent that writes summaries: how it is found, started and asked."""
