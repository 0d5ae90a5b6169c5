"""Template tags that show something of operations on public pages."""
