"""What a paper is, in tables."""

from papers.models.paper import AssetStatus, Paper, PaperAuthor, PaperTag, SummaryQuality, TagSource
from papers.models.personal import ReadingStatus, UserBookmark, UserNote, UserReadingStatus
from papers.models.summary import ErrorType, PaperSummary, SummaryState, SummaryStatus

__all__ = [
    "AssetStatus",
    "ErrorType",
    "Paper",
    "PaperAuthor",
    "PaperSummary",
    "PaperTag",
    "ReadingStatus",
    "SummaryQuality",
    "SummaryState",
    "SummaryStatus",
    "TagSource",
    "UserBookmark",
    "UserNote",
    "UserReadingStatus",
]
