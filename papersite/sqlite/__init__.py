"""SQLite as this project needs it."""
