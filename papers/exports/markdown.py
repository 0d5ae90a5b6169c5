"""Markdown, in which nothing of a paper is markup."""

import re
from collections.abc import Iterable

from django.utils.translation import gettext as _

from papers import arxiv_ids
from papers.models import Paper
from papers.outline import Part, outline
from papers.presentation import Table, present
from papers.queries.tags import distinct_tags
from papers.text import one_line, paragraphs

# What may begin markup anywhere, in CommonMark and in GitHub's dialect.
_ANYWHERE = re.compile(r"([\\`*_\[\]<>&~|$@{}!^])")
# What may begin it only at the start of a line.
_AT_START = re.compile(r"^([#+=:-]|\d{1,9}[.)](?=\s|$))")
# What is made a link without any mark.
_LINKS = re.compile(r"(?i)(https?|ftp|mailto|xmpp)(:)|(www)(\.)")


def markdown(papers: Iterable[Paper]) -> str:
    """Return the papers as one text, each under a heading of its own."""
    return "\n".join(_paper(paper) for paper in papers)


def plain(text: str) -> str:
    """Return one line of text with all that could be markup escaped."""
    escaped = _ANYWHERE.sub(r"\\\1", one_line(text))
    escaped = _LINKS.sub(lambda match: f"{match[1] or match[3]}\\{match[2] or match[4]}", escaped)
    return _AT_START.sub(lambda match: match[1][:-1] + "\\" + match[1][-1], escaped)


def _paper(paper: Paper) -> str:
    stored = getattr(paper, "summary", None)
    lines = [f"# {plain(paper.title_zh or paper.title_en)}", ""]
    if paper.title_zh:
        lines += [plain(paper.title_en), ""]
    lines += [*_facts(paper), ""]
    if stored:
        summary = present(stored)
        if summary.one_line:
            lines += [f"> {plain(summary.one_line)}", ""]
        for section in outline(summary):
            lines += [f"## {section.heading}", ""]
            for part in section.parts:
                lines += [f"### {part.label}", "", *_part(part), ""]
    if paper.abstract:
        lines += [f"## {_('原文摘要')}", "", *_paragraphs(paper.abstract), ""]
    return "\n".join(lines)


def _facts(paper: Paper) -> list[str]:
    # The address is made from the id: nothing else goes into a link.
    arxiv_id = re.sub(r"[^\w./-]", "", paper.arxiv_id, flags=re.ASCII)
    facts = [
        (_("作者"), plain(", ".join(author.name for author in paper.authors.all()))),
        ("arXiv", f"[{plain(arxiv_id)}]({arxiv_ids.abstract_address(arxiv_id)})"),
        (_("发表"), paper.published_at.isoformat() if paper.published_at else ""),
        (_("收录"), paper.paper_date.isoformat()),
        (_("分类"), plain(", ".join(paper.category_list))),
        (_("标签"), plain(_("、").join(distinct_tags(paper.tags.all())))),
        (_("代码"), plain(paper.code_url or "")),
    ]
    if paper.is_withdrawn:
        facts.insert(0, (_("状态"), _("已撤稿")))
    return [f"- {label}{_('：')}{value}" for label, value in facts if value]


def _part(part: Part) -> list[str]:
    if part.text:
        return _paragraphs(part.text)
    if part.table:
        return _table(part.table)
    return [f"{f'{number}.' if part.ordered else '-'} {plain(item)}" for number, item in enumerate(part.items, 1)]


def _paragraphs(text: str) -> list[str]:
    parts = [plain(part) for part in paragraphs(text).split("\n\n")]
    return "\n\n".join(parts).split("\n")


def _table(table: Table) -> list[str]:
    rows = [map(plain, table.headings), ("---",) * len(table.headings), *(map(plain, row) for row in table.rows)]
    return [f"| {' | '.join(row)} |" for row in rows]
