"""Settings: checked, completed, and read from a command line."""

from __future__ import annotations

import pytest

from engines.base import Setting
from engines.errors import NotationError, SettingError
from engines.registry import game
from engines.settings import parse_assignments, resolve_settings, starting_position

AVALAM = game("avalam")
DECLARED = (Setting("size", ("5", "7")), Setting("colour", ("red", "blue")))


def test_what_is_not_given_has_its_default_in_the_order_declared() -> None:
    resolved = resolve_settings("toy", DECLARED, {"colour": "blue"})
    assert list(resolved.items()) == [("size", "5"), ("colour", "blue")]


def test_unknown_names_and_values_say_what_there_is() -> None:
    with pytest.raises(SettingError, match="toy has no setting 'sise'; it has size, colour"):
        resolve_settings("toy", DECLARED, {"sise": "5"})
    with pytest.raises(SettingError, match="plain has no setting 'size'; it has none"):
        resolve_settings("plain", (), {"size": "5"})
    with pytest.raises(SettingError, match="toy: size cannot be '6'; allowed are 5, 7"):
        resolve_settings("toy", DECLARED, {"size": "6"})


def test_assignments() -> None:
    assert parse_assignments(["size=5", "note=a=b"]) == {"size": "5", "note": "a=b"}
    assert parse_assignments([]) == {}


@pytest.mark.parametrize("text", ["size", "=5", "size=", "=", ""])
def test_what_is_no_assignment(text: str) -> None:
    with pytest.raises(SettingError, match="is no setting; write key=value"):
        parse_assignments([text])


def test_a_key_that_comes_twice() -> None:
    with pytest.raises(SettingError, match="'size' is given twice"):
        parse_assignments(["size=5", "size=7"])


def test_starting_positions() -> None:
    assert starting_position(AVALAM) == starting_position(AVALAM, "start") == AVALAM.initial()
    black = AVALAM.initial(first="black", tiebreak="fives")
    assert starting_position(AVALAM, None, {"first": "black", "tiebreak": "fives"}) == black
    text = AVALAM.format_position(AVALAM.initial(first="black"))
    assert starting_position(AVALAM, text, {"tiebreak": "fives"}) == black
    with pytest.raises(SettingError, match="avalam has no setting 'size'"):
        starting_position(AVALAM, text, {"size": "5"})
    with pytest.raises(NotationError):
        starting_position(AVALAM, "nowhere")
