"""The command rebuild_search."""

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection

from papers.search.index import index_problems, remove_from_index
from tests.factories import make_paper

pytestmark = pytest.mark.django_db
COMMAND = "operations.management.commands.rebuild_search.rebuild"


def test_it_mends_the_index_and_says_what_it_did(capsys):
    lost, gone, _right = make_paper(), make_paper(), make_paper()
    remove_from_index([lost.pk])
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM papers WHERE id = %s", [gone.pk])
    call_command("rebuild_search")
    out, err = capsys.readouterr()
    assert out == "2 papers checked, 1 index rows written, 1 rows of deleted papers removed.\n"
    assert err == ""
    assert not index_problems()


def test_an_empty_library_is_a_success(capsys):
    call_command("rebuild_search")
    assert capsys.readouterr().out.startswith("0 papers checked")


@pytest.mark.parametrize(
    ("error", "message"),
    [(DatabaseError("database is locked"), "database is locked"), (KeyboardInterrupt(), "run it again")],
)
def test_it_fails_with_a_sentence(monkeypatch, error, message):
    def fail(_progress):
        raise error

    monkeypatch.setattr(COMMAND, fail)
    with pytest.raises(CommandError, match=message) as caught:
        call_command("rebuild_search")
    assert caught.value.returncode == 1
