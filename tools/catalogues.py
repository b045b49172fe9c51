"""Checks the message catalogues: every language says everything, and the code asks for nothing else.

    python tools/catalogues.py [FOLDER]

Keys are codes such as `reason.too_high`. One line a fault; exits with 1 if there are any.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po

_REFERENCE = "en"
_FILE = "LC_MESSAGES/tablier.po"
_PLACEHOLDER = re.compile(r"\{\w+\}")

_KEY = r"[a-z][a-z0-9_]*(?:\.[\w-]+)+"
_PAGE_ASKS = re.compile(rf"""\bt\(\s*"({_KEY})"|\bdata-t(?:-label|-title)?="([^"]+)\"""")
_MENTIONS = re.compile(rf"""["'`]({_KEY})["'`]""")
_TEMPLATES = re.compile(r"""(?:`|f")([a-z][a-z0-9_]*\.[^`"\s]*\{[^`"\s]*)(?:`|")""")
_REASONS = re.compile(r"""\bReason\(\s*"([a-z_]+)\"""")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the code asks of the catalogues, each with the file that asks."""

    keys: Mapping[str, str]
    """Keys that must have a text."""
    mentioned: Mapping[str, str]
    """Words that look like keys; they are, if their first part is that of a key."""
    patterns: tuple[re.Pattern[str], ...]
    """Keys that are put together; what these match is in use."""


def read_catalogue(path: Path) -> dict[str, Message]:
    """The messages of a `.po` file by key. Raises: PoFileError."""
    with path.open("rb") as file:
        catalog: Catalog = read_po(file, abort_invalid=True)
    return {_key(message): message for message in catalog if message.id}


def read_asked(root: Path) -> Asked:
    """What the sources below `root` ask for."""
    keys: dict[str, str] = {}
    mentioned: dict[str, str] = {}
    patterns: list[re.Pattern[str]] = []
    for path in _sources(root):
        where = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        keys.update({f"reason.{code}": where for code in _REASONS.findall(text)})
        if not where.startswith("web/"):
            continue
        keys.update({one or other: where for one, other in _PAGE_ASKS.findall(text)})
        mentioned.update(dict.fromkeys(_MENTIONS.findall(text), where))
        patterns += [_pattern(template) for template in _TEMPLATES.findall(text)]
    return Asked(keys, mentioned, tuple(patterns))


def faults(catalogues: Mapping[str, Mapping[str, Message]], asked: Asked) -> Iterator[str]:
    """Everything that is wrong, one line each. `catalogues` holds the messages of each language by key."""
    reference = catalogues.get(_REFERENCE, {})
    groups = {key.partition(".")[0] for key in reference}
    wanted = dict(asked.keys)
    wanted.update({k: w for k, w in asked.mentioned.items() if k.partition(".")[0] in groups})
    for key, where in sorted(wanted.items()):
        if key not in reference:
            yield f"{_REFERENCE}: {key} has no text, but {where} asks for it"
    for key in sorted(reference):
        if key not in wanted and not any(pattern.fullmatch(key) for pattern in asked.patterns):
            yield f"{_REFERENCE}: {key} has a text, but nothing asks for it"
    for tag, messages in sorted(catalogues.items()):
        yield from (f"{tag}: {key} is missing" for key in sorted(reference.keys() - messages.keys()))
        for key, message in sorted(messages.items()):
            yield from (f"{tag}: {key} {fault}" for fault in _faults_of(message, reference.get(key)))


def main(arguments: list[str]) -> int:
    """Print the faults of the catalogues; the exit status."""
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[1]
    found = sorted((root / "web/locales").glob(f"*/{_FILE}"))
    try:
        catalogues = {path.parts[-3]: read_catalogue(path) for path in found}
    except PoFileError as error:
        print(f"a catalogue cannot be read: {error}", file=sys.stderr)
        return 1
    if _REFERENCE not in catalogues:
        print(f"there is no web/locales/{_REFERENCE}/{_FILE}", file=sys.stderr)
        return 1
    lines = list(faults(catalogues, read_asked(root)))
    print("\n".join(lines) or f"{', '.join(catalogues)}: {len(catalogues[_REFERENCE])} texts each")
    return 1 if lines else 0


def _faults_of(message: Message, reference: Message | None) -> Iterator[str]:
    if reference is None:
        yield f"is not in {_REFERENCE}"
        return
    if message.fuzzy:
        yield "is marked as fuzzy"
    forms = _forms(message)
    if not all(forms):
        yield "has no text"
        return
    if message.pluralizable != reference.pluralizable:
        yield f"depends on a number here or in {_REFERENCE}, not in both"
    expected = {name for form in _forms(reference) for name in _PLACEHOLDER.findall(form)}
    found = {name for form in forms for name in _PLACEHOLDER.findall(form)}
    if found != expected:
        yield f"has the parameters {_listed(found)}, in {_REFERENCE} {_listed(expected)}"


def _forms(message: Message) -> tuple[str, ...]:
    string = message.string
    return (string or "",) if isinstance(string, str | None) else tuple(string)


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _listed(names: set[str]) -> str:
    return " ".join(sorted(names)) or "none"


def _sources(root: Path) -> Iterator[Path]:
    for folder in ("controller", "engines", "hardware", "web"):
        yield from sorted(p for p in (root / folder).rglob("*") if p.suffix in (".py", ".js", ".html"))


def _pattern(template: str) -> re.Pattern[str]:
    """What keys a template such as `value.${game}.${name}` makes."""
    fixed = re.split(r"\$?\{[^}]*\}", template)
    return re.compile(r"[\w.-]+".join(re.escape(part) for part in fixed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
