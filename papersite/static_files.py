"""Where the addresses of static files come from."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Gives each file a name with its hash, so that browsers may keep it for ever.

    A file that was not collected keeps its plain name: a page without its style is better than no page.
    """

    def stored_name(self, name: str) -> str:
        """Return the name with the hash, or the plain name of a file that was not collected."""
        try:
            return super().stored_name(name)
        except ValueError:
            return name
