r"""Backslashes of TeX that were not doubled."""

import json

import pytest

from papers.summary.tex_escapes import double_tex_backslashes


def read(content):
    return json.loads(f'"{double_tex_backslashes(content)}"', strict=False)


@pytest.mark.parametrize(
    "tex",
    [
        r"$\alpha \mathcal{L}$", r"\(x\) \[y\]", r"\beta \nabla \theta \tau \rho \frac{1}{2} \forall x", r"\underline{x}", r"\upsilon",
        r"\underbrace{x}", r"\begin{aligned}", r"\boldsymbol{w}", r"\neq", r"\nu_1", r"\notin", r"$a \ne b$", r"\right)", r"\times 3",
        r"\text{甲}", r"\bar x的均值", r"\_ \% \& \# \$", r"\to", r"\name{}", r"\{a\}", r"\u12",
    ],
)  # fmt: skip
def test_a_command_with_one_backslash_stays_a_command(tex):
    assert read(tex) == tex


@pytest.mark.parametrize("tex", [r"\alpha", r"\beta \nabla", r"\underline{x}", r"\n", r"\frac12"])
def test_what_was_doubled_is_left_alone(tex):
    assert read(tex.replace("\\", "\\\\")) == tex


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (r"第一行\n第二行", "第一行\n第二行"),
        (r"first\nThe second", "first\nThe second"),
        (r"a\n\nb", "a\n\nb"),
        (r"如下\ne.g. 甲", "如下\ne.g. 甲"),
        (r"如下\ni.e. 甲", "如下\ni.e. 甲"),
        (r"the set\nexists", "the set\nexists"),
        (r"a\n1. 甲", "a\n1. 甲"),
        (r"a\tb", "a\tb"),
        (r"a\r\nb", "a\r\nb"),
        (r"\u77ed\u6458", "短摘"),
        (r"\"甲\" \/ \\", '"甲" / \\'),
        (r"it\'s", "it's"),
        (r"\ud83d\ude00", "😀"),
    ],
)
def test_real_escapes_stay_escapes(content, text):
    assert read(content) == text
