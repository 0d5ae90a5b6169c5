"""Every public page asks the database at most twelve times, and as often for 500 papers as for a page of them."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, get_resolver
from django.utils import timezone

from papers.models import Paper, PaperAuthor, PaperTag, SummaryQuality, SummaryState, SummaryStatus
from papers.pages.public import kept_pages
from papers.search.index import rebuild
from tests.factories import DAY, make_paper, make_summary

MOST = 12
# Each public page by the name of its address, with something on it; of those with variants, the dearest ones.
PAGES = {
    "papers:home": ["/"],
    "papers:choose_day": ["/day/?month=2026-06"],
    "papers:day": [f"/day/{DAY}/", f"/day/{DAY}/?tag=common&sort=newest"],
    "papers:day_progress": [f"/day/{DAY}/progress/"],
    "papers:paper": ["/papers/2606.90001/", "/papers/2606.90002/"],
    "papers:paper_progress": ["/papers/2606.90002/progress/"],
    "papers:search": ["/search/", "/search/?q=attention", "/search/?q=注意力&tag=common", "/search/?q=tag:common"],
    "papers:tags": ["/tags/"],
    "papers:tag": ["/tags/common/"],
    "papers:authors": ["/authors/"],
    "papers:author": ["/authors/Ada%20Lovelace/"],
    "papers:compare": ["/compare/?ids=2606.90001,2606.90002"],
    "papers:export": [
        f"/export/{form}/?{selection}"
        for form in ("bibtex", "csv", "markdown")
        for selection in ("id=2606.90001", f"day={DAY}", "q=attention")
    ],
    "papers:feeds": ["/feeds/"],
    "papers:feed_list": ["/feeds/list.opml"],
    "papers:feed_newest": ["/feeds/newest/"],
    "papers:feed_best": ["/feeds/best/"],
    "papers:feed_tag": ["/feeds/tag/common/"],
    "papers:feed_author": ["/feeds/author/Ada%20Lovelace/"],
    "papers:feed_search": ["/feeds/search/?q=attention"],
    "papers:favicon": ["/favicon.ico"],
    "papers:robots": ["/robots.txt"],
    "papers:opensearch": ["/opensearch.xml"],
    "papers:manifest": ["/site.webmanifest"],
    "papers:sitemap": ["/sitemap.xml"],
    "papers:sitemap_pages": ["/sitemap-pages.xml"],
    "papers:sitemap_papers": ["/sitemap-papers-0.xml"],
    "status": ["/status/"],
}
# Not read by everyone: forms that are sent, and what only people with an account see.
OTHERS = ("language/", "theme/", "admin/", "api/", "mine/")


def names(patterns=None, namespace: str = "") -> Iterator[str]:
    """Yield the names of the addresses of all public pages."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if str(pattern.pattern).startswith(OTHERS):
            continue
        if isinstance(pattern, URLPattern):
            yield f"{namespace}{pattern.name}"
        else:
            inner = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from names(pattern.url_patterns, namespace + inner)


def fill(number: int) -> None:
    """Store papers of one day up to `number`, each with many authors and tags, half of them summarised."""
    have = Paper.objects.count()
    papers = Paper.objects.bulk_create(
        Paper(
            arxiv_id=f"2606.{place:05d}",
            title_en=f"Sparse attention {place}",
            title_zh=f"稀疏注意力 {place}",
            abstract="We study attention.",
            paper_date=DAY,
            crawled_at=timezone.now(),
            published_at=DAY,
            upvotes=place,
            summary_quality=SummaryQuality.NORMAL if place % 2 else None,
        )
        for place in range(have, number)
    )
    PaperAuthor.objects.bulk_create(
        PaperAuthor(paper=paper, name=name, position=position)
        for paper in papers
        for position, name in enumerate(["Ada Lovelace", *(f"Author {paper.pk} {place}" for place in range(9))])
    )
    PaperTag.objects.bulk_create(
        PaperTag(paper=paper, tag=tag, folded=tag) for paper in papers for tag in ("common", f"tag {paper.pk}")
    )
    SummaryStatus.objects.bulk_create(
        SummaryStatus(paper=paper, status=SummaryState.PENDING) for paper in papers if not paper.summary_quality
    )
    for paper in papers[:20]:
        if paper.summary_quality:
            make_summary(paper)
    rebuild()


def count_queries(client: Client) -> dict[str, int]:
    counted = {}
    for address in (address for addresses in PAGES.values() for address in addresses):
        kept_pages.clear()
        with CaptureQueriesContext(
            connection,
        ) as captured:
            answer = client.get(address)
        assert answer.status_code in (200, 301), f"{address}: {answer.status_code}"
        counted[address] = len(captured)
    return counted


def test_every_public_page_is_counted_here():
    assert set(names()) == set(PAGES)


@pytest.mark.django_db
def test_a_page_asks_at_most_twelve_times_whatever_there_is(client):
    make_summary(make_paper(arxiv_id="2606.90001", authors=["Ada Lovelace"], tags=["common"]))
    make_paper(arxiv_id="2606.90002")
    fill(60)  # more than a page of results or a feed, so that they are counted and cut
    client.get("/")  # what is read once for the process
    few = count_queries(client)
    fill(500)
    many = count_queries(client)
    assert {address: (few[address], number) for address, number in many.items() if number > few[address]} == {}
    assert {address: number for address, number in many.items() if number > MOST} == {}
