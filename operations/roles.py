"""The roles of people who run the site: groups, made by a migration, whose names are identifiers in every language."""

from django.utils.translation import gettext_lazy as _

from operations.wording import noted

OPERATOR, EDITOR, AUDITOR = "operator", "editor", "auditor"

# What a role is for, beside its name.
ROLE_WORDS = {
    OPERATOR: _("运营：抓取、添加论文、重新总结、按日期删除、维护和备份"),
    EDITOR: _("编辑：修改论文、标签和总结"),
    AUDITOR: _("审计：查看全部内容和操作记录，不能改动"),
}


def role_in_words(name: str) -> str:
    """Return the name of a group, with what it is for where it is a role."""
    words = ROLE_WORDS.get(name)
    return noted(name, words) if words else name
