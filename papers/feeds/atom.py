"""Writes a feed as Atom (RFC 4287), so that no text whatever can break it."""

import datetime as dt
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.feedgenerator import Atom1Feed, rfc3339_date

from papers.feeds.entries import FeedEntry
from papers.models import Installation
from papers.text import without_controls

CONTENT_TYPE = Atom1Feed.content_type
# Terms of this scheme are arXiv's own categories, as in its feeds; those without a scheme are the site's tags.
_ARXIV_CATEGORIES = "http://arxiv.org/schemas/atom"
# Of a feed without entries, which has to say when it was updated and must say the same each time.
_NEVER = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Feed:
    """What a feed says of itself; `name` is what its id is made from, `page` and `address` are whole addresses."""

    name: str
    title: str
    subtitle: str
    page: str
    address: str


def write_atom(feed: Feed, entries: Iterable[FeedEntry], *, root: str, language: str) -> bytes:
    """Return the feed as XML in UTF-8; `root` is scheme and host of the addresses of entries."""
    ids = _Ids(_installation())
    writer = _Writer(
        title=without_controls(feed.title),
        link=without_controls(feed.page),
        description="",
        subtitle=without_controls(feed.subtitle),
        feed_url=without_controls(feed.address),
        feed_guid=ids.of_feed(feed.name),
        author_name="Papersite",
        language=language,
    )
    for entry in entries:
        writer.add_item(
            title=_one_line(entry.title) or _one_line(entry.arxiv_id),
            link=root + without_controls(entry.path),
            description=_one_line(entry.one_line),
            content=without_controls(entry.content),
            pubdate=entry.published,
            updateddate=entry.updated,
            unique_id=ids.of_paper(entry.arxiv_id),
            names=[without_controls(name) for name in entry.authors],
            terms=[without_controls(tag) for tag in entry.tags],
            arxiv_terms=[without_controls(term) for term in entry.arxiv_categories],
        )
    return writer.writeString("utf-8").encode("utf-8")


@dataclass(frozen=True, slots=True)
class _Ids:
    """Ids made from the installation and what they name, so that neither host nor scheme changes them.

    Two installations give the same paper different ids, as their summaries differ.
    """

    installation: uuid.UUID

    def of_feed(self, name: str) -> str:
        return uuid.uuid5(self.installation, f"feed/{without_controls(name)}").urn

    def of_paper(self, arxiv_id: str) -> str:
        return uuid.uuid5(self.installation, f"paper/{without_controls(arxiv_id)}").urn


def _installation() -> uuid.UUID:
    """Return the installation's number, drawn when first asked for."""
    return Installation.objects.get_or_create(pk=1)[0].uuid


def _one_line(text: str) -> str:
    return " ".join(without_controls(text).split())


class _Writer(Atom1Feed):
    """Django's Atom with the whole content of an entry, all its authors, and categories with a scheme."""

    def latest_post_date(self) -> dt.datetime:
        """Return when the newest of the entries changed."""
        return max((item["updateddate"] for item in self.items), default=_NEVER)

    def add_item_elements(self, handler: Any, item: dict[str, Any]) -> None:
        """Write one entry."""
        handler.addQuickElement("id", item["unique_id"])
        handler.addQuickElement("title", item["title"])
        handler.addQuickElement("link", "", {"rel": "alternate", "type": "text/html", "href": item["link"]})
        handler.addQuickElement("published", rfc3339_date(item["pubdate"]))
        handler.addQuickElement("updated", rfc3339_date(item["updateddate"]))
        for name in item["names"]:
            _add_author(handler, name)
        for term in item["terms"]:
            handler.addQuickElement("category", "", {"term": term})
        for term in item["arxiv_terms"]:
            handler.addQuickElement("category", "", {"term": term, "scheme": _ARXIV_CATEGORIES})
        if item["description"]:
            handler.addQuickElement("summary", item["description"])
        handler.addQuickElement("content", item["content"], {"type": "html"})


def _add_author(handler: Any, name: str) -> None:
    handler.startElement("author", {})
    handler.addQuickElement("name", name)
    handler.endElement("author")
