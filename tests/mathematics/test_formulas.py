r"""What is mathematics in a text, what is a price, and what is shown of either."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.markdown import markdown_html
from papers.mathematics.formulas import find_formulas
from papers.mathematics.mathml import mathml
from papers.mathematics.rendering import math_html, math_paragraphs_html


@pytest.mark.parametrize(
    "text",
    [
        "$0.07", "$5 and $10", "US$ 3M", "US$44", "for $50–$100", "costs $5, or 3$ each", "从$0.398降至$0.228，", "$5-$20）",
        "$5/$10", "1$ and 2$", r"\$5 and \$6", "in $200k", "$$ to $$$", "$x", "$$ x", "$ x $", "87-$89% of $5", r"\\(x\\)",
        "$1 Million from $2 Million", "$20 per tutor and 30$ more", "$损失$", r"\(x", r"\[x", "$", "$$", "$$$$", "",
    ],
)  # fmt: skip
def test_prices_and_what_is_not_closed_are_no_formulas(text):
    assert list(find_formulas(text)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$n$-gram", ["n"]), ("X$^2$-Gaussian", ["^2"]), ("在$n$个", ["n"]), (r"\(TPP\)", ["TPP"]), ("$$x$$", ["x"]),
        ("$O(n)$ and $5", ["O(n)"]), ("in $200k and $x$", ["x"]), (r"$10\times$", [r"10\times"]), ("$1$ and $2$", ["1", "2"]),
        (r"\[x^2\]", ["x^2"]), (r"256$\times$256", [r"\times"]), ("($<$1B)", ["<"]), ("$p<0.05$", ["p<0.05"]), (r"$\$5$", [r"\$5"]), (r"（$E_{\mathrm{und}}$）", [r"E_{\mathrm{und}}"]),
    ],
)  # fmt: skip
def test_formulas_are_found(text, found):
    assert [formula.tex for formula in find_formulas(text)] == found


@pytest.mark.parametrize(
    "tex",
    [
        r"\foo{x}", "x^{", r"\left( x", "a_b_c", r"\text{a \foo}", "{" * 100 + "x" + "}" * 100, r"\newcommand{\x}{y}",
        r"\href{javascript:alert(1)}{x}", r"\phantom{x}", "a%b", r"\def\x{1}", r"\begin{foo}x\end{foo}", r"\class{a}{x}",
    ],
)  # fmt: skip
def test_what_is_not_understood_stays_as_it_was_written(tex):
    assert mathml(tex) is None


@pytest.mark.parametrize(
    "text",
    [
        r"$\text{<script>alert(1)</script>}x^2$", r"$\text{<img src=x onerror=alert(1)>}$", r"\(<b onclick=x>y^2\)",
        r'$\text{"><svg onload=x>}$', r"\emph{<b>}", r"\href{javascript:alert(1)}{x}", r"\href{\"><b>}{<i>}", r"\cite{<b>}",
    ],
)  # fmt: skip
def test_no_markup_of_a_text_survives(text):
    for html in (math_html(text), math_paragraphs_html(text), markdown_html(text)):
        assert 'href="javascript' not in html
        html = re.sub(r'="[^"<>]*"', "", html)  # what stands in an attribute is escaped
        assert not re.search(r"<(?:script|img|svg|b|i)\b|<[^>]*\son\w+=", html)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"\emph{low \textbf{x}}", "<em>low <strong>x</strong></em>"), (r"\emph{a", r"\emph{a"), (r"5\% \& \_", "5% &amp; _"),
        (r"Schr\"odinger, na\"{\i}ve, {\'e}", "Schrödinger, naïve, é"), (r"it\'s \"word\"", "it&#x27;s &quot;word&quot;"),
        ("``a'' 10--20 et al.~(x)", "“a” 10–20 et al.\u00a0(x)"), (r"\method{} \ours", r"\method{} \ours"),
        (r"{\it key}", "<em>key</em>"), (r"$\textbf{GAM}$", "<strong>GAM</strong>"), ("a < b", "a &lt; b"), ("--flag", "--flag"),
        (r"\href{https://a.b}{here}", "here (https://a.b)"), (r"\d+ \\server", r"\d+ \\server"), (r"Fran\c{c}ois", "François"),
    ],
)  # fmt: skip
def test_tex_outside_of_mathematics_is_shown_as_it_is_meant(text, shown):
    assert math_html(text) == shown


def test_the_tex_stands_beside_what_is_drawn():
    assert 'alttext="x^2"' in math_html("$x^2$")


@given(st.text(alphabet="$\\{}()[]emph texbfi'\"`~-<&^_x1 \n", max_size=200))
def test_any_text_gives_closed_markup(text):
    for html in (math_html(text), math_paragraphs_html(text)):
        open_tags = []
        for closing, name in re.findall(r"<(/?)([a-z]+)(?:\s[^>]*)?>", html.replace("<br>", "")):
            if closing:
                assert open_tags.pop() == name
            else:
                open_tags.append(name)
        assert open_tags == []


@pytest.mark.parametrize("piece", ["$", "${", r"\(", "$a_1$ ", r"\emph{", "{", "``", r"\'"])
def test_a_hostile_text_makes_a_bounded_number_of_formulas(piece):
    assert math_html(piece * 12_000).count("<math") <= 300


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("![p](https://x.y/z.png)", '<a href="https://x.y/z.png" rel="noopener noreferrer nofollow">p</a>'),
        ("# a", "<h3>a</h3>"), ("~~a~~", "<s>a</s>"), ("<b>x</b>", "&lt;b&gt;"), ("$a_1 * b_2$ *c*", "<em>c</em>"),
        ("[r](ftp://x/)", '<a rel="noopener noreferrer nofollow">r</a>'),
    ],
)  # fmt: skip
def test_notes_are_markdown(text, shown):
    assert shown in markdown_html(text)
