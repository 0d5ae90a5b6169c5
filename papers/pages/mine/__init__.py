"""The owner's own pages: lists, changes and exports. Whoever else asks learns nothing, not even what exists."""
