"""Every pair of ink and ground that the styles use can be read in both themes (WCAG 2, level AA)."""

import re
from pathlib import Path

import pytest

STYLES = Path(__file__).resolve().parents[2] / "static/css/site"
USING_THEM = sorted(path.name for path in STYLES.glob("*.css") if path.name != "tokens.css")
TEXT, EDGE = 4.5, 3.0
PAIRS = [
    *((ink, ground, TEXT) for ink in ("ink", "ink-quiet", "accent") for ground in ("ground", "ground-raised")),
    ("on-accent", "accent", TEXT),
    ("accent", "accent-ground", TEXT),
    ("warning", "warning-ground", TEXT),
    ("warning", "ground", TEXT),
    ("ink", "mark-ground", TEXT),
    ("line-strong", "ground", EDGE),
]


def colours() -> dict[str, tuple[str, str]]:
    pattern = r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);"
    found = re.findall(pattern, (STYLES / "tokens.css").read_text("utf-8"))
    return {name: (light, dark) for name, light, dark in found}


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_a_pair_can_be_read(theme, ink, ground, least):
    both = sorted((luminance(colours()[name][theme]) for name in (ink, ground)), reverse=True)
    assert (both[0] + 0.05) / (both[1] + 0.05) >= least


@pytest.mark.parametrize("style", USING_THEM)
def test_only_the_tokens_name_a_colour(style):
    text = (STYLES / style).read_text("utf-8")
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch)\(|gradient\(|box-shadow: 0 0", text)


@pytest.mark.parametrize("style", USING_THEM)
def test_every_token_that_is_used_is_defined(style):
    defined = set(re.findall(r"(--[\w-]+):", (STYLES / "tokens.css").read_text("utf-8")))
    assert set(re.findall(r"var\((--[\w-]+)", (STYLES / style).read_text("utf-8"))) <= defined
