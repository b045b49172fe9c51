"""Messages as JSON, and commands from people who may send anything."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.messages import (
    COMMANDS,
    Amended,
    Answer,
    Asked,
    Calibrate,
    Choose,
    Command,
    Confirm,
    DeclineDraw,
    Draw,
    EndCalibration,
    Entry,
    Lifted,
    Mismatch,
    Moved,
    NewGame,
    Notice,
    PlaceFault,
    Refused,
    Resign,
    Restored,
    SkipPlace,
    TakeBack,
    TakenBack,
    Task,
    parse_command,
    to_json,
)
from engines.base import Reason
from tests.fakes.session import first_view

EXAMPLES: list[Command] = [
    TakeBack(),
    TakeBack(3),
    Resign(1),
    Draw(0),
    DeclineDraw(1),
    NewGame(),
    NewGame({"first": "black"}),
    Answer("c9d8"),
    Confirm(),
    Choose(1),
    Calibrate(),
    Calibrate("setup"),
    SkipPlace(),
    EndCalibration(),
]


@pytest.mark.parametrize(
    ("event", "data"),
    [
        (Moved(5, "c9d8"), {"event": "move", "t_ms": 5, "move": "c9d8"}),
        (Amended(5, "c9d8"), {"event": "amend", "t_ms": 5, "move": "c9d8"}),
        (TakenBack(5, "c9d8"), {"event": "takeback", "t_ms": 5, "move": "c9d8"}),
        (
            Refused(6, Reason("too_high", (4, 2)), ("c9", "d8")),
            {
                "event": "illegal",
                "t_ms": 6,
                "reason": {"code": "too_high", "params": [4, 2]},
                "cells": ["c9", "d8"],
            },
        ),
        (Restored(7), {"event": "restored", "t_ms": 7}),
        (Asked(8, ("a", "b")), {"event": "ask", "t_ms": 8, "moves": ["a", "b"]}),
        (Lifted(9, None), {"event": "lift", "t_ms": 9, "cell": None}),
        (
            Mismatch(9, ("a",), (), (("b", "c"),)),
            {"event": "mismatch", "t_ms": 9, "missing": ["a"], "extra": [], "moved": [["b", "c"]]},
        ),
        (PlaceFault(9, "c9", "dead"), {"event": "place", "t_ms": 9, "cell": "c9", "fault": "dead"}),
    ],
)
def test_events_say_their_kind_first(event: Any, data: dict[str, Any]) -> None:
    assert to_json(event) == data
    assert next(iter(to_json(event))) == "event"


def test_other_messages_are_their_fields() -> None:
    assert to_json(Task("move", "c9", "d8", 1, 2)) == {
        "kind": "move",
        "cell": "c9",
        "origin": "d8",
        "owner": 1,
        "height": 2,
    }
    assert to_json(Notice(Reason("x"), ("c9",))) == {
        "reason": {"code": "x", "params": []},
        "cells": ["c9"],
    }
    assert to_json(Entry("move", {"move": "c9d8"})) == {"kind": "move", "data": {"move": "c9d8"}}


class _Letter(Enum):
    A = "a"


@dataclass(frozen=True)
class _Holder:
    letter: _Letter
    numbers: tuple[int, ...]


def test_enums_are_their_values_and_keys_are_texts() -> None:
    assert to_json({1: _Letter.A, "x": [(1, 2), {"y": None}]}) == {"1": "a", "x": [[1, 2], {"y": None}]}
    assert to_json(_Holder(_Letter.A, (1,))) == {"letter": "a", "numbers": [1]}
    assert to_json(_Holder) is _Holder, "a class is no message"
    assert to_json(2.5) == 2.5


def test_a_view_is_json() -> None:
    data = json.loads(json.dumps(to_json(first_view())))
    assert data["phase"] == "play"
    assert data["stacks"]["c9"] == [0]
    assert set(data) >= {"moves", "lights", "tasks", "question", "outcome", "unknown", "masked"}


# ---------------------------------------------------------------- commands


@pytest.mark.parametrize("command", EXAMPLES, ids=str)
def test_a_command_is_read_back(command: Command) -> None:
    data = json.loads(json.dumps(to_json(command)))
    assert parse_command(data) == command
    assert parse_command(data | {"id": "x7"}) == command


def test_every_command_has_an_example() -> None:
    assert {type(command) for command in EXAMPLES} == set(COMMANDS.values())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "a command is a JSON object with the key 'command'"),
        ([], "a command is a JSON object with the key 'command'"),
        ("takeback", "a command is a JSON object with the key 'command'"),
        ({}, "unknown command None; allowed: takeback, resign, draw"),
        ({"command": 3}, "unknown command 3; allowed: takeback"),
        ({"command": "event"}, "unknown command 'event'; allowed: takeback"),
        ({"command": "__class__"}, "unknown command '__class__'; allowed: takeback"),
        ({"command": ["resign"]}, "unknown command"),
        ({"command": "x" * 41}, "unknown command"),
        ({"command": "resign"}, "resign: missing player"),
        ({"command": "answer", "id": 1}, "answer: missing move"),
        (
            {"command": "resign", "player": "1"},
            "resign.player: must be a whole number from 0 to 1000, not '1'",
        ),
        ({"command": "resign", "player": True}, "resign.player: must be a whole number from 0 to 1000"),
        ({"command": "resign", "player": 1.0}, "resign.player: must be a whole number from 0 to 1000"),
        ({"command": "resign", "player": math.nan}, "resign.player: must be a whole number from 0 to 1000"),
        (
            {"command": "takeback", "plies": -1},
            "takeback.plies: must be a whole number from 0 to 1000, not -1",
        ),
        ({"command": "takeback", "plies": 1001}, "takeback.plies: must be a whole number from 0 to 1000"),
        ({"command": "answer", "move": 5}, "answer.move: must be a text of at most 100 characters"),
        ({"command": "answer", "move": "x" * 101}, "answer.move: must be a text of at most 100 characters"),
        ({"command": "new_game", "settings": []}, "new_game.settings: must be an object of texts"),
        ({"command": "new_game", "settings": {"a": 1}}, "new_game.settings: must be an object of texts"),
        ({"command": "new_game", "settings": {1: "a"}}, "new_game.settings: must be an object of texts"),
        ({"command": "confirm", "move": "c9d8"}, "confirm: unknown key 'move'; allowed: none"),
        ({"command": "draw", "player": 0, "now": 1}, "draw: unknown key 'now'; allowed: player"),
    ],
)
def test_what_is_wrong_with_a_command_is_said_in_one_line(data: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}") as caught:
        parse_command(data)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("number", [0, 1000])
def test_the_limits_of_a_number_are_allowed(number: int) -> None:
    assert parse_command({"command": "takeback", "plies": number}) == TakeBack(number)
    assert parse_command({"command": "answer", "move": "x" * 100}) == Answer("x" * 100)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(["command", "player", "plies", "move", "settings", "id"]) | st.text()


@given(st.dictionaries(KEYS, JSON | st.sampled_from(sorted(COMMANDS))) | JSON)
def test_anything_is_a_command_or_an_error_of_one_line(data: Any) -> None:
    said = ""
    try:
        command = parse_command(data)
    except ValueError as error:
        said = str(error)
    else:
        assert type(command) in COMMANDS.values()
    assert "\n" not in said
