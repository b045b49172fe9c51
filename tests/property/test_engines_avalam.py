"""Avalam under hypothesis: whatever is played, pawns are conserved, and whatever is typed gets an answer."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engines.avalam.board import CELLS, MAX_HEIGHT, PAWNS
from engines.avalam.layout import Phase
from engines.avalam.moves import TowerMove
from engines.errors import EngineError
from engines.perft import perft
from engines.record import Record
from engines.registry import game

AVALAM: Any = game("avalam")

settings_of_games = st.fixed_dictionaries({s.name: st.sampled_from(s.allowed) for s in AVALAM.settings})


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Games of any settings, broken off anywhere."""
    record = Record(AVALAM, draw(settings_of_games))
    rng = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 90))):
        chance = record.position.chance()
        moves = [chance.sample(rng)] if chance else record.position.legal_moves()
        if not moves:
            break
        record.push(moves[rng.randrange(len(moves))])
    return record


@given(records())
def test_pawns_are_conserved_and_towers_keep_their_bounds(record: Record) -> None:
    stacks = AVALAM.stacks(record.positions[0], record.moves)
    position = record.position
    assert sum(position.heights) <= PAWNS
    assert max(position.heights) <= MAX_HEIGHT
    colours = [pawn for stack in stacks.values() for pawn in stack]
    assert len(colours) == sum(position.heights)
    if position.phase is Phase.PLAYING:
        assert (colours.count(0), colours.count(1)) == (24, 24)
    assert {cell: len(stack) for cell, stack in stacks.items()} == {
        cell: height for cell, height in zip(CELLS, position.heights, strict=True) if height
    }


@given(records())
def test_every_tower_move_makes_one_tower_fewer(record: Record) -> None:
    towers = [49 - position.heights.count(0) for position in record.positions]
    for before, after, move in zip(towers, towers[1:], record.moves, strict=False):
        assert isinstance(move, TowerMove) == (after == before - 1)


@given(records(), st.integers(1, 90))
def test_taking_back_gives_what_was(record: Record, plies: int) -> None:
    plies = min(plies, len(record.moves))
    if not plies:
        return
    shorter = Record.replay(AVALAM, record.move_texts[:-plies], record.settings)
    taken = record.pop(plies)
    assert record == shorter
    assert record.positions == shorter.positions
    assert len(taken) == plies


@given(records())
def test_positions_and_moves_round_trip(record: Record) -> None:
    for position in record.positions[-3:]:
        assert AVALAM.parse_position(AVALAM.format_position(position)) == position
        for move in position.legal_moves():
            assert AVALAM.parse_move(AVALAM.format_move(move, position), position) == move


@given(records())
def test_a_record_says_all(record: Record) -> None:
    assert Record.from_dict(record.to_dict()) == record


@given(records())
def test_the_half_turn_changes_no_count(record: Record) -> None:
    position = record.position
    if position.phase is not Phase.PLAYING:
        return
    ranks, rest = AVALAM.format_position(position).split(" ")
    towers = [ranks.replace("/", "")[at : at + 2] for at in range(0, 98, 2)][::-1]
    widths = [len(rank) // 2 for rank in ranks.split("/")][::-1]
    turned = "/".join("".join(towers[sum(widths[:row]) :][:width]) for row, width in enumerate(widths))
    assert perft(AVALAM.parse_position(f"{turned} {rest}"), 2) == perft(position, 2)


def tried(function: Callable[..., Any], *arguments: Any) -> tuple[Any, str]:
    """What the function gives and no error, or None and what the engine says against it."""
    try:
        return function(*arguments), ""
    except EngineError as error:
        return None, str(error)


@given(st.one_of(st.text(max_size=60), st.text(alphabet="abcdefghi123456789RB-/rb", max_size=60)))
def test_any_text_is_a_move_or_refused_in_one_line(text: str) -> None:
    for setup in ("standard", "free", "random"):
        position = AVALAM.initial(setup=setup)
        move, error = tried(AVALAM.parse_move, text, position)
        if error:
            assert len(error.splitlines()) == 1
        else:
            assert AVALAM.format_move(move, position) == text


start_text = AVALAM.format_position(AVALAM.initial())


@given(
    st.integers(0, len(start_text)),
    st.integers(0, 6),
    st.text(alphabet="rb-/0123456789 ;=afinesov", max_size=6),
    st.sampled_from(["", ";tiebreak=fives", ";setup=free", ";setup=random", ";x=y"]),
)
def test_any_damage_to_a_position_is_refused_or_harmless(at: int, cut: int, put: str, fields: str) -> None:
    text = start_text[:at] + put + start_text[at + cut :] + fields
    position, error = tried(AVALAM.parse_position, text)
    if error:
        assert len(error.splitlines()) == 1
    else:
        assert AVALAM.parse_position(AVALAM.format_position(position)) == position
        assert sum(position.heights) <= PAWNS
