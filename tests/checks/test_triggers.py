"""`check_data` and the triggers that keep pages fresh."""

import pytest
from django.db import connection

from papers import triggers
from papers.content import content_version
from tests.factories import make_paper


def test_a_trigger_that_was_lost_is_found_and_made_again(in_order, check, repair):
    in_order()
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER content_version_papers_update")
    found = check()
    assert found.code == 1 and "content_version_papers_update" in found.text
    before = content_version()
    assert repair().code == 0
    assert triggers.differing() == [] and content_version() != before
    assert check().code == 0


def test_one_that_was_changed_is_found(in_order, check):
    in_order()
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER content_version_papers_update")
        cursor.execute("CREATE TRIGGER content_version_papers_update AFTER UPDATE ON papers BEGIN SELECT 1; END")
    assert "content_version_papers_update" in check().text


@pytest.mark.parametrize("table", ["tag_counts", "tag_months", "author_counts", "author_months"])
@pytest.mark.parametrize("damage", ["UPDATE {} SET papers = papers + 1", "DELETE FROM {}"])
def test_counts_that_are_wrong_are_found_and_made_anew(in_order, check, repair, table, damage):
    in_order()
    make_paper(tags=["Agents"], state="pending")
    with connection.cursor() as cursor:
        cursor.execute(damage.format(table))
    assert triggers.miscounted() == [table]
    assert f"counts are wrong in {table}" in check().text
    repair()
    assert triggers.miscounted() == []
    assert "counts are wrong" not in check().text
