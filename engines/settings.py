"""Settings of a game: checked against what the game declares, completed with its defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engines.base import Game, Setting
from engines.errors import SettingError

START = "start"
"""The text that stands for the position in which a game begins."""


def resolve_settings(game_name: str, declared: Sequence[Setting], given: Mapping[str, str]) -> dict[str, str]:
    """All settings in the order declared, those not given at their defaults.

    Raises: SettingError for an unknown name or a value that is not allowed, saying what is.
    """
    names = [setting.name for setting in declared]
    for name in given:
        if name not in names:
            raise SettingError(f"{game_name} has no setting {name!r}; it has {', '.join(names) or 'none'}")
    return {setting.name: _checked(game_name, setting, given) for setting in declared}


def _checked(game_name: str, setting: Setting, given: Mapping[str, str]) -> str:
    value = given.get(setting.name, setting.default)
    if value not in setting.allowed:
        allowed = ", ".join(setting.allowed)
        raise SettingError(f"{game_name}: {setting.name} cannot be {value!r}; allowed are {allowed}")
    return value


def parse_assignments(texts: Iterable[str]) -> dict[str, str]:
    """The settings written as `key=value`, as a command line gives them.

    Raises: SettingError for a text of another form or a key that comes twice.
    """
    found: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not (key and equals and value):
            raise SettingError(f"{text!r} is no setting; write key=value, e.g. tiebreak=fives")
        if key in found:
            raise SettingError(f"setting {key!r} is given twice")
        found[key] = value
    return found


def starting_position(game: Game, text: str | None = None, settings: Mapping[str, str] | None = None) -> Any:
    """The position `text` of `game`; its initial one where `text` is None or `start`.

    Raises: SettingError, NotationError, InvalidPositionError.
    """
    given = resolve_settings(game.name, game.settings, settings or {})
    if text is None or text == START:
        return game.initial(**given)
    return game.parse_position(text, **given)
