"""Fetching files: source first, then PDF, and what is told apart when there is neither."""

from collections.abc import Callable
from pathlib import Path

import pytest

from operations.assets.errors import NoText, PaperWithdrawn
from operations.assets.obtain import obtain_text
from operations.assets.paper_text import PaperText
from operations.http.errors import (
    CutShort,
    ForbiddenRedirect,
    NotFound,
    Refused,
    SourceUnavailable,
    TooLarge,
    UnexpectedAnswer,
)
from tests.assets.files import PROSE, document, pdf, tar_gz

SOURCE = tar_gz(("main.tex", document()))
Answer = bytes | Exception
_NOTHING = NotFound("404")


class Arxiv:
    """Gives what it is told to, and remembers what it was asked for."""

    def __init__(self, source: Answer, paper: Answer = _NOTHING) -> None:
        self.answers = {"source": source, "pdf": paper}
        self.asked: list[str] = []

    def _door(self, name: str) -> Callable[[object, str, Path], None]:
        def download(client: object, arxiv_id: str, path: Path) -> None:
            assert (client, arxiv_id) == ("client", "2406.01234")
            self.asked.append(name)
            if isinstance(self.answers[name], Exception):
                raise self.answers[name]
            path.write_bytes(self.answers[name])

        return download

    def text(self, folder: Path) -> PaperText:
        return obtain_text("2406.01234", folder, "client", self._door("source"), self._door("pdf"))


def test_the_source_is_enough(tmp_path: Path):
    arxiv = Arxiv(SOURCE, pdf(PROSE))
    assert arxiv.text(tmp_path / "2406.01234").source == "latex"
    assert arxiv.asked == ["source"]


@pytest.mark.parametrize(
    "source",
    [
        NotFound("404"),
        Refused("400"),
        TooLarge("larger than 100 MB"),
        UnexpectedAnswer("nothing at all"),
        ForbiddenRedirect("elsewhere"),
        CutShort("half"),
        b"<html>",
        b"",
        SOURCE[:50],
    ],
)
def test_without_a_usable_source_the_pdf_is_fetched(tmp_path: Path, source: Answer):
    arxiv = Arxiv(source, pdf(PROSE))
    assert arxiv.text(tmp_path / "x").source == "pdf"
    assert arxiv.asked == ["source", "pdf"]


def test_a_source_that_is_a_pdf_is_not_asked_for_again(tmp_path: Path):
    arxiv = Arxiv(pdf(PROSE))
    assert arxiv.text(tmp_path / "x").source == "pdf"
    assert arxiv.asked == ["source"]
    scan = Arxiv(pdf(""))
    with pytest.raises(NoText, match="a scan"):
        scan.text(tmp_path / "x")
    assert scan.asked == ["source"]


@pytest.mark.parametrize(
    ("source", "paper", "reason"),
    [
        (NotFound("x"), NotFound("x"), "arXiv has no source; arXiv has no PDF"),
        (CutShort("x"), CutShort("x"), "the source is cut short each time; the PDF is cut short each time"),
        (b"<html>", b"<html>", "the source is an HTML page; what came as the PDF is an HTML page"),
        (
            TooLarge("over 9 bytes"),
            pdf(""),
            "the source cannot be downloaded: over 9 bytes; the PDF holds no more than 0",
        ),
    ],
)
def test_both_reasons_are_named(tmp_path: Path, source: Answer, paper: Answer, reason: str):
    with pytest.raises(NoText) as caught:
        Arxiv(source, paper).text(tmp_path / "x")
    assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize(
    ("source", "paper"), [(SourceUnavailable("503"), pdf(PROSE)), (NotFound("404"), SourceUnavailable("timed out"))]
)
def test_trouble_of_arxiv_says_nothing_of_the_paper(tmp_path: Path, source: Answer, paper: Answer):
    with pytest.raises(SourceUnavailable):
        Arxiv(source, paper).text(tmp_path / "x")


def test_a_withdrawn_paper_is_not_looked_for_elsewhere(tmp_path: Path):
    arxiv = Arxiv(b"%auto-ignore\nWithdrawn.", pdf(PROSE))
    with pytest.raises(PaperWithdrawn):
        arxiv.text(tmp_path / "x")
    assert arxiv.asked == ["source"]


def test_leftovers_in_the_folder_are_not_mistaken_for_the_paper(tmp_path: Path):
    folder = tmp_path / "hep-th" / "9901001"
    Arxiv(SOURCE).text(folder)
    (folder / "paper.pdf").write_bytes(pdf("An old one. " * 50))
    (folder / "notes of the caller").write_text("kept")
    with pytest.raises(NoText, match="arXiv has no source; arXiv has no PDF"):
        Arxiv(NotFound("404")).text(folder)
    assert [path.name for path in folder.iterdir()] == ["notes of the caller"]
