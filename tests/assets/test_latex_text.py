"""LaTeX sources as text: what is kept, what is dropped, where it came from, and what cannot hurt."""

import time
from contextlib import suppress
from pathlib import Path

import pytest

from operations.assets import latex_plain
from operations.assets.errors import NoText, PaperWithdrawn
from operations.assets.latex_inputs import read_with_inputs
from operations.assets.latex_plain import crude_text, plain_text
from operations.assets.latex_text import pieces_of_source
from operations.assets.tex_files import decode_tex
from tests.assets.files import document, tar, tar_gz, write_tree

PLAIN = [
    ("Fr\\'{e}d\\'eric and Fran\\c{c}ois, \\\"u \\ss{} \\o{}", "Frédéric and François, ü ß ø"),
    ("``quoted'' --- 90\\% \\& more~text", "“quoted” — 90% & more text"),
    ("\\texttt{code} \\textsf{a} \\mbox{b} \\textbf{c} {\\em d} \\unknown{e}", "code a b c d e"),
    ("as shown~\\cite{a} in \\citep[see][p.~3]{b}.", "as shown in."),
    ("Section~\\ref{sec:x} and (\\ref{a}, \\eqref{b}) say", "Section and say"),
    ("\\label{x}text\\vspace{3pt}\\includegraphics[width=\\linewidth]{fig} end", "text end"),
    ("$a_{1}\\leq b$ and \\(x\\) hold", "$a_{1}\\leq b$ and \\(x\\) hold"),
    ("See \\[ x = \\frac{1}{2} \\label{eq}\\] here", "See\n\\[ x = \\frac{1}{2} \\]\nhere"),
    ("\\begin{align*}a&=b\\\\c&=d\\nonumber\\end{align*}", "\\begin{align*}a&=b\\\\c&=d\\end{align*}"),
    ("costs \\$5 and $x", "costs $5 and $x"),
    ("one $ two\n\nthree $ four", "one $ two\n\nthree $ four"),
    ("\\begin{itemize}\\item one \\item[b] two\\end{itemize}", "- one\n\n- b two"),
    ("\\paragraph{Setup} We run.", "Setup. We run."),
    ("word\\footnote{A note.} goes on", "word (A note.) goes on"),
    ("\\begin{figure}[t]\\includegraphics{a}\\caption[short]{A plot of $x$.}\\end{figure}", "Figure: A plot of $x$."),
    ("\\begin{table*}\\caption{Scores}\\end{table*}", "Table: Scores"),
    ("\\captionof{figure}{Later}", "Figure: Later"),
    (
        "\\begin{tabular}{l|c@{}}\n\\toprule\n{\\bf Model} & Score\\\\\\midrule Ours & \\textbf{71.3}\\\\[2pt]\nBase & 68.9\\end{tabular}",
        "Model | Score\nOurs | 71.3\nBase | 68.9",
    ),
    ("\\begin{tabularx}{\\textwidth}{XX}\\multicolumn{2}{c}{Both} \\\\ a & b\\end{tabularx}", "Both\na | b"),
    (
        "\\begin{theorem}[Main]It holds.\\end{theorem}\\begin{proof}Clear.\\end{proof}",
        "Theorem (Main). It holds.\n\nProof. Clear.",
    ),
    ("\\begin{tikzpicture}\\node{no};\\end{tikzpicture}yes", "yes"),
    ("\\begin{thebibliography}{9}\\bibitem{a} No.\\end{thebibliography}yes", "yes"),
    ("\\begin{verbatim}\nif x_1 % 2:\n  $y\n\\end{verbatim}", "if x_1 % 2:\n$y"),
    ("\\verb|a_b$c| and \\url{http://x.org/a_b%20c}", "a_b$c and http://x.org/a_b%20c"),
    ("\\href{http://x.org}{the page}", "the page"),
    ("\\textcolor{red}{\\colorbox{blue}{deep}}", "deep"),
    ("\\texorpdfstring{$k$}{k} means", "$k$ means"),
    ("中文和 English 混排，$x$。", "中文和 English 混排，$x$。"),
    ("a\\\\b", "a\nb"),
    ("1,\\ldots,n and 1,...,n", "1,…,n and 1,...,n"),
    ("\ue0007\ue001 forged", "7 forged"),
    ("}{ unbalanced { \\textbf{ braces", "unbalanced braces"),
    ("\\", ""),
    ("", ""),
]


def _pieces(tmp_path: Path, data: bytes) -> list[tuple[str, str, str]]:
    (tmp_path / "source.download").write_bytes(data)
    answer = pieces_of_source(str(tmp_path / "source.download"), str(tmp_path / "source"))
    assert not answer["cut"]
    return answer["pieces"]


@pytest.mark.parametrize(("tex", "want"), PLAIN)
def test_a_part_becomes_plain_text(tex: str, want: str):
    assert plain_text(tex) == want


def test_theorems_carry_the_names_of_their_document(tmp_path: Path):
    pieces = _pieces(tmp_path, document("\\begin{satz}Es gilt.\\end{satz}", "\\newtheorem{satz}[thm]{Satz}"))
    assert pieces == [("", "Satz. Es gilt.", "paper.tex")]


def test_title_abstract_and_sections_come_in_order_with_their_files(tmp_path: Path):
    main = document(
        "\\title{On \\name}\\author{A. Author\\thanks{Money}}\\maketitle\\begin{abstract}We show.\\end{abstract}"
        "\\section{Introduction}\\input{parts/intro}\\include{parts/method}\\subsection*{Results of $f$}We win."
        "\\appendix\\section[Short]{Proofs}Omitted.\\bibliography{refs}\\section*{References}[1] No.",
        "\\newcommand{\\name}{FooNet}",
    )
    files = tar_gz(
        ("main.tex", main),
        ("parts/intro.tex", b"\\name{} is new. % really?\n\\input{parts/more.tex}"),
        ("parts/more.tex", b"More."),
        ("parts/method.tex", b"\\section{Method}\nSteps."),
    )
    assert _pieces(tmp_path, files) == [
        ("Title", "On FooNet", "main.tex"),
        ("Abstract", "We show.", "main.tex"),
        ("", "", "main.tex"),
        ("Introduction", "FooNet is new. More.", "parts/intro.tex"),
        ("Method", "Steps.", "parts/method.tex"),
        ("Results of $f$", "We win.", "main.tex"),
        ("Proofs", "Omitted.", "main.tex"),
    ]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("\\input{sub/a}", "sub/a.tex"),
        ("\\input sub/a ", "sub/a.tex"),
        ("\\input{sub/a.inc}", "sub/a.inc"),
        ("\\include{sub/a}", "sub/a.tex"),
        ("\\subfile{sub/a}", "sub/a.tex"),
        ("\\import{sub/}{a}", "sub/a.tex"),
        ("\\subimport*{./sub}{a.tex}", "sub/a.tex"),
        ('\\input{"sub/a"}', "sub/a.tex"),
    ],
)
def test_every_way_to_include_a_file_is_followed(tmp_path: Path, command: str, name: str):
    folder = write_tree(tmp_path, {"main.tex": document(f"before {command} after"), name: document("INSIDE")})
    text = read_with_inputs(folder, folder / "main.tex").text
    assert "INSIDE" in text
    assert text.count("\\documentclass") == 1


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "{}", "a\\b", "x" * 500, "\\jobname", ".", "sub"])
def test_an_input_that_leads_outside_or_nowhere_is_left_out(tmp_path: Path, name: str):
    (tmp_path / "secret.tex").write_text("SECRET root:")
    folder = write_tree(tmp_path / "in", {"main.tex": document(f"before \\input{{{name}}} after"), "sub/x.tex": ""})
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    text = read_with_inputs(folder, folder / "main.tex").text
    assert "SECRET" not in text
    assert "root:" not in text
    assert "after" in text


def test_a_link_in_the_folder_is_not_followed(tmp_path: Path):
    (tmp_path / "secret.tex").write_text("SECRET")
    folder = write_tree(tmp_path / "in", {"main.tex": document("\\input{link}")})
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    assert "SECRET" not in read_with_inputs(folder, folder / "main.tex").text


def test_inputs_in_a_circle_and_inputs_that_double_come_to_an_end(tmp_path: Path):
    files = {f"{n}.tex": f"level{n} \\input{{{n + 1}}}\\input{{{n + 1}}}\\input{{0}}" for n in range(40)}
    folder = write_tree(tmp_path, {"main.tex": document("\\input{0}"), **files})
    started = time.monotonic()
    result = read_with_inputs(folder, folder / "main.tex")
    assert time.monotonic() - started < 10
    assert len(result.files) <= 1000
    assert "level5" in result.text


def test_macros_of_a_package_that_comes_with_the_paper_are_known(tmp_path: Path):
    files = tar(
        ("main.tex", document("We train \\ours.", "\\usepackage{amsmath,mystyle}")),
        ("mystyle.sty", b"\\newcommand{\\ours}{FooNet}"),
    )
    assert _pieces(tmp_path, files) == [("", "We train FooNet.", "main.tex")]


@pytest.mark.parametrize(
    ("data", "want"),
    [
        ("caf\u00e9 \u4e2d".encode(), "caf\u00e9 \u4e2d"),
        ("caf\u00e9".encode("latin-1"), "caf\u00e9"),
        ("\\usepackage[latin2]{inputenc} \u0159".encode("iso8859-2"), "\\usepackage[latin2]{inputenc} \u0159"),
        ("\\usepackage[nonsense]{inputenc} \u00e9".encode("latin-1"), "\\usepackage[nonsense]{inputenc} \u00e9"),
        (b"\xef\xbb\xbfx", "x"),
        (b"\xff\xfea\0b\0", "ab"),
        (b"a\0b\x07c\r\nd\re", "abc\nd\ne"),
        (b"\xed\xa0\x80x", "í\xa0x"),
        (b"", ""),
    ],
)
def test_any_bytes_decode_to_clean_text(data: bytes, want: str):
    assert decode_tex(data) == want


def test_plain_tex_is_taken_whole(tmp_path: Path):
    pieces = _pieces(tmp_path, b"\\magnification=1200\n\\centerline{\\bf A title}\n\nWords $x$.\n\\bye\nnot this")
    assert "A title" in pieces[0][1]
    assert "Words $x$." in pieces[0][1]
    assert "not this" not in pieces[0][1]


def test_a_part_that_cannot_be_parsed_is_stripped_crudely(monkeypatch):
    class Broken:
        def __init__(self, **options: object) -> None:
            raise IndexError

    monkeypatch.setattr(latex_plain, "LatexNodes2Text", Broken)
    assert plain_text("\\textbf{Bold} and $x_1$ cost 5\\%~more") == "Bold and $x_1$ cost 5% more"


def test_a_part_that_takes_too_long_is_stripped_crudely(monkeypatch):
    class Slow:
        def __init__(self, **options: object) -> None:
            time.sleep(10)

    monkeypatch.setattr(latex_plain, "LatexNodes2Text", Slow)
    monkeypatch.setattr(latex_plain, "_CHUNK_SECONDS", 0.05)
    assert plain_text("\\emph{words}") == "words"


def test_the_crude_way_drops_commands_and_braces():
    assert crude_text("\\begin{x}\\foo{a} b\\% \\'e~{c}\\end{x}").split() == ["a", "b%", "e", "c"]


@pytest.mark.parametrize(
    "body",
    [
        "{" * 50_000,
        "\\textbf{" * 20_000,
        "$" * 50_001,
        "\\begin{equation}" * 20_000,
        "\\begin{a}" * 20_000 + "\\end{a}" * 20_000,
        "\\section{" * 20_000,
        "\\cite{" * 5_000,
        " " * 300_000 + "x",
        "~" * 200_000 + "x",
        "\n" * 300_000 + "x",
        "&" * 100_000,
        "\\\\[" * 50_000,
        "\\item[" * 20_000,
        "\\begin{tabular}{" * 5_000,
        "\\verb|" * 30_000,
        "\\begin{verbatim}" * 5_000,
        "word " * 100_000,
        "\\input{" + " " * 100_000,
        "\\newcommand{" * 20_000,
        "\\" * 100_001,
    ],
    ids=lambda body: f"{body[:20]!r}",
)
def test_hostile_text_ends_soon_without_a_crash(tmp_path: Path, body: str):
    started = time.monotonic()
    (tmp_path / "a").write_bytes(document(body))
    pieces_of_source(str(tmp_path / "a"), str(tmp_path / "source"))
    assert time.monotonic() - started < 20


def test_a_time_limit_that_was_lost_in_a_finalizer_comes_again():
    with pytest.raises(latex_plain._TooSlow), latex_plain._time_limit(0.1):
        with suppress(latex_plain._TooSlow):
            time.sleep(5)
        time.sleep(5)


def test_a_truncated_archive_is_good_enough_where_the_text_came_out_whole(tmp_path: Path):
    main = ("main.tex", document("All of it. \\input{part}"))
    whole = tar(main, ("part.tex", b"Part."), ("figure.png", b"\x89PNG" * 1000))
    assert _pieces(tmp_path, whole[:3560])[0][1] == "All of it. Part."
    short = tar(main, ("figure.png", b"\x89PNG" * 1000), ("part.tex", b"Part."))
    with pytest.raises(NoText, match="cut short"):
        _pieces(tmp_path, short[:4000])
    with pytest.raises(NoText, match="cut short"):
        _pieces(tmp_path, tar_gz(main)[:60])


@pytest.mark.parametrize("packed", [True, False])
def test_a_withdrawal_is_told_apart_from_a_failure(tmp_path: Path, packed: bool):
    note = b"%auto-ignore\nWithdrawn because of an error."
    with pytest.raises(PaperWithdrawn, match="Withdrawn because of an error"):
        _pieces(tmp_path, tar_gz(("paper.tex", note)) if packed else note)


def test_a_very_long_paper_is_cut_and_says_so(tmp_path: Path):
    (tmp_path / "a").write_bytes(document("\\section{A}" + "Some words. \n\n" * 60_000 + "\\section{B} end"))
    answer = pieces_of_source(str(tmp_path / "a"), str(tmp_path / "source"))
    assert answer["cut"]
    assert sum(len(text) for _, text, _ in answer["pieces"]) == 400_000
