"""People of each role, for tests of the admin: an account of the staff in the role's group."""

from importlib import import_module

from django.apps import apps
from django.contrib.auth.models import Group, User
from django.test import Client

ROLES = ("operator", "editor", "auditor")
PASSWORD = "correct horse battery staple"


def make_user(role: str, name: str | None = None) -> User:
    """Return a new account: `owner` is a superuser, any other role a member of its group."""
    name = name or role
    if role == "owner":
        return User.objects.create_superuser(name, password=PASSWORD)
    if not Group.objects.filter(name=role).exists():
        # A transactional test's flush took away what the migrations had made.
        for migration in ("0003_roles", "0004_roles_and_tokens"):
            import_module(f"operations.migrations.{migration}").add_groups(apps)
    user = User.objects.create_user(name, password=PASSWORD, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return user


def client_of(role: str) -> Client:
    """Return the browser of a new account of that role, signed in."""
    client = Client()
    client.force_login(make_user(role), backend="django.contrib.auth.backends.ModelBackend")
    return client
