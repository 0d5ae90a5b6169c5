"""Everything people read in Chinese can be read in English, and the compiled catalogue is the written one."""

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "locale/en/LC_MESSAGES/django.po"
APPS = ("papers", "operations", "papersite")
MARKERS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
HELP = "run makemessages, translate, then compilemessages"


def written() -> dict[str, list[str]]:
    """Return the translations of each msgid as they stand in the catalogue's text; a context stands before it and EOT."""
    entries: dict[str, list[str]] = {}
    for block in CATALOGUE.read_text("utf-8").split("\n\n"):
        fields = re.findall(r'^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) ((?:".*"\n?)+)', block, re.MULTILINE)
        texts = [(name, "".join(ast.literal_eval(line) for line in text.splitlines())) for name, text in fields]
        key = "\x04".join(text for name, text in texts if name in ("msgctxt", "msgid"))
        entries[key] = [text for name, text in texts if name.startswith("msgstr")]
    return entries


def compiled() -> gettext.GNUTranslations:
    with CATALOGUE.with_suffix(".mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def messages_in_python(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKERS and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


def messages_in_template(source: str) -> Iterator[str]:
    for _prefix, quoted in re.findall(r"\b(gettext|ngettext|_)\((u?(?:'[^']*'|\"[^\"]*\"))", templatize(source)):
        yield ast.literal_eval(quoted)
    yield from re.findall(r"gettext\(u?'''(.*?)'''", templatize(source), re.DOTALL)


def test_every_text_has_an_english_translation():
    missing = [msgid for msgid, texts in written().items() if msgid and not all(texts)]
    assert not missing, HELP


def test_no_translation_is_left_in_chinese():
    assert not [texts for texts in written().values() if any(re.search("[一-鿿]", text) for text in texts)]


def test_the_compiled_catalogue_is_the_written_one():
    catalogue = compiled()
    for msgid, texts in written().items():
        if not msgid:
            continue  # the header, whose dates msgfmt leaves out
        if len(texts) == 1:
            assert catalogue.gettext(msgid) == texts[0], HELP
        else:
            assert [catalogue.ngettext(msgid, msgid, number) for number in (1, 2)] == texts, HELP


def test_placeholders_are_the_same_in_both_languages():
    placeholder = re.compile(r"%(?:\(\w+\))?[sd]")
    for msgid, texts in written().items():
        for text in texts if msgid else ():
            assert sorted(placeholder.findall(text)) == sorted(placeholder.findall(msgid))


@pytest.mark.parametrize("app", APPS)
def test_every_text_in_the_code_is_in_the_catalogue(app):
    known = set(written())
    sources = [path for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts]
    missing = [text for path in sources for text in messages_in_python(path.read_text("utf-8")) if text not in known]
    assert not missing, HELP


def test_every_text_in_the_templates_is_in_the_catalogue():
    known = set(written())
    sources = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "operations").rglob("*.html")]
    missing = [text for path in sources for text in messages_in_template(path.read_text("utf-8")) if text not in known]
    assert not missing, HELP


def test_the_templates_do_hold_texts():
    assert "没有这篇论文" in messages_in_template((ROOT / "templates/papers/missing_paper.html").read_text("utf-8"))
