"""Processes that end when they should; knows nothing of papers."""
