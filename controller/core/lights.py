"""The light language: what each light means, and how it looks at a moment.

One meaning, one colour and one rhythm, so that a board also reads without colour. Pure: the session
says which meaning lies under which cell, `render` says what the strip shows of it at `t_ms`.
Colours are for the eye (sRGB); gamma and the power limit belong to the strip and come after this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from math import cos, tau

from hardware.ports import BLACK, Colour


class Meaning(Enum):
    """What a light says."""

    LIFTED = "lifted"
    """The piece in the hand was lifted from here."""
    TARGET = "target"
    """It may go here."""
    CHOOSE = "choose"
    """One of these was meant: say which."""
    FROM = "from"
    """Make this move: from here"""
    TO = "to"
    """to there."""
    LAST = "last"
    """The last move went here."""
    REMOVE = "remove"
    """Take this piece away."""
    PLACE_FIRST = "place_first"
    """A piece of the first player is missing here."""
    PLACE_SECOND = "place_second"
    """A piece of the second player is missing here."""
    WRONG = "wrong"
    """This is wrong: put it back, put it right."""
    HINT = "hint"
    """A hint that was asked for."""
    MASKED = "masked"
    """The board cannot see this place."""


class Palette(Enum):
    """Colours for eyes that see them all, or that confuse red with green or blue with yellow."""

    DEFAULT = "default"
    RED_GREEN = "red_green"
    BLUE_YELLOW = "blue_yellow"


@dataclass(frozen=True, slots=True)
class Look:
    """How the lights look: the settings of the people at the board. Levels are from 0 to 1."""

    palette: Palette = Palette.DEFAULT
    brightness: float = 1.0
    night: bool = False
    night_brightness: float = 0.35

    @property
    def level(self) -> float:
        """The brightness that holds now."""
        return min(self.brightness, self.night_brightness) if self.night else self.brightness


_COLOURS: Mapping[Meaning, Colour] = {
    Meaning.LIFTED: Colour(255, 255, 255),
    Meaning.TARGET: Colour(0, 255, 0),
    Meaning.CHOOSE: Colour(255, 200, 0),
    Meaning.FROM: Colour(0, 60, 255),
    Meaning.TO: Colour(0, 60, 255),
    Meaning.LAST: Colour(0, 24, 100),
    Meaning.REMOVE: Colour(255, 110, 0),
    Meaning.PLACE_FIRST: Colour(255, 190, 110),
    Meaning.PLACE_SECOND: Colour(255, 0, 200),
    Meaning.WRONG: Colour(255, 0, 0),
    Meaning.HINT: Colour(0, 255, 255),
    Meaning.MASKED: Colour(140, 0, 255),
}

# Only what shares its rhythm with another meaning has to change: the rest reads by its rhythm.
_PALETTES: Mapping[Palette, Mapping[Meaning, Colour]] = {
    Palette.DEFAULT: _COLOURS,
    Palette.RED_GREEN: {
        **_COLOURS,
        Meaning.TARGET: Colour(0, 210, 255),
        Meaning.HINT: Colour(170, 255, 200),
        Meaning.PLACE_FIRST: Colour(255, 200, 60),
        Meaning.PLACE_SECOND: Colour(230, 60, 160),
    },
    Palette.BLUE_YELLOW: {
        **_COLOURS,
        Meaning.TO: Colour(0, 110, 140),
        Meaning.FROM: Colour(0, 110, 140),
        Meaning.LAST: Colour(0, 35, 55),
        Meaning.PLACE_SECOND: Colour(255, 0, 90),
    },
}

_TURN_MS = 1000
_HALF_MS = 500
_FASTEST_MS = 500
_SLOW_MS = 2000
_REMINDER_MS = 3000
_BLINK_MS = 120  # three scans at 25 a second, so that no blink falls between two of them
_DIMMEST = 0.2


def _steady(_phase_ms: int, _rank: int) -> float:
    return 1.0


def _wave(phase_ms: int, period_ms: int) -> float:
    """From full at the beginning down to the dimmest and back."""
    return _DIMMEST + (1 - _DIMMEST) * (1 + cos(tau * phase_ms / period_ms)) / 2


def _breathing(phase_ms: int, _rank: int) -> float:
    return _wave(phase_ms, _TURN_MS)


def _slow_pulse(phase_ms: int, _rank: int) -> float:
    return _wave(phase_ms, _SLOW_MS)


def _alternating(phase_ms: int, rank: int) -> float:
    """Every other light is on while its neighbours in the list are off."""
    first_half = phase_ms % _FASTEST_MS < _FASTEST_MS // 2
    return float(first_half == (rank % 2 == 0))


def _slow_blink(phase_ms: int, _rank: int) -> float:
    return float(phase_ms % _TURN_MS < _HALF_MS)


def _double_blink(phase_ms: int, _rank: int) -> float:
    part = phase_ms % _TURN_MS // _BLINK_MS
    return float(part in (0, 2))


def _short_blink(phase_ms: int, _rank: int) -> float:
    return float(phase_ms % _REMINDER_MS < _BLINK_MS)


RHYTHMS: Mapping[Meaning, Callable[[int, int], float]] = {
    Meaning.LIFTED: _breathing,
    Meaning.TARGET: _steady,
    Meaning.CHOOSE: _alternating,
    Meaning.FROM: _breathing,
    Meaning.TO: _steady,
    Meaning.LAST: _steady,
    Meaning.REMOVE: _slow_blink,
    Meaning.PLACE_FIRST: _steady,
    Meaning.PLACE_SECOND: _steady,
    Meaning.WRONG: _double_blink,
    Meaning.HINT: _slow_pulse,
    Meaning.MASKED: _short_blink,
}
"""The level of a meaning from 0 to 1, from the time since it began and its rank among its like."""


def colour_of(meaning: Meaning, palette: Palette = Palette.DEFAULT) -> Colour:
    """The colour of a meaning at full level."""
    return _PALETTES[palette][meaning]


def beginnings(
    before: Mapping[Meaning, int], lights: Mapping[int, Meaning], t_ms: int
) -> Mapping[Meaning, int]:
    """When each meaning that is shown now began: what `render` takes as `since`.

    A rhythm starts with the first light of its meaning, so that it is bright at once and all lights
    of one meaning keep step.
    """
    return {meaning: before.get(meaning, t_ms) for meaning in set(lights.values())}


def render(
    lights: Mapping[int, Meaning],
    t_ms: int,
    length: int,
    look: Look | None = None,
    since: Mapping[Meaning, int] | None = None,
) -> tuple[Colour, ...]:
    """What a strip of `length` pixels shows at `t_ms`; `lights` holds meanings by pixel number.

    Raises: ValueError for a pixel that the strip does not have.
    """
    look, since = look or Look(), since or {}
    pixels = [BLACK] * length
    ranks = dict.fromkeys(Meaning, 0)
    for pixel in sorted(lights):
        if not 0 <= pixel < length:
            raise ValueError(f"pixel {pixel} is not on a strip of {length}")
        meaning = lights[pixel]
        level = RHYTHMS[meaning](t_ms - since.get(meaning, 0), ranks[meaning]) * look.level
        pixels[pixel] = _scaled(colour_of(meaning, look.palette), level)
        ranks[meaning] += 1
    return tuple(pixels)


def _scaled(colour: Colour, level: float) -> Colour:
    """The colour at a level; a channel that is lit stays lit at every level above 0."""
    if level <= 0:
        return BLACK
    return Colour(*(max(1, round(channel * level)) if channel else 0 for channel in colour))
