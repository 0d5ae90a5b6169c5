"""The owner's bookmarks, notes and reading status: who may see them, what is asked and what is written."""
