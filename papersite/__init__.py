"""The project: settings, addresses, the admin site."""
