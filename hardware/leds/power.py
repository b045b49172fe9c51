"""Pixels before they go out: brightness, gamma, and the current that the supply can give. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from hardware.ports import Colour

FULL = 255
CHANNEL_MA = 20.0
"""What one channel of a pixel draws at 255. Source: WS2812B data sheet, rounded up."""
IDLE_MA = 1.0
"""What a pixel draws when it is dark."""
DEFAULT_LIMIT_MA = 2000.0
DEFAULT_GAMMA = 2.2


def current_ma(pixels: Sequence[Colour]) -> float:
    """What a strip that shows these pixels draws, in mA."""
    return IDLE_MA * len(pixels) + CHANNEL_MA / FULL * sum(map(sum, pixels))


def limited(pixels: Sequence[Colour], limit_ma: float = DEFAULT_LIMIT_MA) -> tuple[Colour, ...]:
    """The pixels, all scaled by the same factor so that the strip draws at most `limit_ma`.

    Rounding is downwards, so that the limit holds; a limit below the idle current gives darkness.
    """
    lit_ma = current_ma(pixels) - IDLE_MA * len(pixels)
    spare_ma = max(0.0, limit_ma - IDLE_MA * len(pixels))
    if lit_ma <= spare_ma:
        return tuple(pixels)
    return scaled(pixels, spare_ma / lit_ma)


def scaled(pixels: Sequence[Colour], factor: float) -> tuple[Colour, ...]:
    """The pixels at a brightness of `factor`, 0 to 1, rounded down.

    Raises: ValueError for another factor.
    """
    if not 0.0 <= factor <= 1.0:
        raise ValueError(f"brightness is {factor}, must be 0 to 1")
    return tuple(Colour(int(p.r * factor), int(p.g * factor), int(p.b * factor)) for p in pixels)


@cache
def gamma_table(gamma: float = DEFAULT_GAMMA) -> tuple[int, ...]:
    """For each level 0 to 255 the one that looks so bright to an eye; what is lit stays lit.

    Raises: ValueError for a gamma that is not positive.
    """
    if not gamma > 0.0:
        raise ValueError(f"gamma is {gamma}, must be positive")
    levels = [round((level / FULL) ** gamma * FULL) for level in range(FULL + 1)]
    return (0, *(max(1, level) for level in levels[1:]))


def gamma_corrected(pixels: Sequence[Colour], gamma: float = DEFAULT_GAMMA) -> tuple[Colour, ...]:
    """The pixels with each channel through the table of `gamma`."""
    table = gamma_table(gamma)
    return tuple(Colour(table[p.r], table[p.g], table[p.b]) for p in pixels)


def checked(pixels: Sequence[Colour], length: int) -> tuple[Colour, ...]:
    """The pixels as a tuple, once they are as many as the strip has and each channel is 0 to 255.

    Raises: ValueError.
    """
    if len(pixels) != length:
        raise ValueError(f"{len(pixels)} pixels given, the strip has {length}")
    for n, pixel in enumerate(pixels):
        if not (0 <= pixel[0] <= FULL and 0 <= pixel[1] <= FULL and 0 <= pixel[2] <= FULL):
            raise ValueError(f"pixel {n} is {tuple(pixel)}, each channel must be 0 to {FULL}")
    return tuple(pixels)
