"""A public page is never older than the database, whoever wrote, and however."""

import subprocess
import sys

import pytest
from django.core.management import call_command
from django.db import connection, models, transaction
from django.utils import timezone

from papers import triggers
from papers.content import content_version
from papers.models import Paper, PaperAuthor, PaperSummary, PaperTag, SummaryStatus, UserBookmark, UserNote
from papers.pages.public import kept_pages
from papers.triggers.content_version import TABLES
from tests.factories import DAY, make_paper, make_summary

DAY_PAGE = f"/day/{DAY}/"


@pytest.fixture
def paper(db) -> Paper:
    """A paper with all that belongs to it."""
    made = make_paper(arxiv_id="2606.55555", title_en="Before", tags=["agents"])
    make_summary(made, title_zh="从前")
    return made


def run_sql(statement: str, *parameters: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)


RAW = {
    "insert": [
        "INSERT INTO paper_authors (paper_id, name, position) VALUES (%s, 'New', 9)",
        "INSERT INTO paper_tags (paper_id, tag) VALUES (%s, 'new')",
        "INSERT OR REPLACE INTO paper_summaries (paper_id, full_json, updated_at) VALUES (%s, '{}', '2026-06-05')",
        "INSERT INTO papers (arxiv_id, title_en, paper_date, crawled_at) SELECT '2606.1', 'New', paper_date, crawled_at FROM papers WHERE id = %s",
    ],
    "update": [f"UPDATE {table} SET rowid = rowid" for table in TABLES],
    "delete": [f"DELETE FROM {table}" for table in TABLES],
}


@pytest.mark.parametrize("statement", [statement for kind in RAW.values() for statement in kind])
def test_raw_sql_on_each_table_is_seen(paper, statement):
    before = content_version()
    run_sql(statement, *([paper.pk] if "%s" in statement else []))
    assert content_version() != before


@pytest.mark.parametrize(
    "write",
    [
        lambda paper: Paper.objects.filter(pk=paper.pk).update(upvotes=7),
        lambda paper: Paper.objects.bulk_update([paper], ["title_en"]),
        lambda paper: PaperTag.objects.bulk_create([PaperTag(paper=paper, tag="x", folded="x")]),
        lambda paper: PaperAuthor.objects.filter(paper=paper).delete(),
        lambda paper: PaperSummary.objects.filter(paper=paper).update(one_line="x"),
        lambda paper: SummaryStatus.objects.filter(paper=paper).update(status="failed"),
        lambda paper: paper.delete(),
        lambda paper: make_paper(state=None, authors=[]),
    ],
)
def test_each_way_of_the_models_to_write_is_seen(paper, write):
    before = content_version()
    write(paper)
    assert content_version() != before


def test_every_row_of_a_bulk_write_may_be_the_last_one_seen(client, paper):
    for title in ("One", "Two", "Three"):
        Paper.objects.update(title_en=title)
        assert title in client.get(DAY_PAGE).content.decode()


def test_a_kept_page_is_asked_for_and_then_the_title_changes(client, paper, django_assert_num_queries):
    client.get(paper.get_absolute_url())
    with django_assert_num_queries(1):  # the version of the content
        client.get(paper.get_absolute_url())
    run_sql("UPDATE papers SET title_zh = '后来'")
    for page in ("/", DAY_PAGE, paper.get_absolute_url()):
        assert "后来" in client.get(page).content.decode()


def test_an_etag_of_before_is_not_confirmed(client, paper):
    etag = client.get(DAY_PAGE).headers["ETag"]
    assert client.get(DAY_PAGE, headers={"If-None-Match": etag}).status_code == 304
    Paper.objects.update(title_en="After", title_zh="后来")
    answer = client.get(DAY_PAGE, headers={"If-None-Match": etag})
    assert answer.status_code == 200 and answer.headers["ETag"] != etag


def test_a_write_that_changes_nothing_shown_leaves_the_etag(client, paper):
    etag = client.get(DAY_PAGE).headers["ETag"]
    Paper.objects.update(meta_path="elsewhere")
    assert client.get(DAY_PAGE, headers={"If-None-Match": etag}).status_code == 304


def test_a_write_while_a_page_is_rendered_makes_it_an_old_one(client, paper, monkeypatch):
    from papers.pages import day

    rendered = day._day_page

    def written_meanwhile(*arguments, **options):
        page = rendered(*arguments, **options)
        Paper.objects.update(title_en="After", title_zh="后来")
        return page

    monkeypatch.setattr(day, "_day_page", written_meanwhile)
    assert "从前" in client.get(DAY_PAGE).content.decode()
    monkeypatch.setattr(day, "_day_page", rendered)
    assert "后来" in client.get(DAY_PAGE).content.decode()


def test_what_was_taken_back_is_not_shown_later(client, paper):
    """A number that is counted would be the same for what was taken back and for what came after it."""
    with transaction.atomic():
        Paper.objects.update(title_zh="收回")
        client.get(DAY_PAGE)
        transaction.set_rollback(True)
    Paper.objects.update(title_zh="后来")
    assert "后来" in client.get(DAY_PAGE).content.decode()


def test_the_owners_writes_are_nobodys_business(paper):
    before = content_version()
    UserNote.objects.create(paper=paper, content="x", created_at=timezone.now(), updated_at=timezone.now())
    UserBookmark.objects.create(paper=paper, note="x", created_at=timezone.now())
    assert content_version() == before


def test_a_paper_that_is_not_there_is_asked_for_again(client, db):
    assert client.get("/papers/2606.55555/").status_code == 404
    make_paper(arxiv_id="2606.55555")
    assert client.get("/papers/2606.55555/").status_code == 200


@pytest.mark.django_db(transaction=True)
class TestOutside:
    def test_another_process_writes(self, client):
        paper = make_paper(title_en="Before")
        client.get(DAY_PAGE)
        script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
        database = connection.settings_dict["NAME"]
        subprocess.run(
            [
                sys.executable,
                "-c",
                script,
                str(database),
                f"UPDATE papers SET title_en = 'After' WHERE id = {paper.pk}",
            ],
            check=True,
            timeout=60,
        )
        assert "After" in client.get(DAY_PAGE).content.decode()

    def test_everything_is_emptied(self, client):
        make_paper(title_en="Before")
        client.get(DAY_PAGE)
        call_command("flush", interactive=False, verbosity=0)
        assert "Before" not in client.get(DAY_PAGE).content.decode()
        make_paper(title_en="After")
        assert "After" in client.get(DAY_PAGE).content.decode()


def test_a_backup_is_brought_back_and_as_much_is_written_again(client, paper):
    """The number of the backup leads to another one than it led to the first time."""
    restored = content_version()
    Paper.objects.update(title_zh="第一次")
    client.get(DAY_PAGE)
    run_sql("UPDATE content_version SET version = %s", restored)
    Paper.objects.update(title_zh="第二次")
    assert "第二次" in client.get(DAY_PAGE).content.decode()


class TestTriggers:
    def test_they_are_there_after_all_migrations(self, db):
        assert triggers.differing() == []

    @pytest.mark.django_db(transaction=True)
    def test_they_are_there_after_a_migration_that_rebuilds_a_table(self):
        """A rebuilt table has lost its triggers, and one that a trigger names cannot be renamed."""
        make_paper()
        before = content_version()
        triggers.uninstall(using="default", plan=["a migration"])
        assert content_version() is None
        for model in (Paper, SummaryStatus):
            added = models.IntegerField(null=True)
            added.set_attributes_from_name("added")
            with connection.schema_editor() as editor:
                editor._remake_table(model, create_field=added)
            with connection.schema_editor() as editor:
                editor._remake_table(model)
        triggers.install(using="default", plan=["a migration"])
        assert triggers.differing() == []
        assert content_version() not in (None, before)

    @pytest.mark.django_db(transaction=True)
    def test_nothing_is_kept_while_they_are_missing(self, client):
        make_paper(title_en="Before")
        client.get(DAY_PAGE)
        triggers.uninstall(using="default", plan=["a migration"])
        try:
            Paper.objects.update(title_en="During")
            assert "During" in client.get(DAY_PAGE).content.decode()
            Paper.objects.update(title_en="After")
            assert "After" in client.get(DAY_PAGE).content.decode()
        finally:
            triggers.install(using="default", plan=["a migration"])

    def test_migrations_that_were_not_needed_leave_them_and_the_pages_alone(self, client, db):
        make_paper()
        client.get(DAY_PAGE)
        before = content_version()
        call_command("migrate", verbosity=0)
        assert content_version() == before and kept_pages.bytes

    def test_one_that_an_earlier_version_had_is_taken_away(self, db):
        run_sql("CREATE TRIGGER of_before AFTER INSERT ON papers BEGIN SELECT 1; END")
        assert triggers.differing() == ["of_before"]
        triggers.install(using="default")
        assert triggers.differing() == []
