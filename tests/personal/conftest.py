"""The owner, others with an account, and papers that carry the owner's things."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from papers.models import Paper, UserBookmark, UserNote, UserReadingStatus
from tests.factories import make_paper, make_summary
from tests.roles import client_of

SECRET = "PRIVATE-WORDS"


@pytest.fixture
def owner(db) -> Client:
    """The owner's browser."""
    return client_of("owner")


@pytest.fixture
def strangers(db) -> dict[str, Client]:
    """Browsers of everybody who is not the owner: nobody, staff of each role, an account that is no staff."""
    visitor = Client()
    visitor.force_login(User.objects.create_user("visitor"), backend="django.contrib.auth.backends.ModelBackend")
    roles = {role: client_of(role) for role in ("operator", "editor", "auditor")}
    return {"nobody": Client(), "visitor": visitor, **roles}


@pytest.fixture
def marked(db) -> Paper:
    """A paper with a bookmark, a note and a status."""
    paper = make_paper(arxiv_id="2606.50001", title_en="A Marked Paper")
    make_summary(paper)
    now = timezone.now()
    UserBookmark.objects.create(paper=paper, note=f"{SECRET} bookmark", created_at=now)
    UserNote.objects.create(paper=paper, content=f"{SECRET} note", created_at=now, updated_at=now)
    UserReadingStatus.objects.create(paper=paper, status="read_summary", updated_at=now)
    return paper


@pytest.fixture
def plain(db) -> Paper:
    """A paper without anything of the owner's."""
    return make_paper(arxiv_id="hep-th/9901001", title_en="A Plain Paper")


def owner_by_permission(name: str = "reader") -> Client:
    """Return the browser of a member of the staff who was given `papers.personal` alone."""
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="personal", content_type__app_label="papers"))
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client
