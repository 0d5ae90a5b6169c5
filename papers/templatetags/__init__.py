"""Template tags of the readers' pages."""
