"""Putting a daemon together: the folder is held, the devices opened, the game taken up where it stood."""

from __future__ import annotations

import logging
import random
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.boardloop import BoardLoop, LoopSettings, SessionPort
from controller.config import Config
from controller.core.calibration import Calibration
from controller.core.fieldmodel import FieldParameters
from controller.core.session import Session
from controller.daemon import Daemon
from controller.entries import rebuild_record
from controller.errors import CalibrationError, ConfigError, JournalError
from controller.files import lock_device, lock_folder, make_folder
from controller.journal import FILE_NAME as JOURNAL_NAME
from controller.keeper import Keeper
from controller.leading import CalibrationDesk
from controller.measuring import FILE_NAME as CALIBRATION_NAME
from controller.measuring import measure_simulated, read_calibration, write_calibration
from controller.notify import Notifier
from engines.base import BoardGame
from engines.record import Record
from engines.registry import game as game_by_name
from hardware.boardfile import Board, load_board
from hardware.factory import Devices, DeviceSettings, open_devices

SIMULATOR_FOLDER = "simulator"
"""Where in the data folder a simulated board keeps what belongs to it: its calibration, its table."""
TABLE_NAME = "table.json"
_TOKEN_BYTES = 32

_log = logging.getLogger(__name__)


def version() -> str:
    """The version of the installed program."""
    try:
        return metadata.version("tablier")
    except metadata.PackageNotFoundError:
        return "0"


def board_game(board: Board) -> BoardGame:
    """The game a board is for.

    Raises: UnknownGameError; ConfigError for a game without a board.
    """
    game = game_by_name(board.game)
    if not isinstance(game, BoardGame):
        raise ConfigError(board.name, [f"the game {game.name} is not played on a board with sensors"])
    return game


def field_parameters(board: Board) -> FieldParameters:
    """The geometry of a field board, as the recogniser's field model takes it."""
    return FieldParameters(board.positions_mm, board.pitch_mm, board.pawn_mm, board.gap_mm, board.magnet)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to start: which devices, with which configuration, and where the data is."""

    config: Config
    data: Path
    devices: DeviceSettings


class RunningDaemon:
    """A daemon with everything it holds; closing lets go of it all in the right order.

    `token` is what commands on the running daemon prove themselves with.
    """

    def __init__(self, daemon: Daemon, token: str, resources: ExitStack) -> None:
        self.daemon = daemon
        self.token = token
        self._resources = resources

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop the daemon and let go of everything; closing twice does nothing."""
        self._resources.close()


def open_daemon(plan: Plan, *, on_failure: Callable[[], None] = lambda: None) -> RunningDaemon:
    """A daemon that is ready to `start`, over the game that was played last.

    Raises: BusyError where the folder or the bus is held; ConfigError, CalibrationError, JournalError,
    BoardFileError, UnknownGameError.
    """
    with ExitStack() as resources:
        board = load_board(plan.devices.board)
        game = board_game(board)
        load_board(plan.devices.board, game.cells)
        resources.enter_context(lock_folder(plan.data))
        if plan.devices.kind == "real":
            bus = lock_device(Path(plan.devices.bus))
            if bus is not None:
                resources.enter_context(bus)
        keeper = Keeper(plan.data / JOURNAL_NAME)
        resources.callback(keeper.close)
        keeper.open(game.name)
        devices = open_devices(plan.devices)
        resources.callback(devices.close)
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        make_loop = _loop_maker(plan, game, devices, keeper)
        daemon = Daemon(
            game,
            devices,
            keeper,
            make_loop,
            version=version(),
            token=token,
            notifier=Notifier(),
            on_failure=on_failure,
        )
        resources.callback(daemon.close)
        return RunningDaemon(daemon, token, resources.pop_all())


def _loop_maker(
    plan: Plan, game: BoardGame, devices: Devices, keeper: Keeper
) -> Callable[[Callable[[], None]], BoardLoop]:
    calibration = _calibration(plan, devices)
    desk = CalibrationDesk(
        devices.board,
        field_parameters(devices.board),
        single_pieces(game),
        calibration_path(plan.data, is_simulated=devices.simulated is not None),
        calibration,
        keeper.put_file,
    )
    sessions = _Sessions(game, devices, desk, keeper)
    config = plan.config
    settings = LoopSettings(
        rate_hz=config.rate_hz,
        look=config.look,
        power_limit_ma=config.power_limit_ma,
        table_file=plan.data / SIMULATOR_FOLDER / TABLE_NAME if devices.simulated else None,
        calibration=calibration,
    )
    stock = _stock(game)

    def make_loop(wake: Callable[[], None]) -> BoardLoop:
        rng = random.SystemRandom()
        return BoardLoop(devices, keeper, sessions.renew, settings, rng, stock=stock, desk=desk, wake=wake)

    return make_loop


def _stock(game: BoardGame) -> tuple[int, ...]:
    """The owners of all pieces of a game: those that stand on the board at its ordinary start."""
    stacks = game.stacks(game.initial(), ())
    return tuple(owner for owners in stacks.values() for owner in owners if owner is not None)


def single_pieces(game: BoardGame) -> dict[str, int | None]:
    """The cells that hold one piece in a game's ordinary set-up, and its owner."""
    stacks = game.stacks(game.initial(), ())
    return {cell: owners[0] for cell, owners in stacks.items() if len(owners) == 1}


def calibration_path(data: Path, *, is_simulated: bool) -> Path:
    """Where in the data folder the calibration is: apart from the settings, one for each kind of board."""
    return (data / SIMULATOR_FOLDER if is_simulated else data) / CALIBRATION_NAME


def _calibration(plan: Plan, devices: Devices) -> Calibration:
    """The calibration of the board; that of a simulated one is measured where it is missing or wrong."""
    if devices.simulated is None:
        path = calibration_path(plan.data, is_simulated=False)
        try:
            return read_calibration(path, devices.board)
        except FileNotFoundError:
            raise CalibrationError(
                f"{path}: is missing; the board must be calibrated first: tablier calibrate"
            ) from None
    path = calibration_path(plan.data, is_simulated=True)
    make_folder(path.parent)
    try:
        return read_calibration(path, devices.board)
    except (FileNotFoundError, CalibrationError) as error:
        if isinstance(error, CalibrationError):
            _log.warning("%s; the simulated board is measured again", error)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    calibration = measure_simulated(replace(plan.devices, real_time=False), now)
    try:
        write_calibration(path, calibration)
    except OSError as error:  # it can be measured again at any time
        _log.warning("%s cannot be written: %s", path, error.strerror or error)
    return calibration


class _Sessions:
    """Makes sessions for the game that the keeper holds, beginning one where there is none."""

    def __init__(self, game: BoardGame, devices: Devices, desk: CalibrationDesk, keeper: Keeper) -> None:
        self._game = game
        self._devices = devices
        self._desk = desk
        self._keeper = keeper

    def renew(self) -> SessionPort:
        """A session over the game as its entries tell it."""
        entries = self._keeper.game
        if entries:
            try:
                return self._session(rebuild_record(entries), self._keeper.game_id, is_restored=True)
            except JournalError as error:
                _log.warning("%s; it stays stored, and a new game begins", error)
                self._keeper.forget_game()
        session = self._session(None, self._keeper.newest + 1, is_restored=False)
        self._keeper.put(session.begin().entries)
        return session

    def _session(self, record: Record | None, game_id: int, *, is_restored: bool) -> Session:
        return Session(
            self._game,
            self._devices.sensors.cells,
            self._desk.calibration,
            field_parameters(self._devices.board),
            record=record,
            game_id=game_id,
            restored=is_restored,
        )
