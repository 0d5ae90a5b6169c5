"""The commands; each is a thin door to a verb of operations."""
