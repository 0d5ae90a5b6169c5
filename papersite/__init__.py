"""The project: settings, addresses, the admin site."""

__version__ = "0.1.0"
