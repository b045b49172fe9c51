"""Where wishes of people become commands of the daemon, each carried out once however often it arrives."""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.api import DaemonApi, Snapshot
from controller.core.messages import Command, parse_command
from controller.errors import BusyError, CommandError
from engines.base import Reason

TEXT_LIMIT_BYTES = 4096
ID_LIMIT = 64

_KEPT = 512
_KEPT_S = 600.0
_ANSWER_S = 10.0

_log = logging.getLogger(__name__)


class RefusalError(Exception):
    """A wish that is not carried out: `reason` for the player, `detail` for whoever wrote the message."""

    def __init__(self, reason: Reason, detail: str | None = None) -> None:
        super().__init__(detail or str(reason))
        self.reason = reason
        self.detail = detail


def read_message(text: str) -> dict[str, Any]:
    """The JSON object in a message.

    Raises: RefusalError `too_long` or `unreadable`.
    """
    try:
        if len(text.encode("utf-8")) > TEXT_LIMIT_BYTES:
            raise RefusalError(
                Reason("too_long"), f"a message may be {TEXT_LIMIT_BYTES} bytes long, not {len(text)}"
            )
        data = json.loads(text)
        # Half a surrogate pair is a str that nothing further down could write to a file.
        json.dumps(data, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        what = "is nested too deeply" if isinstance(error, RecursionError) else f"is not JSON: {error}"
        raise RefusalError(Reason("unreadable"), f"the message {what}") from None
    if not isinstance(data, dict):
        raise RefusalError(Reason("unreadable"), "the message is not a JSON object")
    return data


def read_id(data: Mapping[str, Any]) -> str | None:
    """The id of a command, None where it has none.

    Raises: RefusalError for something that is no id.
    """
    given = data.get("id")
    if given is None:
        return None
    if not isinstance(given, str) or not 0 < len(given) <= ID_LIMIT:
        raise RefusalError(Reason("invalid_command"), f"id: must be a text of 1 to {ID_LIMIT} characters")
    return given


def read_number(data: Mapping[str, Any], key: str, least: float, most: float) -> float:
    """A finite number of a message within bounds.

    Raises: RefusalError.
    """
    value = data.get(key)
    # NaN compares false with everything; a bool is an int in Python but no number here.
    if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
        return float(value)
    what = f"{key}: must be a number from {least:g} to {most:g}, not {str(value)[:40]!r}"
    raise RefusalError(Reason("invalid_command"), what)


@dataclass(frozen=True, slots=True)
class _Kept:
    command: Command
    answer: asyncio.Future[Snapshot]
    since_s: float


class CommandDesk:
    """Hands commands to the daemon and remembers the answers for a while, by the id of the command.

    A command that comes again with the same id, on whatever connection, gets the answer of the first
    time and is not carried out again. Answers are kept for ten minutes, and 512 of them at most.
    """

    def __init__(
        self,
        daemon: DaemonApi,
        *,
        now: Callable[[], float] | None = None,
        answer_s: float = _ANSWER_S,
    ) -> None:
        self._daemon = daemon
        self._now = now
        self._answer_s = answer_s
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    async def carry_out(self, data: Mapping[str, Any]) -> Snapshot:
        """Carry out the command in `data`, once an id; the state published with it.

        Raises: RefusalError, with the daemon's reason or with what is wrong with the message.
        """
        given = read_id(data)
        try:
            command = parse_command({key: value for key, value in data.items() if key not in ("id", "type")})
        except ValueError as error:
            raise RefusalError(Reason("invalid_command"), str(error)) from None
        answer = self._answer(given, command)
        try:
            return await asyncio.wait_for(asyncio.shield(answer), self._answer_s)
        except TimeoutError:
            raise RefusalError(Reason("no_answer")) from None
        except CommandError as error:
            raise RefusalError(error.reason) from None
        except BusyError as error:
            self._forget(given)
            raise RefusalError(Reason("too_many_commands"), str(error)) from None
        except asyncio.CancelledError:
            if answer.cancelled():
                raise RefusalError(Reason("no_answer")) from None
            raise
        except Exception as error:
            _log.exception("command failed: %s", command)
            raise RefusalError(Reason("internal")) from error

    def _answer(self, given: str | None, command: Command) -> asyncio.Future[Snapshot]:
        self._drop(older_than_s=self._time() - _KEPT_S)
        kept = self._kept.get(given) if given is not None else None
        if kept is not None:
            if kept.command != command:
                raise RefusalError(Reason("id_reused"), "another command was sent under this id before")
            return kept.answer
        answer = self._submit(command)
        if given is not None:
            self._kept[given] = _Kept(command, answer, self._time())
            self._drop(more_than=_KEPT)
        return answer

    def _submit(self, command: Command) -> asyncio.Future[Snapshot]:
        try:
            answer = asyncio.wrap_future(self._daemon.submit(command))
        except (BusyError, CommandError) as error:
            answer = asyncio.get_running_loop().create_future()
            answer.set_exception(error)
        # An answer nobody waits for any more is no fault; asyncio would complain otherwise.
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        return answer

    def _forget(self, given: str | None) -> None:
        if given is not None:
            self._kept.pop(given, None)

    def _drop(self, older_than_s: float = -math.inf, more_than: int = _KEPT) -> None:
        """Forget the oldest answers: those from before a moment, and those that are too many."""
        while self._kept:
            first = next(iter(self._kept))
            if len(self._kept) <= more_than and self._kept[first].since_s >= older_than_s:
                return
            del self._kept[first]

    def _time(self) -> float:
        return self._now() if self._now is not None else asyncio.get_running_loop().time()
