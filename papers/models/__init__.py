"""What a paper is, in tables."""

from papers.models.changes import PaperChange
from papers.models.derived import AuthorCount, AuthorMonth, ContentVersion, TagCount, TagMonth
from papers.models.installation import Installation
from papers.models.paper import AssetStatus, Paper, PaperAuthor, PaperTag, SummaryQuality, TagSource
from papers.models.personal import ReadingStatus, UserBookmark, UserNote, UserReadingStatus
from papers.models.summary import ErrorType, PaperSummary, SummaryState, SummaryStatus

__all__ = [
    "AssetStatus",
    "AuthorCount",
    "AuthorMonth",
    "ContentVersion",
    "ErrorType",
    "Installation",
    "Paper",
    "PaperAuthor",
    "PaperChange",
    "PaperSummary",
    "PaperTag",
    "ReadingStatus",
    "SummaryQuality",
    "SummaryState",
    "SummaryStatus",
    "TagCount",
    "TagMonth",
    "TagSource",
    "UserBookmark",
    "UserNote",
    "UserReadingStatus",
]
