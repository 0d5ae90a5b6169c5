"""The three roles of the admin, as groups. None of them meets the owner's bookmarks, notes and reading status."""

from django.contrib.auth.management import create_permissions
from django.db import migrations

# Names of groups are identifiers, shown as they are in every language.
OPERATOR, EDITOR, AUDITOR = "operator", "editor", "auditor"

_PAPERS = [f"papers.view_{model}" for model in ("paper", "paperauthor", "papertag", "papersummary", "summarystatus")]
_WORK = [
    f"operations.view_{model}"
    for model in (
        "crawllog",
        "tasklock",
        "datadeletejob",
        "daylisting",
        "deletedpaper",
        "queuepause",
        "heartbeat",
        "crawljob",
        "crawljobday",
        "arxivrequest",
        "maintenance",
        "scheduletime",
        "measurement",
        "setup",
    )
]
_QUEUE = [f"django_q.view_{model}" for model in ("schedule", "success", "failure", "ormq")]
_AUDIT = [
    "admin.view_logentry",
    "auth.view_user",
    "auth.view_group",
    "operations.view_failedsignin",
    "operations.view_signin",
]

ROLES = {
    OPERATOR: [*_PAPERS, *_WORK, *_QUEUE, "operations.operate", "operations.add_datadeletejob"],
    EDITOR: [
        *_PAPERS,
        "papers.change_paper",
        "papers.change_papersummary",
        "papers.add_papertag",
        "papers.change_papertag",
        "papers.delete_papertag",
    ],
    AUDITOR: [*_PAPERS, *_WORK, *_QUEUE, *_AUDIT],
}


def make_roles(apps, schema_editor):
    _make_permissions(apps)
    add_groups(apps)


def add_groups(apps):
    """Make the groups; permissions that a group has beyond these stay."""
    Group, Permission = apps.get_model("auth", "Group"), apps.get_model("auth", "Permission")
    for name, wanted in ROLES.items():
        group, _created = Group.objects.get_or_create(name=name)
        for permission in wanted:
            app, codename = permission.split(".")
            group.permissions.add(Permission.objects.get(content_type__app_label=app, codename=codename))


def _make_permissions(apps):
    """Django itself makes permissions only after all migrations."""
    for app_config in apps.get_app_configs():
        app_config.models_module = True
        create_permissions(app_config, apps=apps, verbosity=0)
        app_config.models_module = None


class Migration(migrations.Migration):
    dependencies = [
        ("operations", "0002_console"),
        ("papers", "0003_edited_summaries"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("django_q", "0019_alter_task_options_alter_ormq_key_alter_ormq_lock_and_more"),
    ]

    # A group that is there already keeps what it has; nobody loses a role by going back.
    operations = [migrations.RunPython(make_roles, migrations.RunPython.noop)]
