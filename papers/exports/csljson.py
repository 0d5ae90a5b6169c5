"""CSL-JSON, which citation processors and Zotero read.

Fields and types: https://github.com/citation-style-language/schema/blob/v1.0.2/schemas/input/csl-data.json
"""

import json
from collections.abc import Iterable
from typing import Any

from papers.exports.names import PersonName
from papers.exports.reference import Reference


def csljson(references: Iterable[Reference]) -> str:
    """Return the references as a JSON array."""
    return json.dumps([_item(reference) for reference in references], ensure_ascii=False, indent=1) + "\n"


def _item(reference: Reference) -> dict[str, Any]:
    date = reference.date
    item: dict[str, Any] = {
        "id": reference.key,
        # What the schema calls a preprint.
        "type": "article",
        "title": reference.title,
        "author": [_name(name) for name in reference.authors],
        "issued": {"date-parts": [[date.year, date.month, date.day]]},
        "publisher": "arXiv",
        "number": f"arXiv:{reference.arxiv_id}",
        "genre": "Preprint",
        "DOI": reference.doi,
        "URL": reference.url,
        "keyword": ", ".join(keyword.replace(",", " ") for keyword in reference.keywords),
        "abstract": reference.abstract,
        "note": reference.one_line,
    }
    return {name: value for name, value in item.items() if value}


def _name(name: PersonName) -> dict[str, str]:
    parts = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.particle,
        "suffix": name.suffix,
        "literal": name.literal,
    }
    return {part: value for part, value in parts.items() if value}
