"""Which file of a source is taken for the paper."""

import json
from pathlib import Path

import pytest

from operations.assets.errors import NoText, PaperWithdrawn
from operations.assets.latex_main import main_file
from tests.assets.files import PROSE, document, write_tree

PAPER = document("\\begin{abstract}" + PROSE + "\\end{abstract}")
SHORT = document("Supplementary material only.")
LONG = document(PROSE * 50)
README = json.dumps({"spec_version": 1, "sources": [{"usage": "toplevel", "filename": "b.tex"}]})
YAML = "spec_version: 1\nsources:\n  - filename: a.tex\n    usage: ignore\n  - usage: toplevel\n    filename: 'b.tex'\n"

CHOICES = [
    ("the only one", {"x.tex": SHORT, "intro.tex": "\\section{Intro}"}, "x.tex"),
    ("named by 00README.json", {"a.tex": PAPER, "b.tex": SHORT, "00README.json": README}, "b.tex"),
    ("named by 00README.yaml", {"a.tex": PAPER, "b.tex": SHORT, "00README.yaml": YAML}, "b.tex"),
    (
        "named by 00README.XXX",
        {"a.tex": PAPER, "b.tex": SHORT, "00README.XXX": "nohypertex\nb.tex toplevelfile\n"},
        "b.tex",
    ),
    ("not ignored by 00README.XXX", {"a.tex": PAPER, "b.tex": SHORT, "00README.XXX": "a.tex ignore"}, "b.tex"),
    ("a broken 00README is no help", {"a.tex": PAPER, "b.tex": SHORT, "00README.json": '{"sources": [1, {}]'}, "a.tex"),
    (
        "00README names what is not there",
        {"a.tex": PAPER, "00README.json": README, "supp.tex": LONG},
        "a.tex",
    ),
    (
        "00README cannot lead outside",
        {"a.tex": PAPER, "00README.json": README.replace("b.tex", "../../etc/passwd")},
        "a.tex",
    ),
    ("not the supplement, though longer", {"paper.tex": SHORT, "supp.tex": LONG}, "paper.tex"),
    ("not the supplement by its abstract", {"zz.tex": SHORT, "supplementary_material.tex": LONG}, "zz.tex"),
    ("not the reply to referees", {"x.tex": SHORT, "response.tex": LONG}, "x.tex"),
    ("not in the ancillary folder", {"x.tex": SHORT, "anc/code.tex": LONG}, "x.tex"),
    ("the one with a bbl", {"a.tex": SHORT, "b.tex": SHORT, "a.bbl": "\\begin{thebibliography}"}, "a.tex"),
    ("the one that includes the other", {"z.tex": document("\\input{body}"), "body.tex": LONG}, "z.tex"),
    ("not an included subfile", {"z.tex": document("\\subfile{parts/one}"), "parts/one.tex": LONG}, "z.tex"),
    ("not slides", {"a.tex": SHORT, "b.tex": LONG.replace(b"{article}", b"{beamer}")}, "a.tex"),
    ("the longest of equals", {"a.tex": SHORT, "b.tex": LONG}, "b.tex"),
    ("not marked to be ignored", {"a.tex": b"%auto-ignore\n" + LONG, "b.tex": SHORT}, "b.tex"),
    ("a commented class is none", {"a.tex": "% \\documentclass{article}\n" + PROSE * 9, "b.tex": SHORT}, "b.tex"),
    (
        "LaTeX 2.09",
        {"a.tex": "\\documentstyle[12pt]{article}\\begin{document}x\\end{document}", "b.tex": "\\x"},
        "a.tex",
    ),
    ("plain TeX", {"a.tex": "\\magnification=1200 " + PROSE + "\\bye", "macros.tex": "\\def\\x{y}" * 99}, "a.tex"),
    ("any ending", {"hep9901001": "\\documentstyle{article}\\begin{document}x", "notes.txt": "x"}, "hep9901001"),
    (
        "two that include each other",
        {"a.tex": document("\\input{b}"), "b.tex": document("\\input{a}" + PROSE)},
        "b.tex",
    ),
]


@pytest.mark.parametrize(("files", "main"), [row[1:] for row in CHOICES], ids=[row[0] for row in CHOICES])
def test_the_main_file_is(tmp_path: Path, files: dict, main: str):
    assert main_file(write_tree(tmp_path, files)) == tmp_path / main


@pytest.mark.parametrize("files", [{"notes.txt": "x"}, {"README.md": "no TeX"}, {"empty.tex": ""}])
def test_a_source_without_tex_has_no_text(tmp_path: Path, files: dict):
    with pytest.raises(NoText, match="no TeX"):
        main_file(write_tree(tmp_path, files))


@pytest.mark.parametrize(
    ("note", "reason"),
    [
        (
            "%auto-ignore\nThis paper has been\nwithdrawn: Lemma 2 is wrong.\n",
            "This paper has been withdrawn: Lemma 2 is wrong.",
        ),
        ("%auto-ignore\n% withdrawn by\n% the author", "withdrawn by the author"),
        ("%auto-ignore", "the source holds nothing but the mark %auto-ignore"),
    ],
)
def test_a_source_with_a_note_alone_is_withdrawn(tmp_path: Path, note: str, reason: str):
    with pytest.raises(PaperWithdrawn) as caught:
        main_file(write_tree(tmp_path, {"paper.tex": note}))
    assert caught.value.reason == reason
