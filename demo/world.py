"""The recorded world: what its days list, what its arXiv knows, and each paper's source or PDF."""

import gzip
import hashlib
import io
import json
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

from demo.pdf import pdf_of

FOLDER = Path(__file__).with_name("world")


def days() -> list[str]:
    """Return the days that list papers, the oldest first."""
    return sorted(path.stem for path in (FOLDER / "days").glob("*.json"))


def day_entries(date: str) -> list[dict[str, Any]]:
    """Return the entries of a day, as Hugging Face would list them; none for any other day."""
    return json.loads((FOLDER / "days" / f"{date}.json").read_text("utf-8")) if date in days() else []


@cache
def arxiv_facts() -> dict[str, dict[str, Any]]:
    """Return what arXiv knows, by id."""
    return json.loads((FOLDER / "arxiv.json").read_text("utf-8"))


def source_of(arxiv_id: str) -> bytes | None:
    """Return a paper's source as arXiv packs it: gzip of a single file, else of a tar archive; None without one."""
    if arxiv_id not in arxiv_facts():
        return None
    folder = FOLDER / "sources" / arxiv_id
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not files:
        return None
    content = files[0].read_bytes() if len(files) == 1 else _tar(folder, files)
    return gzip.compress(content, mtime=0)


def _tar(folder: Path, files: list[Path]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for path in files:
            member = tarfile.TarInfo(path.relative_to(folder).as_posix())
            member.size = path.stat().st_size
            archive.addfile(member, io.BytesIO(path.read_bytes()))
    return packed.getvalue()


def printed_pdf_of(arxiv_id: str) -> bytes | None:
    """Return a paper's PDF, or None where this world has none."""
    path = FOLDER / "pdf" / f"{arxiv_id}.txt"
    known = arxiv_id in arxiv_facts() and path.is_file()
    return pdf_of(path.read_text("utf-8")) if known else None


def fingerprint() -> str:
    """Return a hash of everything in this world."""
    digest = hashlib.sha256()
    for path in sorted(path for path in FOLDER.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(FOLDER)}\0".encode() + path.read_bytes())
    return digest.hexdigest()
