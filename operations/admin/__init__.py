"""The admin console, of papers too: thin doors to the functions that do the work."""
