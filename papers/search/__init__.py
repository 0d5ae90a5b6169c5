"""Full-text search: text as it is indexed, what people type, the index itself, and results."""
