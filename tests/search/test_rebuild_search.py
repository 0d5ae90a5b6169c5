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


def test_it_fails_with_a_sentence(monkeypatch):
    def fail(_progress):
        raise DatabaseError("database is locked")

    monkeypatch.setattr(COMMAND, fail)
    with pytest.raises(CommandError, match="database is locked") as caught:
        call_command("rebuild_search")
    assert caught.value.returncode == 1


def test_it_can_be_stopped(monkeypatch):
    def stop(_progress):
        raise KeyboardInterrupt

    monkeypatch.setattr(COMMAND, stop)
    with pytest.raises(CommandError) as caught:
        call_command("rebuild_search")
    assert caught.value.returncode == 130
