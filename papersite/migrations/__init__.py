"""Migrations of the tokens."""
