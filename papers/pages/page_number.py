"""The number of a page, as it stands in an address."""

# No list of this site has more pages than that.
_MOST_DIGITS = 6


def page_number(text: str) -> int:
    """Return the page that `text` names, counted from 1; whatever is no number stands for the first."""
    # Bounded before it is read: Python refuses to read a number of thousands of digits.
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else 1
