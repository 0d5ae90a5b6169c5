"""How much text a paper may have, and how little."""

# About 100,000 tokens of English: a long paper with its appendices has 200,000 characters, a book is cut.
MAX_TEXT_CHARACTERS = 400_000
# Letters. The shortest withdrawal notes and title pages stay below, the shortest real paper (a page) is far above.
MIN_LETTERS = 200


def letters_in(text: str) -> int:
    """Count the letters of any script."""
    return sum(character.isalpha() for character in text)
