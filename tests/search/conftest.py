"""An empty index for each test: Django's flush after a transactional test empties models' tables alone."""

import pytest
from django.db import connection


@pytest.fixture(autouse=True)
def empty_index(request):
    if request.node.get_closest_marker("django_db"):
        request.getfixturevalue("transactional_db" if _is_transactional(request) else "db")
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM papers_fts")


def _is_transactional(request) -> bool:
    return bool(request.node.get_closest_marker("django_db").kwargs.get("transaction"))
