"""The session: the record of the game on the board, and what the players must do next.

Pure. Frames and commands go in, effects come out; time arrives inside them.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.core.messages import Entry, Event


@dataclass(frozen=True, slots=True)
class Effects:
    """What a frame or a command led to.

    `entries` must be durable before a view that rests on them is shown. `changed` says that the view
    differs from the one before.
    """

    events: tuple[Event, ...] = ()
    entries: tuple[Entry, ...] = ()
    changed: bool = False
