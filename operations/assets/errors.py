"""Why a paper gives no text."""


class AssetError(Exception):
    """A paper's files give nothing that can be summarised; `reason` is a sentence for logs and people."""

    def __init__(self, reason: str) -> None:
        """Keep `reason`, which is also the message."""
        super().__init__(reason)
        self.reason = reason


class NoText(AssetError):
    """Neither source nor PDF gave text."""


class PaperWithdrawn(AssetError):
    """The source says that its authors withdrew the paper."""
