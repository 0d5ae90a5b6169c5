"""A small line over time, as the points of an SVG polyline."""

from collections.abc import Sequence
from dataclasses import dataclass

# The units of the drawing; CSS gives it its size.
WIDTH = 96
HEIGHT = 20
_MARGIN = 2


@dataclass(frozen=True, slots=True)
class Sparkline:
    """The points of a line, and where it ends."""

    points: str
    end_x: float
    end_y: float
    width: int = WIDTH
    height: int = HEIGHT


def sparkline(numbers: Sequence[int]) -> Sparkline | None:
    """Return the line of numbers from zero to their highest, first to last; None where there is nothing to draw."""
    highest = max(numbers, default=0)
    if len(numbers) < 2 or highest <= 0:
        return None
    step = (WIDTH - 2 * _MARGIN) / (len(numbers) - 1)
    drawn = HEIGHT - 2 * _MARGIN
    points = [
        (round(_MARGIN + place * step, 1), round(HEIGHT - _MARGIN - number / highest * drawn, 1))
        for place, number in enumerate(numbers)
    ]
    return Sparkline(" ".join(f"{x:g},{y:g}" for x, y in points), *points[-1])
