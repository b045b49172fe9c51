"""The page's files, read once at the start and served from memory.

All files but the page itself live under a folder named after the hash of their contents, so they can
be kept for ever: a new program has new addresses. The page itself is asked for anew each time.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
PAGE = "index.html"
_WORTH_ZIPPING = 256


@dataclass(frozen=True, slots=True)
class Asset:
    """A file with its type, its hash and its zipped form (None where that saves nothing)."""

    name: str
    media_type: str
    body: bytes
    zipped: bytes | None
    etag: str


class Assets:
    """The page and its files. `build` is the hash of them all and the name of their folder."""

    def __init__(self, files: dict[str, bytes]) -> None:
        page = files.pop(PAGE)
        self.build = _digest(b"".join(name.encode() + b"\0" + files[name] for name in sorted(files)), page)
        self._files = {name: asset(name, body) for name, body in files.items()}
        modules = "".join(
            f'<link rel="modulepreload" href="/static/{self.build}/{name}">\n'
            for name in sorted(files)
            if name.endswith(".js") and name != "types.js"
        )
        filled = page.decode("utf-8").replace("{{modules}}", modules).replace("{{build}}", self.build)
        self.page = asset(PAGE, filled.encode("utf-8"))

    def get(self, build: str, name: str) -> Asset | None:
        """The file `name` of this build; None for another build, whose files must not be mixed in."""
        return self._files.get(name) if build == self.build else None

    def named(self, name: str) -> Asset:
        """The file `name` of whatever build this is.

        Raises: KeyError.
        """
        return self._files[name]

    def first_visit_bytes(self) -> int:
        """What a browser that comes for the first time transfers, headers left out."""
        return sum(len(a.zipped or a.body) for a in (self.page, *self._files.values()))


def asset(name: str, body: bytes) -> Asset:
    """The file `name` with what is needed to serve it.

    Raises: KeyError for a kind of file that has no place on the page.
    """
    zipped = gzip.compress(body, mtime=0) if len(body) >= _WORTH_ZIPPING else None
    if zipped is not None and len(zipped) >= len(body):
        zipped = None
    media_type = MEDIA_TYPES[name[name.rindex(".") :]]
    return Asset(name, media_type, body, zipped, f'"{_digest(body)}"')


def load_assets() -> Assets:
    """The page that comes with the program."""
    files: dict[str, bytes] = {}
    _collect(resources.files("web") / "static", "", files)
    return Assets(files)


def _collect(folder: Traversable, prefix: str, files: dict[str, bytes]) -> None:
    for entry in folder.iterdir():
        if entry.is_dir():
            _collect(entry, f"{prefix}{entry.name}/", files)
        elif entry.name[entry.name.rfind(".") :] in MEDIA_TYPES:
            files[prefix + entry.name] = entry.read_bytes()


def _digest(*parts: bytes) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(hashlib.sha256(part).digest())
    return whole.hexdigest()[:16]
