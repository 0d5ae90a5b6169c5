"""Backups: one archive with the database and the papers' files, made while the site runs, and brought back."""
