"""Who looks at the admin."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from operations import status
from operations.agent.installation import AgentState


@pytest.fixture(autouse=True)
def _agent(monkeypatch, data_dir):
    """An agent that can be run, whatever this machine has, and a data folder for meta.json."""
    monkeypatch.setattr(status, "agent_state", lambda: AgentState(True, "", "pi 1"))


@pytest.fixture
def owner(db) -> Client:
    """A superuser's browser."""
    client = Client()
    client.force_login(User.objects.create_superuser("owner", password=None))
    return client


@pytest.fixture
def staff(db) -> Client:
    """The browser of a member of staff with every permission but `papers.personal`."""
    user = User.objects.create_user("staff", is_staff=True)
    user.user_permissions.set(Permission.objects.exclude(codename="personal"))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def viewer(db) -> Client:
    """The browser of a member of staff who may only look at papers."""
    user = User.objects.create_user("viewer", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["view_paper", "view_summarystatus"]))
    client = Client()
    client.force_login(user)
    return client
