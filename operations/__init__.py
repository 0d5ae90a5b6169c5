"""The work that fills the library and keeps it right."""
