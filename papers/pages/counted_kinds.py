"""Tags and authors as their pages tell of them: where they are kept, how they are found, what they are called."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from papers.addresses import author_address, tag_address
from papers.queries.counted import AUTHORS, TAGS, CountPage, Index
from papers.queries.counted_search import authors_like, tags_like


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the two; `field` is its name in a search, `like` finds those that hold a text."""

    field: str
    index: Index
    like: Callable[..., CountPage]
    address: Callable[[str], str]
    title: Promise
    about: Promise
    find: Promise
    not_found: Promise
    unknown: Promise
    see_all: Promise

    @property
    def list_address(self) -> str:
        """The list of all."""
        return reverse(f"papers:{self.field}s")

    def feed_address(self, name: str) -> str:
        """Return the feed of one."""
        return reverse(f"papers:feed_{self.field}", args=[name])

    def search_for(self, name: str) -> str:
        """Return the search that finds the papers of one."""
        quoted = name.replace('"', " ")
        return f'{self.field}:"{quoted}"'


TAG = Kind(
    field="tag",
    index=TAGS,
    like=tags_like,
    address=tag_address,
    title=_("标签"),
    about=_("论文多的在前。标签来自 Hugging Face、AI 总结和人工添加；大小写、全半角和空格不算区别。"),
    find=_("标签里的字"),
    not_found=_("没有含有这些字的标签。"),
    unknown=_("没有这个标签"),
    see_all=_("看所有标签"),
)
AUTHOR = Kind(
    field="author",
    index=AUTHORS,
    like=authors_like,
    address=author_address,
    title=_("作者"),
    about=_("论文多的在前。作者按论文上的署名列出，同名的人不加区分。"),
    find=_("姓名里的字"),
    not_found=_("没有姓名含有这些字的作者。"),
    unknown=_("没有这位作者"),
    see_all=_("看所有作者"),
)
