"""What an author took out of a LaTeX text is not in it."""

import pytest

from operations.assets.latex_comments import without_comments, without_false_branches

COMMENTS = [
    ("a % note\nb", "a b"),
    ("a%\n   b", "ab"),
    ("a % note\n\nb", "a \n\nb"),
    ("% whole line\nb", "b"),
    ("90\\% of % note", "90\\% of "),
    ("a \\\\% note\nb", "a \\\\b"),
    ("\\begin{verbatim}\n% kept\n\\end{verbatim}%x\ny", "\\begin{verbatim}\n% kept\n\\end{verbatim}y"),
    ("\\verb|%| and % note", "\\verb|%| and "),
    ("\\url{http://x/a%20b} c", "\\url{http://x/a%20b} c"),
    ("\\href{http://x/a%20b}{c} d", "\\href{http://x/a%20b}{c} d"),
    ("a\\begin{comment}b\n\\section{x}\n\\end{comment}c", "ac"),
    ("a\\begin{comment}never closed", "a\\begin{comment}never closed"),
    ("\\excludecomment{note}a\\begin{note}b\\end{note}c", "\\excludecomment{note}ac"),
    ("ends with \\", "ends with \\"),
    ("%", ""),
    ("", ""),
]

BRANCHES = [
    ("a\\iffalse b\\fi c", "a c"),
    ("a\\iffalse b\\else c\\fi d", "a c d"),
    ("a\\iftrue b\\else c\\fi d", "a b d"),
    ("a\\if0 b\\fi c", "a c"),
    ("a\\if 1 b\\else c\\fi", "a b"),
    ("\\iffalse a\\iftrue b\\fi c\\fi d", " d"),
    ("\\iffalse a\\ifx\\x\\y b\\else c\\fi d\\fi e", " e"),
    ("\\newif\\ifdraft \\ifdraft a\\else b\\fi", "  b"),
    ("\\newif\\ifdraft\\drafttrue\\ifdraft a\\else b\\fi", " a"),
    ("\\newif\\ifdraft\\drafttrue\\draftfalse\\ifdraft a\\else b\\fi", " b"),
    ("\\let\\ifdraft\\iffalse \\ifdraft a\\fi b", "  b"),
    ("\\let\\off\\iffalse b \\iftrue c\\fi", "\\let\\off\\iffalse b  c"),
    ("\\ifpdf a\\else b\\fi", " a b"),
    ("$a \\iff b$ \\iffalse x\\fi", "$a \\iff b$ "),
    ("\\ifthenelse{\\x}{a}{b} \\fi", "\\ifthenelse{\\x}{a}{b} \\fi"),
    ("a\\iffalse never closed", "a\\iffalse never closed"),
    ("a\\fi b\\else c", "a\\fi b\\else c"),
    ("\\showtrue x", "\\showtrue x"),
]


@pytest.mark.parametrize(("tex", "want"), COMMENTS)
def test_comments_are_taken_out(tex: str, want: str):
    assert without_comments(tex) == want


@pytest.mark.parametrize(("tex", "want"), BRANCHES)
def test_branches_that_are_never_printed_are_taken_out(tex: str, want: str):
    assert without_false_branches(tex) == want


def test_hostile_nesting_is_passed_in_a_moment():
    assert without_false_branches("\\iffalse " * 50_000 + "\\fi" * 50_000) == ""
    without_comments("%" * 500_000)
