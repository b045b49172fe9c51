"""Who may control the board and who only watches: the one place that decides it.

Whoever reaches the page from a name that belongs to this board (see `guard`) may control it today.
Pairing codes, seats or read-only links belong here: give `create_app` another `Access`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks: the address the connection comes from, and the headers and cookies it brought."""

    address: str | None
    headers: Mapping[str, str]
    cookies: Mapping[str, str]


class Access(Protocol):
    """Decides what a visitor may do. Called once a request and once a WebSocket connection."""

    def may_control(self, visitor: Visitor) -> bool:
        """Whether commands and the hand of this visitor are obeyed; everybody else only watches."""
        ...

    def may_inspect(self, visitor: Visitor) -> bool:
        """Whether this visitor may see what the sensors read, and record it."""
        ...


class EverybodyControls:
    """Everybody who may see the page may also control the board: people around one table."""

    def may_control(self, visitor: Visitor) -> bool:  # noqa: ARG002 - part of the protocol
        """Always."""
        return True

    def may_inspect(self, visitor: Visitor) -> bool:  # noqa: ARG002
        """Always: the pieces lie open, so that the sensors know nothing that the players do not."""
        return True
