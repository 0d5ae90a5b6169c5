"""Archives that no backup makes: what a careless copy or a hostile hand may give to `restore`."""

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from operations.backup.archive import FilesDigest
from operations.backup.manifest import MANIFEST_BYTES
from tests.backup.library import DATABASE

Member = tuple[tarfile.TarInfo, bytes]


def plain(name: str, content: bytes = b"x") -> Member:
    """A plain file."""
    info = tarfile.TarInfo(name)
    info.size = len(content)
    return info, content


def special(name: str, kind: bytes, target: str = "/etc/passwd") -> Member:
    """A link, a device, a folder."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info, b""


def manifest_for(genuine: dict[str, Any], members: Iterable[Member], **changes: Any) -> dict[str, Any]:
    """A manifest that is right for these members, but for what is changed."""
    digest, database = FilesDigest(), genuine["database"]
    for info, content in members:
        if info.name == DATABASE:
            database = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        elif info.name.startswith("papers/"):
            digest.begin(info.name, info.size)
            digest.update(content)
    return {**genuine, "database": database, "files": digest.facts(left_out=0).model_dump(), **changes}


def members_of(archive: Path) -> list[Member]:
    """The members of a genuine archive, without its manifest."""
    with tarfile.open(archive) as tar:
        return [(info, tar.extractfile(info).read()) for info in tar if info.name != "manifest.json"]


def forge(path: Path, manifest: dict[str, Any] | bytes, members: Iterable[Member]) -> Path:
    """Write an archive with this manifest and these members."""
    content = manifest if isinstance(manifest, bytes) else json.dumps(manifest).encode().ljust(MANIFEST_BYTES)
    with tarfile.open(path, "w:gz", format=tarfile.GNU_FORMAT) as tar:
        for info, data in [plain("manifest.json", content), *members]:
            tar.addfile(info, io.BytesIO(data))
    return path


def with_bytes(path: Path, change: Callable[[bytes], bytes]) -> Path:
    """Change the bytes of a file."""
    path.write_bytes(change(path.read_bytes()))
    return path


def packed(content: bytes) -> bytes:
    """Gzip."""
    return gzip.compress(content)
