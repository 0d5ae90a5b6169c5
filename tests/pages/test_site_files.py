"""Files about the site that programs ask for: sitemap, robots.txt, OpenSearch, manifest and icons."""

import datetime as dt
import json
import re
from pathlib import Path

import pytest
from defusedxml import ElementTree
from django.contrib.staticfiles import finders
from django.utils import timezone

from papers.models import Paper
from papers.site_files import sitemap
from papers.site_files.sitemap import PART
from tests.factories import DAY, make_paper, make_summary

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n"


def places(response) -> list[str]:
    return [place.text for place in ElementTree.fromstring(response.content).iter() if place.tag.endswith("}loc")]


def test_the_sitemap_leads_to_every_paper_and_every_day(client):
    make_paper(arxiv_id="2606.00001")
    make_paper(arxiv_id="hep-th/9901001", paper_date=dt.date(2024, 2, 29))
    found = [place for part in places(client.get("/sitemap.xml")) for place in places(client.get(part))]
    for path in ("/papers/2606.00001/", "/papers/hep-th/9901001/", f"/day/{DAY}/", "/day/2024-02-29/", "/", "/feeds/"):
        assert f"http://testserver{path}" in found
    for place in found:
        assert client.get(place).status_code == 200


def test_the_sitemap_of_an_empty_site_can_be_read(client):
    assert places(client.get("/sitemap.xml")) == ["http://testserver/sitemap-pages.xml"]
    assert "http://testserver/feeds/" in places(client.get("/sitemap-pages.xml"))


def test_a_part_of_the_sitemap_has_a_range_of_ids_and_none_is_empty(client):
    now = timezone.now()
    ids = (1, PART, PART + 1, 7 * PART + 3)
    Paper.objects.bulk_create(
        Paper(pk=pk, arxiv_id=f"2606.{pk:05d}", title_en="x", paper_date=DAY, crawled_at=now) for pk in ids
    )
    assert sitemap.parts() == [0, 1, 7]
    assert [place.path for place in sitemap.papers_of(0)] == ["/papers/2606.00001/", f"/papers/2606.{PART:05d}/"]
    assert client.get("/sitemap-papers-2.xml").status_code == 404


@pytest.mark.parametrize("part", ["-1", "x", "9" * 400, "٣"])
def test_there_is_no_part_by_another_name(client, part):
    assert client.get(f"/sitemap-papers-{part}.xml").status_code == 404


def test_the_sitemap_tells_when_a_paper_changed_and_not_when_it_was_voted_for(client):
    paper = make_paper()
    make_summary(paper, updated_at=dt.datetime(2100, 1, 2, tzinfo=dt.UTC))
    part = f"/sitemap-papers-{(paper.pk - 1) // PART}.xml"
    before = client.get(part).content.decode()
    assert "<lastmod>2100-01-02T08:00:00+08:00</lastmod>" in before
    Paper.objects.update(upvotes=99, updated_at=timezone.now())
    assert client.get(part).content.decode() == before


@pytest.mark.parametrize("address", ["/sitemap.xml", "/sitemap-pages.xml", "/sitemap-papers-0.xml"])
def test_the_sitemap_costs_two_queries_however_many_papers(client, address, django_assert_max_num_queries):
    for _ in range(30):
        make_paper()
    with django_assert_max_num_queries(2):
        client.get(address)


def test_no_search_over_all_papers_is_made_for_the_sitemap(db):
    from django.db import connection

    with connection.cursor() as cursor:
        for sql, parameters in ((sitemap._PARTS, [PART] * 3), (sitemap._DAYS, [10])):
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", parameters)
            plan = [row[3] for row in cursor.fetchall()]
            assert not any(re.match(r"SCAN papers", step) for step in plan), plan


def test_robots_are_kept_from_pages_that_are_made_for_each_question(client):
    text = client.get("/robots.txt").content.decode()
    for path in ("/search/", "/compare/", "/export/", "/mine/", "/admin/", "/*?"):
        assert f"Disallow: {path}\n" in text
    assert "Sitemap: http://testserver/sitemap.xml" in text


def test_addresses_for_others_follow_base_url(client, settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"base_url": "https://papers.example.org/"})
    assert "Sitemap: https://papers.example.org/sitemap.xml" in client.get("/robots.txt").content.decode()
    assert "https://papers.example.org/feeds/" in places(client.get("/sitemap-pages.xml"))


def test_browsers_can_search_from_their_address_bar(client):
    response = client.get("/opensearch.xml")
    assert response.headers["Content-Type"] == "application/opensearchdescription+xml"
    urls = {
        url.get("type"): url.get("template") for url in ElementTree.fromstring(response.content) if "Url" in url.tag
    }
    assert urls["text/html"] == "http://testserver/search/?q={searchTerms}"
    assert urls["application/atom+xml"] == "http://testserver/feeds/search/?q={searchTerms}"


def test_the_manifest_names_icons_that_are_there_and_of_their_size(client):
    response = client.get("/site.webmanifest")
    assert response.headers["Content-Type"] == "application/manifest+json"
    manifest = json.loads(response.content)
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        content = Path(finders.find(icon["src"].removeprefix("/static/"))).read_bytes()
        size = int.from_bytes(content[16:20], "big")
        assert content.startswith(PNG) and icon["sizes"] == f"{size}x{size}"


def test_the_bars_of_an_app_have_the_colour_of_the_page(client, settings):
    tokens = (settings.BASE_DIR / "static/css/site/tokens.css").read_text("utf-8")
    ground = re.search(r"--ground: light-dark\((#\w+)", tokens)[1]
    manifest = client.get("/site.webmanifest").json()
    assert manifest["theme_color"] == manifest["background_color"] == ground


@pytest.mark.parametrize("address", ["/robots.txt", "/opensearch.xml", "/site.webmanifest"])
def test_site_files_are_kept_for_a_day_and_answer_no_post(client, address):
    assert "max-age=86400" in client.get(address).headers["Cache-Control"]
    assert client.post(address).status_code == 405


def test_every_page_names_them(client):
    html = client.get("/feeds/").content.decode()
    for address in ("/site.webmanifest", "/opensearch.xml", "/static/icons/apple-touch-icon.png"):
        assert f'href="{address}"' in html
    assert client.get("/favicon.ico").headers["Location"] == "/static/icons/icon-192.png"
