"""Abbreviations of authors are written out, as far as that is safe."""

import itertools

import pytest

from operations.assets.latex_macros import MAX_BODY_CHARACTERS, expand_macros, split_macros

EXPANSIONS = [
    ("\\newcommand{\\method}{FooNet}\\method is", "FooNet is"),
    ("\\newcommand\\method{FooNet\\xspace}\\method{} is", "FooNet\\xspace{} is"),
    ("\\newcommand*{\\method}{Foo{\\bf Net}}a \\method{}b", "a Foo{\\bf Net}b"),
    ("\\renewcommand{\\AA}{\\mathbb{A}}$\\AA x$", "$\\mathbb{A} x$"),
    ("\\def\\be{\\begin{equation}}\\def\\ee{\\end{equation}}\\be x\\ee", "\\begin{equation} x\\end{equation}"),
    ("\\DeclareMathOperator{\\argmin}{arg\\,min}$\\argmin_x$", "$\\operatorname{arg\\,min}_x$"),
    ("\\newcommand{\\a}{\\b c}\\newcommand{\\b}{d}\\a", "d c"),
    ("\\newcommand{\\a}{x}\\renewcommand{\\a}{y}\\a", "y"),
    ("\\newcommand{\\a}{x}\\ab", "\\ab"),
    ("\\newcommand{\\todo}[1]{\\textbf{#1}}a\\todo{b}", "a\\todo{b}"),
    ("\\def\\x#1{y#1}\\x{z}", "\\x{z}"),
    ("\\newcommand{\\section}{no}\\section{A}", "\\section{A}"),
    ("\\newcommand{\\open}{never closed", "\\newcommand{\\open}{never closed"),
    ("\\def\\a{\\a}\\a", "\\a"),
    ("\\def\\a{x\\a}\\a", "\\a"),
    ("\\def\\a{\\b}\\def\\b{\\a y}\\a", "\\a"),
    ("no macros", "no macros"),
]


@pytest.mark.parametrize(("tex", "want"), EXPANSIONS)
def test_macros_without_arguments_are_written_out(tex: str, want: str):
    assert expand_macros(*split_macros(tex)) == want


def test_macros_that_double_over_and_over_are_left_alone():
    names = "abcdefghijklmnopqrstuvwxyz"
    doubling = "".join(f"\\def\\z{name}{{\\z{after}\\z{after}}}" for name, after in itertools.pairwise(names))
    text, macros = split_macros(doubling + "\\def\\zz{end}\\za \\zy")
    expanded = expand_macros(text, macros)
    assert len(expanded) < 3 * MAX_BODY_CHARACTERS
    assert expanded.endswith("endend")


def test_the_growth_of_a_document_is_bounded():
    text, macros = split_macros("\\def\\a{" + "x" * 1999 + "}" + "\\a " * 10_000)
    assert len(expand_macros(text, macros)) < 2_100_000
