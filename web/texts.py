"""Texts for people: the message catalogues of `locales/`, one `.po` file a language.

The core speaks in codes with parameters; the keys of the catalogues are such codes (`reason.too_high`)
and never sentences. Adding a language is adding one file: `locales/<tag>/LC_MESSAGES/tablier.po`.
"""

from __future__ import annotations

import gettext
import io
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.messages.pofile import PoFileError, read_po

DOMAIN = "tablier"
FALLBACK = "en"

_FORMS_LISTED = 200
"""Plural rules depend on n modulo 100 at most, and on whether n is small: 0 to 199 shows them all."""

_PLACEHOLDER = re.compile(r"\{(\w+)\}")

_log = logging.getLogger(__name__)

Text = str | tuple[str, ...]
"""A translation; several forms where it depends on a number."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All texts of one language.

    `plural_forms[n]` is the form that the number n takes; for a larger n it is that of `100 + n % 100`.
    """

    tag: str
    name: str
    messages: Mapping[str, Text]
    plural_forms: tuple[int, ...]

    def text(self, key: str, params: Sequence[object] | Mapping[str, object] = ()) -> str:
        """The text of `key` with its parameters put in: `{0}` by order, `{name}` by name.

        A key without a text is returned as it is; a form that depends on a number takes the one under `n`.
        """
        found = self.messages.get(key, key)
        named = dict(params) if isinstance(params, Mapping) else {str(i): p for i, p in enumerate(params)}
        if not isinstance(found, str):
            found = found[self._form(named.get("n", 0))]
        return _PLACEHOLDER.sub(lambda hit: str(named.get(hit[1], hit[0])), found)

    def _form(self, number: object) -> int:
        n = number if isinstance(number, int) else 0
        return self.plural_forms[n if n < _FORMS_LISTED else 100 + n % 100]

    def to_json(self) -> dict[str, Any]:
        """What the page gets."""
        return {
            "lang": self.tag,
            "name": self.name,
            "plural_forms": list(self.plural_forms),
            "messages": dict(self.messages),
        }


def parse_catalogue(data: bytes, tag: str) -> Catalogue:
    """The catalogue in the bytes of a `.po` file; texts that are empty or fuzzy are left out.

    Raises: ValueError for a file that is damaged, or a tag that is no language.
    """
    try:
        locale = Locale.parse(tag, sep="-")
        catalog = read_po(io.BytesIO(data), locale=str(locale), abort_invalid=True)
        form_of = gettext.c2py(catalog.plural_expr)
    except (UnknownLocaleError, PoFileError, UnicodeDecodeError) as error:
        raise ValueError(f"{tag}: {error}") from error
    messages: dict[str, Text] = {}
    for message in catalog:
        if not message.id or message.fuzzy:
            continue
        key = message.id if isinstance(message.id, str) else message.id[0]
        string = message.string or ""
        text = string if isinstance(string, str) else tuple(string)
        if text if isinstance(text, str) else all(text):
            messages[key] = text
    forms = tuple(form_of(n) for n in range(_FORMS_LISTED))
    return Catalogue(tag, locale.get_display_name() or tag, messages, forms)


class Catalogues:
    """The catalogues of all languages; what one lacks it takes from the English one."""

    def __init__(self, found: Sequence[Catalogue]) -> None:
        fallback = next(c for c in found if c.tag == FALLBACK)
        self._by_tag = {c.tag: _completed(c, fallback) for c in sorted(found, key=lambda c: c.tag)}

    @property
    def languages(self) -> dict[str, str]:
        """Tags and the languages' own names, sorted by tag."""
        return {tag: catalogue.name for tag, catalogue in self._by_tag.items()}

    def get(self, tag: str) -> Catalogue | None:
        """The catalogue with exactly this tag."""
        return self._by_tag.get(tag)

    def negotiate(self, accept_language: str | None) -> Catalogue:
        """The catalogue that suits an `Accept-Language` header best; English if none does.

        Source: RFC 9110 section 12.5.4, with the lookup of RFC 4647 section 3.4.
        """
        for tag in _wanted(accept_language or ""):
            while tag:
                found = next((c for own, c in self._by_tag.items() if own.lower() == tag), None)
                if found is not None:
                    return found
                tag = tag.rpartition("-")[0]
        return self._by_tag[FALLBACK]


def _completed(catalogue: Catalogue, fallback: Catalogue) -> Catalogue:
    singulars = {k: v for k, v in fallback.messages.items() if isinstance(v, str)}
    return Catalogue(
        catalogue.tag, catalogue.name, singulars | dict(catalogue.messages), catalogue.plural_forms
    )


def _wanted(header: str) -> list[str]:
    """The tags of an `Accept-Language` header, the most wanted first; unreadable parts are left out."""
    weighted: list[tuple[float, str]] = []
    for part in header[:500].split(","):
        tag, _, quality = part.strip().partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if tag and 0 < weight <= 1:
            weighted.append((weight, tag.strip().lower()))
    return [tag for _, tag in sorted(weighted, key=lambda entry: -entry[0])]


def load_catalogues() -> Catalogues:
    """The catalogues that come with the program. A damaged one is left out and named in the log."""
    found: list[Catalogue] = []
    for folder in sorted((resources.files("web") / "locales").iterdir(), key=lambda entry: entry.name):
        source = folder / "LC_MESSAGES" / f"{DOMAIN}.po"
        if source.is_file():
            found += _loaded(source, folder.name.replace("_", "-"))
    return Catalogues(found)


def _loaded(source: Traversable, tag: str) -> list[Catalogue]:
    try:
        return [parse_catalogue(source.read_bytes(), tag)]
    except ValueError as error:
        if tag == FALLBACK:
            raise
        _log.warning("catalogue left out: %s", error)
        return []
