"""Calibration led by the board's own lights: first the empty board, then one piece on each place.

Pure, and knows no game: frames go in; what to do next, lights, and in the end a `Calibration` come
out. One piece is carried round the lit places (`carry`), or the board is set up with single pieces
everywhere (`setup`), where what the neighbours add is taken off with the field model; the places
that a set-up leaves empty are visited with one piece first.

What a place itself reads does not say where a piece stands if that place is broken. The places
around do: each feels the piece from the side. So a dead place, one wired to another's wire, and a
piece on the wrong hole are told apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

from controller.core.calibration import Calibration
from controller.core.calibrationreport import (
    PlaceReport,
    Progress,
    Stage,
    Way,
    judged,
    rounded,
    serpentine,
    single_fields,
)
from controller.core.fieldmodel import FieldParameters
from controller.core.lights import Meaning
from controller.core.restwindow import Rest, RestWindow
from controller.errors import CalibrationError
from hardware.ports import Frame

PATIENCE_MS = 5000
"""How long a place may be unread or restless on the empty board before it is gone on without it."""
DEAD_MS = 1200
"""How long the places around must say that a piece stands on a place that does not feel it."""

_RISE_SHARE = 0.15
_START_NOISE_MT = 0.03
_NOISY_MT = 0.2
_NOISY_FACTOR = 8.0
_MOST_RESTLESS = 1
"""Places that may move elsewhere while one is measured: a hand with a piece moves several."""
_FIT_MT = 0.03
_LEAST_FIT = 60.0
_LEAST_EXPLAINED = 0.6
_SCALES = (0.6, 1.5)
_FAR_MT = 0.07
_MOST_DRIFT_MT = 0.5
_DRIFT_SHARE = 0.5


class Calibrator:
    """One calibration of one board, from its first frame to its result."""

    def __init__(
        self,
        cells: Sequence[str],
        parameters: FieldParameters,
        way: Way = Way.CARRY,
        set_up: Mapping[str, int | None] | None = None,
    ) -> None:
        """Calibrate `cells`, in the order of the frames' values and of the geometry.

        `set_up` names the cells that hold a single piece in the game's set-up, with their owners.
        """
        self.way = way
        self.cells = tuple(cells)
        self.set_up = dict(set_up or {}) if way is Way.SETUP else {}
        self.stage = Stage.EMPTY
        self._fields = single_fields(parameters)
        self._nominal_mt = self._fields[0][0]
        self._rise_mt = _RISE_SHARE * abs(self._nominal_mt)
        count = len(self.cells)
        self._window = RestWindow()
        self._zero = [0.0] * count
        self._noise = [_START_NOISE_MT] * count
        self._places = [PlaceReport() for _ in self.cells]
        self._settled: set[int] = set()
        carried = [k for k, cell in enumerate(self.cells) if cell not in self.set_up]
        self._order = serpentine(parameters.positions_mm, carried)
        self._standing: frozenset[int] = frozenset()
        """Places that felt the piece when the last place was settled; they must let go of it first."""
        self._last: int | None = None
        self._began_ms: int | None = None
        self._dead_since_ms: int | None = None
        self._values: tuple[float | None, ...] = (None,) * count
        self._hint: str | None = "rest"
        self._about: tuple[int, ...] = ()
        self._progress: Progress | None = None

    # ------------------------------------------------------------------ what goes in

    def frame(self, frame: Frame) -> bool:
        """Take in one scan; whether what `progress` tells has changed.

        Raises: ValueError if the frame has not one value a cell.
        """
        if len(frame.values) != len(self.cells):
            raise ValueError(f"a frame needs {len(self.cells)} values, not {len(frame.values)}")
        if self.is_over:
            return False
        before = self.progress
        self._values = frame.values
        if self._began_ms is None:
            self._began_ms = frame.t_ms
        self._window.feed(frame)
        steps = {Stage.EMPTY: self._empty, Stage.SINGLE: self._single, Stage.SET_UP: self._all}
        steps[self.stage](frame.t_ms)
        self._progress = None
        return self.progress != before

    def skip(self) -> None:
        """Go on without what is waited for, on a person's word.

        On the empty board: it is empty, whatever some places say. In a set-up: the pieces that seem
        to be missing stand there.
        """
        if self.stage is Stage.EMPTY:
            rest = self._window.rest(self._noise)
            if rest is not None:
                self._take_empty(rest)
        elif self.stage is Stage.SINGLE:
            self._settle(self._order[0], PlaceReport(fault="skipped"))
        elif self.stage is Stage.SET_UP:
            for place in self._missing():
                self._settle(place, PlaceReport(fault="dead"))
        self._progress = None

    @property
    def is_over(self) -> bool:
        """Whether nothing is waited for any more."""
        return self.stage in (Stage.DONE, Stage.FAILED)

    # ------------------------------------------------------------------ the empty board

    def _empty(self, t_ms: int) -> None:
        self._say("rest")
        rest = self._window.rest(self._noise)
        if rest is None or self._began_ms is None:
            return
        unread = {k for k, mean in enumerate(rest.mean_mt) if mean is None}
        occupied = self._risen(rest.mean_mt)
        if 2 * len(unread) > len(self.cells):
            self._say("unread")
        elif occupied:
            self._say("remove", *sorted(occupied))
        elif not (unread | rest.moving) or (
            t_ms - self._began_ms >= PATIENCE_MS and 4 * len(rest.moving) <= len(self.cells)
        ):
            self._take_empty(rest)

    def _take_empty(self, rest: Rest) -> None:
        usual = median(n for n in rest.noise_mt if n is not None) if any(rest.noise_mt) else _START_NOISE_MT
        for k, (mean, noise) in enumerate(zip(rest.mean_mt, rest.noise_mt, strict=True)):
            if mean is None or noise is None:
                self._close(k, PlaceReport(fault="unread"))
                continue
            self._noise[k] = noise
            if abs(mean) >= self._rise_mt:
                self._close(k, PlaceReport(noise_mt=noise, fault="stuck"))
                continue
            self._zero[k] = mean
            is_noisy = noise > max(_NOISY_MT, _NOISY_FACTOR * usual)
            self._places[k] = PlaceReport(noise_mt=noise, fault="noisy" if is_noisy else None)
        self._next()

    # ------------------------------------------------------------------ one piece

    def _single(self, t_ms: int) -> None:
        target = self._order[0]
        if self._standing:
            self._say("carry", target)
            if not self._standing & self._risen(self._values):
                self._standing = frozenset()
                self._window.clear()
            return
        self._say("place", target)
        rest = self._window.rest(self._noise)
        if rest is None or target in rest.moving or self._is_restless(rest):
            self._dead_since_ms = None
            return
        risen = self._risen(rest.mean_mt)
        if rest.mean_mt[target] is None:
            self._settle(target, PlaceReport(fault="unread"))
        elif not risen:
            self._look_for_dead(target, rest, t_ms)
        elif target not in risen:
            self._look_for_swapped(target, rest, risen)
        elif risen - {target}:
            self._say("extra", *sorted(risen - {target}))
        else:
            self._measure(target, rest)

    def _measure(self, target: int, rest: Rest) -> None:
        single = self._off(target, rest)
        signs = [report.single_mt > 0 for report in self._places if report.single_mt is not None]
        if signs and (single > 0) != (2 * sum(signs) > len(signs)):
            self._say("reversed", target)
            return
        self._follow_drift(target, rest)
        self._settle(target, replace(self._places[target], single_mt=single))

    def _look_for_dead(self, target: int, rest: Rest, t_ms: int) -> None:
        if not self._is_felt_around(target, rest, frozenset((target,))):
            self._dead_since_ms = None
        elif self._dead_since_ms is None:
            self._dead_since_ms = t_ms
        elif t_ms - self._dead_since_ms >= DEAD_MS:
            self._settle(target, replace(self._places[target], fault="dead"))

    def _look_for_swapped(self, target: int, rest: Rest, risen: frozenset[int]) -> None:
        other = max(risen, key=lambda k: abs(self._off(k, rest)))
        if len(risen) == 1 and self._is_felt_around(target, rest, risen | {target}):
            report = replace(self._places[target], fault="swapped", other=self.cells[other])
            self._settle(target, report)
        else:
            self._say("misplaced", *sorted(risen))

    def _is_felt_around(self, place: int, rest: Rest, but: frozenset[int]) -> bool:
        """Whether the places around, `but` some, read what a piece standing on `place` gives them."""
        total = along = felt = 0.0
        for k, mean in enumerate(rest.mean_mt):
            if k in but or mean is None or self._places[k].fault not in (None, "skipped"):
                continue
            gain = self._gain(k)
            off, model = (mean - self._zero[k]) / gain, self._fields[k][place]
            total += off * off
            along += off * model
            felt += model * model
        if felt <= 0 or total <= 0:
            return False
        scale, explained = along / felt, along * along / felt
        return (
            _SCALES[0] <= abs(scale) <= _SCALES[1]
            and explained >= _LEAST_FIT * _FIT_MT * _FIT_MT
            and explained >= _LEAST_EXPLAINED * total
        )

    def _follow_drift(self, standing: int, rest: Rest) -> None:
        """The places far from the piece are empty: their zeros follow."""
        for k, mean in enumerate(rest.mean_mt):
            if mean is None or k in rest.moving or abs(self._fields[k][standing]) > _FAR_MT:
                continue
            drift = mean - self._zero[k] - self._gain(k) * self._fields[k][standing]
            if abs(drift) <= _MOST_DRIFT_MT:
                self._zero[k] += _DRIFT_SHARE * drift

    # ------------------------------------------------------------------ the set-up board

    def _all(self, _t_ms: int) -> None:
        missing = self._missing()
        if missing:
            self._say("place", *missing)
            return
        self._say("rest")
        rest = self._window.rest(self._noise)
        if rest is None or self._is_restless(rest):
            return
        filled = {k for k, cell in enumerate(self.cells) if cell in self.set_up}
        extra = self._risen(rest.mean_mt) - filled
        if extra:
            self._say("extra", *sorted(extra))
            return
        for k in sorted(filled - self._settled):
            scene = sum(self._fields[k][j] for j in filled)
            if rest.mean_mt[k] is None:
                self._settle(k, PlaceReport(fault="unread"))
            else:
                single = self._off(k, rest) / scene * self._fields[k][k]
                self._settle(k, replace(self._places[k], single_mt=single))

    def _missing(self) -> tuple[int, ...]:
        """The places of the set-up that do not feel their piece yet."""
        return tuple(
            k
            for k, cell in enumerate(self.cells)
            if cell in self.set_up
            and k not in self._settled
            and (value := self._values[k]) is not None
            and abs(value - self._zero[k]) < self._rise_mt
        )

    # ------------------------------------------------------------------ place by place

    def _settle(self, place: int, report: PlaceReport) -> None:
        """Nothing more is asked of this place."""
        self._close(place, report)
        self._standing = self._risen(self._values) if self.stage is Stage.SINGLE else frozenset()
        self._last = place
        self._next()

    def _close(self, place: int, report: PlaceReport) -> None:
        noise = self._places[place].noise_mt
        self._places[place] = report if report.noise_mt is not None else replace(report, noise_mt=noise)
        self._settled.add(place)
        if place in self._order:
            self._order.remove(place)

    def _next(self) -> None:
        self._dead_since_ms = None
        self._window.clear()
        if self._order:
            self.stage = Stage.SINGLE
            self._say("carry" if self._standing else "place", self._order[0])
        elif len(self._settled) < len(self.cells):
            self.stage = Stage.SET_UP
            self._say("place", *self._missing())
        else:
            self._finish()

    def _finish(self) -> None:
        singles = [abs(report.single_mt) for report in self._places if report.single_mt is not None]
        swapped = [k for k, report in enumerate(self._places) if report.fault == "swapped"]
        ordinary = median(singles) if singles else 0.0
        self._places = [judged(report, ordinary) for report in self._places]
        if swapped:
            self.stage = Stage.FAILED
            self._say("swapped", *swapped)
        elif 2 * len(singles) < len(self.cells):
            self.stage = Stage.FAILED
            self._say("too_few", *(k for k, report in enumerate(self._places) if report.single_mt is None))
        else:
            self.stage = Stage.DONE
            self._say(None)

    # ------------------------------------------------------------------ helpers

    def _is_restless(self, rest: Rest) -> bool:
        """Whether more places move than a broken one: somebody's hand is there."""
        return sum(self._places[k].fault is None for k in rest.moving) > _MOST_RESTLESS

    def _risen(self, values: Sequence[float | None]) -> frozenset[int]:
        """The places that feel a piece, those left out aside."""
        return frozenset(
            k
            for k, value in enumerate(values)
            if value is not None
            and abs(value - self._zero[k]) >= self._rise_mt
            and self._places[k].fault not in ("stuck", "unread")
        )

    def _off(self, place: int, rest: Rest) -> float:
        mean = rest.mean_mt[place]
        return 0.0 if mean is None else mean - self._zero[place]

    def _gain(self, place: int) -> float:
        single = self._places[place].single_mt
        return 1.0 if single is None else single / self._nominal_mt

    def _say(self, hint: str | None, *places: int) -> None:
        self._hint, self._about = hint, places

    # ------------------------------------------------------------------ what comes out

    @property
    def progress(self) -> Progress:
        """How far it is; the same object until something changes."""
        if self._progress is None:
            self._progress = Progress(
                way=self.way.value,
                stage=self.stage.value,
                cell=self.cells[self._order[0]] if self.stage is Stage.SINGLE else None,
                done=len(self._settled),
                total=len(self.cells),
                hint=self._hint,
                cells=tuple(self.cells[k] for k in self._about),
                places=dict(zip(self.cells, map(rounded, self._places), strict=True)),
            )
        return self._progress

    def lights(self) -> Mapping[str, Meaning]:
        """The meaning of the light under each lit cell."""
        about = [self.cells[k] for k in self._about]
        if self._hint in ("remove", "extra", "misplaced", "reversed"):
            wrong = Meaning.WRONG if self._hint in ("misplaced", "reversed") else Meaning.REMOVE
            return self._target_light() | dict.fromkeys(about, wrong)
        if self.stage is Stage.SET_UP and self._hint == "place":
            second = {cell for cell in about if self.set_up[cell] == 1}
            return {c: Meaning.PLACE_SECOND if c in second else Meaning.PLACE_FIRST for c in about}
        if self._hint == "carry" and self._last is not None:
            return {self.cells[self._last]: Meaning.FROM} | self._target_light()
        return self._target_light()

    def _target_light(self) -> dict[str, Meaning]:
        return {self.cells[self._order[0]]: Meaning.TO} if self.stage is Stage.SINGLE else {}

    def result(self, board: str, made_at: str) -> Calibration:
        """The calibration, for the board file `board`; places without a piece get the median.

        Raises: CalibrationError before the end, and after one that failed.
        """
        if self.stage is not Stage.DONE:
            raise CalibrationError(f"calibration: not finished ({self.stage.value})")
        singles = [report.single_mt for report in self._places]
        usual = median(single for single in singles if single is not None)
        unusable = tuple(cell for cell, single in zip(self.cells, singles, strict=True) if single is None)
        noises = [report.noise_mt for report in self._places]
        return Calibration(
            tuple(round(zero, 4) for zero in self._zero),
            tuple(round(usual if single is None else single, 4) for single in singles),
            round(median(n for n in noises if n is not None), 4),
            board,
            made_at,
            unusable,
            tuple(None if n is None else round(n, 4) for n in noises),
        )
