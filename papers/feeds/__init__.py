"""Atom feeds: which papers are in them, what an entry says, and the XML."""
