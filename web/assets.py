"""The page's files, read once at the start and served from memory.

All files but the page itself live under a folder named after the hash of their contents, so they can
be kept for ever: a new program has new addresses. The page itself is asked for anew each time.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterable, Mapping
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
_STARTED = re.compile(r'<script type="module" src="/static/\{\{build\}\}/([^"]+)"')
_IMPORTED = re.compile(r'^(?:import|export)[^;]*?from "\./([^"]+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Asset:
    """A file with its type, its hash and its zipped form (None where that saves nothing)."""

    name: str
    media_type: str
    body: bytes
    zipped: bytes | None
    etag: str


class Assets:
    """The pages and their files. `build` is the hash of them all and the name of their folder.

    `pages` holds the pages by name; in each, `{{build}}` and `{{modules}}` (hints to load
    all modules that it needs at once) are filled in.
    """

    def __init__(self, files: dict[str, bytes]) -> None:
        pages = {name: files.pop(name) for name in sorted(files) if name.endswith(".html")}
        together = b"".join(name.encode() + b"\0" + files[name] for name in sorted(files))
        self.build = _digest(together, *pages.values())
        self._files = {name: asset(name, body) for name, body in files.items()}
        self.pages = {
            name.removesuffix(".html"): self._page(name, body.decode("utf-8"), files)
            for name, body in pages.items()
        }
        self.page = self.pages[PAGE.removesuffix(".html")]

    def _page(self, name: str, text: str, files: Mapping[str, bytes]) -> Asset:
        modules = "".join(
            f'<link rel="modulepreload" href="/static/{self.build}/{module}">\n'
            for module in sorted(_needed(_STARTED.findall(text), files))
        )
        filled = text.replace("{{modules}}", modules).replace("{{build}}", self.build)
        return asset(name, filled.encode("utf-8"))

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


def _needed(started: Iterable[str], files: Mapping[str, bytes]) -> set[str]:
    """The modules that are loaded when these are, those imported by others too."""
    found: set[str] = set()
    left = list(started)
    while left:
        name = left.pop()
        if name in files and name not in found:
            found.add(name)
            left += _IMPORTED.findall(files[name].decode("utf-8"))
    return found


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
