"""A plain PDF of lines of text: Helvetica, one column, as many pages as it takes."""

_LINES_A_PAGE = 48
_HEADER = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
_CATALOG, _PAGES, _FONT, _FIRST_PAGE = 1, 2, 3, 4


def pdf_of(text: str) -> bytes:
    """Return a PDF that shows `text`, line by line."""
    lines = text.splitlines()
    pages = [lines[start : start + _LINES_A_PAGE] for start in range(0, len(lines), _LINES_A_PAGE)] or [[]]
    numbers = range(_FIRST_PAGE, _FIRST_PAGE + 2 * len(pages), 2)
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in zip(numbers, pages, strict=True):
        objects += [_page(number + 1), _content(page)]
    return _file(objects)


def _page(content: int) -> bytes:
    return (
        f"<< /Type /Page /Parent {_PAGES} 0 R /MediaBox [0 0 595 842] /Contents {content} 0 R "
        f"/Resources << /Font << /F1 {_FONT} 0 R >> >> >>"
    ).encode()


def _content(lines: list[str]) -> bytes:
    shown = b"\n".join(b"(" + _escaped(line) + b") Tj T*" for line in lines)
    stream = b"BT /F1 10 Tf 15 TL 56 780 Td\n" + shown + b"\nET"
    return f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream"


def _escaped(line: str) -> bytes:
    for character in "\\()":
        line = line.replace(character, f"\\{character}")
    return line.encode("cp1252", "replace")


def _file(objects: list[bytes]) -> bytes:
    """Join the objects and add the table of where each begins."""
    body, offsets = bytearray(_HEADER), []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root {_CATALOG} 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    return bytes(body) + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode() + trailer.encode()
