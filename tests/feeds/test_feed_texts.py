"""No text breaks a feed, whatever a paper, a model or raw SQL wrote."""

import datetime as dt

import pytest
from defusedxml import ElementTree
from hypothesis import given, settings
from hypothesis import strategies as st

from papers.feeds.atom import Feed, write_atom
from papers.feeds.entries import FeedEntry
from papers.models import Paper, PaperSummary, PaperTag
from tests.factories import make_paper, make_summary

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
ANY = st.text(
    st.characters() | st.sampled_from("\x00\x0b\x1f\x7f\x85\ud800\udfff\ufffe\uffff<>&]]>'\"\r\n\t"), max_size=20
)


@given(texts=st.lists(ANY, min_size=9, max_size=9))
@settings(max_examples=150)
def test_no_text_breaks_a_feed(texts):
    title, line, content, author, tag, category, name, arxiv_id, path = texts
    now = dt.datetime(2026, 6, 5, tzinfo=dt.UTC)
    entry = FeedEntry(arxiv_id, "/" + path, title, line, content, now, now, (author,), (tag,), (category,))
    feed = Feed(name, title, line, "http://a/" + path, "http://a/" + path)
    root = ElementTree.fromstring(write_atom(feed, [entry], root="http://a", language="zh-Hans"))
    assert len(root.findall(f"{ATOM}entry")) == 1
    found = root.find(f"{ATOM}entry")
    assert len(found) == len({"id", "title", "link", "published", "updated", "author", "content"}) + 2 + bool(
        found.findtext(f"{ATOM}summary")
    )


def test_raw_rows_with_control_characters_make_a_whole_feed(feed_of):
    paper = make_paper()
    make_summary(paper)
    odd = "a\x00b\x0bc\x1f\ufffe]]>"
    Paper.objects.update(title_zh=odd, title_en=odd, abstract=odd)
    PaperSummary.objects.update(one_line=odd, method_overview=odd, results_benchmarks_json='[{"a\\u0001": "\\ud800"}]')
    PaperTag.objects.filter(pk=PaperTag.objects.first().pk).update(tag=odd)
    [entry] = feed_of("/feeds/newest/").entries
    assert entry.title == "abc]]>"
