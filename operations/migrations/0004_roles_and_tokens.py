"""Auditors see the API's tokens, never a secret; superusers alone make and revoke them."""

from django.contrib.auth.management import create_permissions
from django.db import migrations


def let_auditors_see(apps, schema_editor):
    # Django itself makes permissions only after all migrations.
    app_config = apps.get_app_config("papersite")
    app_config.models_module = True
    create_permissions(app_config, apps=apps, verbosity=0)
    app_config.models_module = None
    add_groups(apps)


def add_groups(apps):
    """Give the group what it lacks; permissions that it has beyond that stay."""
    Group, Permission = apps.get_model("auth", "Group"), apps.get_model("auth", "Permission")
    auditor, _created = Group.objects.get_or_create(name="auditor")
    seeing = Permission.objects.get(content_type__app_label="papersite", codename="view_apitoken")
    auditor.permissions.add(seeing)


class Migration(migrations.Migration):
    dependencies = [("operations", "0003_roles"), ("papersite", "0001_api_tokens")]

    operations = [migrations.RunPython(let_auditors_see, migrations.RunPython.noop)]
