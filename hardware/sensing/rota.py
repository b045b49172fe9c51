"""Whose turn it is to be checked: a chip or two a scan, in rotation; configuration first, then identity.

A reading that looks like a restart asks for the scan's check at once; if that one shows a restart,
the scan's budget no longer matters and every doubt is looked into.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Generic, TypeVar

T = TypeVar("T")


class Check(Enum):
    """What is looked at."""

    CONFIGURATION = 0
    IDENTITY = 1


class CheckRota(Generic[T]):
    """The checks of successive scans over `posts`, which are told apart by identity."""

    __slots__ = ("_a_scan", "_doubted", "_due", "_left", "_posts", "_step", "_trouble")

    def __init__(self, posts: Sequence[T], checks_a_scan: int) -> None:
        self._posts = posts
        self._a_scan = checks_a_scan
        self._step = 0
        self._left = 0
        self._due: dict[int, Check] = {}
        self._doubted = False
        self._trouble = False

    def begin(self, is_up: Callable[[T], bool]) -> None:
        """A scan begins: choose who is checked in it, unless a doubt of the last scan is still open."""
        self._left = self._a_scan
        self._trouble = False
        self._due.clear()
        if self._doubted:
            self._doubted = False
            return
        for _ in range(len(self._posts)):
            if len(self._due) == self._a_scan:
                break
            lap, turn = divmod(self._step, len(self._posts))
            self._step = (self._step + 1) % (len(Check) * len(self._posts))
            if is_up(self._posts[turn]):
                self._due[id(self._posts[turn])] = Check(lap)

    def grant_turn(self, post: T) -> Check | None:
        """What of `post` is to be checked now, in its turn."""
        if self._left <= 0 or id(post) not in self._due:
            return None
        self._left -= 1
        return self._due.pop(id(post))

    def grant_doubt(self) -> bool:
        """Whether a doubtful reading may be looked into now; else it waits for the next scan."""
        if self._trouble or self._left > 0:
            self._left -= 1
            return True
        self._doubted = True
        return False

    def found_trouble(self) -> None:
        """A chip had restarted: for the rest of this scan every doubt is looked into."""
        self._trouble = True
