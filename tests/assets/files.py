"""Files of papers, made for tests."""

import gzip
import io
import tarfile
from pathlib import Path

PROSE = "We describe a method that aligns the listing of papers with their sources, and measure how well it does. " * 5


def document(body: str = PROSE, preamble: str = "") -> bytes:
    return f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n".encode()


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, size
    return info


def tar(*files: tuple[str, bytes] | tarfile.TarInfo) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for file in files:
            if isinstance(file, tarfile.TarInfo):
                archive.addfile(file)
            else:
                archive.addfile(member(file[0], size=len(file[1])), io.BytesIO(file[1]))
    return out.getvalue()


def gz(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)  # always the same bytes, since they become names of tests


def tar_gz(*files: tuple[str, bytes] | tarfile.TarInfo) -> bytes:
    return gz(tar(*files))


def write_tree(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def pdf(*pages: str) -> bytes:
    """A small valid PDF with one line of text for every 90 characters."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(pages)))
    objects.append(f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>")
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for index, text in enumerate(pages):
        lines = [text[start : start + 90] for start in range(0, len(text), 90)]
        stream = "\n".join(f"BT /F1 9 Tf 40 {760 - 12 * row} Td ({line}) Tj ET" for row, line in enumerate(lines))
        page = f"/MediaBox [0 0 612 792] /Contents {5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >>"
        objects += [
            f"<< /Type /Page /Parent 2 0 R {page} >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    out, offsets = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return f"{out}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode("latin-1")
