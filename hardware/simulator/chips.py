"""The chips of the simulated board, register by register, with the faults that real ones have.

A chip sees the bytes between START and STOP. What is behind it (the field, the time) it asks for.
Written from the datasheets (TI SLYS045, SCPS207), not from the drivers, which it is to catch out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol

from hardware.chips import tmag5273 as reg


class SimulatedChip(Protocol):
    """A chip on a segment of the simulated bus."""

    @property
    def address(self) -> int:
        """The 7-bit address it answers to now."""
        ...

    @property
    def answers(self) -> bool:
        """Whether it acknowledges its address."""
        ...

    @property
    def holds_bus(self) -> bool:
        """Whether it keeps SDA low, so that nothing moves on its segment."""
        ...

    def addressed(self) -> None:
        """A START with its address came by."""
        ...

    def write(self, data: bytes) -> None:
        """Take bytes."""
        ...

    def read(self, length: int) -> bytes:
        """Give bytes."""
        ...

    def stop(self) -> None:
        """A STOP came by."""
        ...


@dataclass(slots=True)
class ChipFaults:
    """What is wrong with a chip. `noise_factor` multiplies its noise; the others say themselves."""

    dead: bool = False
    hangs: bool = False
    stuck: bool = False
    foreign: bool = False
    noise_factor: float = 1.0


class _Part:
    """What chips have in common: an address, and faults."""

    def __init__(self, address: int) -> None:
        self.address = address
        self.faults = ChipFaults()
        self._holding = False

    @property
    def answers(self) -> bool:
        """Whether it acknowledges its address."""
        return not self.faults.dead

    @property
    def holds_bus(self) -> bool:
        """Whether it keeps SDA low."""
        return self._holding and self.faults.hangs

    def addressed(self) -> None:
        """A START with its address came by: one that hangs pulls SDA low and never lets go."""
        self._holding = self.faults.hangs

    def stop(self) -> None:
        """Nothing happens at a STOP."""

    def heal(self) -> None:
        """Take every fault away."""
        self.faults = ChipFaults()
        self._holding = False


class SimulatedTca9548a(_Part):
    """The switch: its register takes effect at the STOP."""

    CHANNELS = 8

    def __init__(self, address: int) -> None:
        super().__init__(address)
        self.mask = 0
        self._latch: int | None = None
        self.segments: tuple[list[SimulatedChip], ...] = tuple([] for _ in range(self.CHANNELS))

    def write(self, data: bytes) -> None:
        """Every byte overwrites the register that waits for the STOP."""
        if data:
            self._latch = data[-1]

    def read(self, length: int) -> bytes:
        """The register, again and again."""
        return bytes((self.mask,)) * length

    def stop(self) -> None:
        """The selection becomes active."""
        if self._latch is not None:
            self.mask = self._latch
            self._latch = None

    def restart(self) -> None:
        """Power-on, or a pulse on RESET: no channel is open."""
        self.mask = 0
        self._latch = None

    def open_chips(self) -> list[SimulatedChip]:
        """The chips behind the open channels."""
        return [chip for n, segment in enumerate(self.segments) if self.mask >> n & 1 for chip in segment]


@dataclass(frozen=True, slots=True)
class Imperfection:
    """How one sensor differs from an ideal one: gain, offset, and noise at 32 samples a value."""

    gain: float = 1.0
    offset_mt: float = 0.0
    noise_mt: float = 0.0


_POWER_ON = bytes(reg.REGISTER_COUNT)
_READ_ONLY = frozenset(range(reg.DEVICE_ID, reg.CONV_STATUS)) | {
    reg.ANGLE_RESULT_MSB,
    reg.ANGLE_RESULT_LSB,
    reg.MAGNITUDE_RESULT,
}
_RESULTS = range(reg.T_MSB_RESULT, reg.CONV_STATUS + 1)
_MOST_AVERAGING = 5
# conversions a second with one channel and with three. Source: SLYS045, update rates.
_RATE_ONE_HZ = (20_000, 13_300, 8_000, 4_400, 2_400, 1_200)
_RATE_THREE_HZ = (10_000, 5_700, 3_100, 1_600, 800, 400)
_TRIGGER = 0x80  # bit 7 of the register pointer starts a conversion in standby
_ROOM_TEMPERATURE_COUNTS = 17_508  # 25 °C


class SimulatedTmag5273(_Part):
    """The sensor: `field_mt` tells the field at its place at this moment, `now_us` the time."""

    def __init__(
        self,
        address: int,
        field_mt: Callable[[], float],
        now_us: Callable[[], int],
        rng: Random,
        imperfection: Imperfection | None = None,
        version: int = reg.VERSION_X1,
    ) -> None:
        super().__init__(address)
        self._factory_address = address
        self._field_mt = field_mt
        self._now_us = now_us
        self._rng = rng
        self.imperfection = imperfection or Imperfection()
        self._version = version
        self._registers = bytearray(_POWER_ON)
        self._pointer = 0
        self._started_us = 0
        self._last_conversion = 0
        self.restart()

    def restart(self) -> None:
        """Power-on: standby, every channel off, its factory address."""
        self._registers[:] = _POWER_ON
        self._registers[reg.DEVICE_ID] = self._version
        self._registers[reg.MANUFACTURER_ID_LSB] = reg.TEXAS_INSTRUMENTS & 0xFF
        self._registers[reg.MANUFACTURER_ID_MSB] = reg.TEXAS_INSTRUMENTS >> 8
        self._registers[reg.CONV_STATUS] = reg.POWER_ON_RESET
        self.address = self._factory_address
        self._pointer = 0
        self._last_conversion = 0
        self._holding = False

    def write(self, data: bytes) -> None:
        """The pointer, then values for the registers from there on."""
        if not data:
            return
        self._pointer = (data[0] & ~_TRIGGER) % reg.REGISTER_COUNT
        if data[0] & _TRIGGER and self._mode() == reg.STANDBY:
            self._convert()
        for value in data[1:]:
            self._store(self._pointer, value)
            self._pointer = (self._pointer + 1) % reg.REGISTER_COUNT

    def _store(self, register: int, value: int) -> None:
        if register == reg.CONV_STATUS:
            self._registers[register] &= ~(value & reg.POWER_ON_RESET)
        elif register == reg.I2C_ADDRESS:
            if value & reg.I2C_ADDRESS_UPDATE:
                self.address = value >> reg.I2C_ADDRESS_SHIFT
            self._registers[register] = value & ~reg.I2C_ADDRESS_UPDATE
        elif register not in _READ_ONLY:
            self._registers[register] = value
            if register <= reg.SENSOR_CONFIG_2:
                self._started_us = self._now_us()
                self._last_conversion = 0

    def read(self, length: int) -> bytes:
        """The registers from the pointer on, which moves along."""
        if self._pointer in _RESULTS:
            self._refresh()
        answer = bytearray()
        for _ in range(length):
            answer.append(self._shown(self._pointer))
            self._pointer = (self._pointer + 1) % reg.REGISTER_COUNT
        return bytes(answer)

    def _shown(self, register: int) -> int:
        if self.faults.foreign and register in (reg.MANUFACTURER_ID_LSB, reg.MANUFACTURER_ID_MSB):
            return 0xFF
        return self._registers[register]

    def _mode(self) -> int:
        return self._registers[reg.DEVICE_CONFIG_2] & reg.OPERATING_MODE_MASK

    def _averaging(self) -> int:
        code = (self._registers[reg.DEVICE_CONFIG_1] & reg.CONV_AVG_MASK) >> reg.CONV_AVG_SHIFT
        return min(code, _MOST_AVERAGING)

    def _channels(self) -> int:
        return self._registers[reg.SENSOR_CONFIG_1] >> reg.MAG_CH_EN_SHIFT

    def _refresh(self) -> None:
        """In continuous mode: take over the latest conversion that has ended by now."""
        if self._mode() != reg.CONTINUOUS or not self._channels() or self.faults.stuck:
            return
        single = self._channels() in (1, 2, 4)
        rate_hz = (_RATE_ONE_HZ if single else _RATE_THREE_HZ)[self._averaging()]
        conversion = (self._now_us() - self._started_us) * rate_hz // 1_000_000
        if conversion != self._last_conversion:
            self._last_conversion = conversion
            self._convert()

    def _convert(self) -> None:
        channels = self._channels()
        config = self._registers[reg.SENSOR_CONFIG_2]
        lateral_range_mt = self._range_mt(wide=bool(config & reg.X_Y_RANGE))
        if self._registers[reg.T_CONFIG] & 1:
            self._put(reg.T_MSB_RESULT, _ROOM_TEMPERATURE_COUNTS)
        if channels & 1:
            self._put(reg.X_MSB_RESULT, self._counts(0.0, lateral_range_mt))
        if channels & 2:
            self._put(reg.Y_MSB_RESULT, self._counts(0.0, lateral_range_mt))
        if channels & 4:
            range_mt = self._range_mt(wide=bool(config & reg.Z_RANGE))
            self._put(reg.Z_MSB_RESULT, self._counts(self._field_mt(), range_mt))
        power_on = self._registers[reg.CONV_STATUS] & reg.POWER_ON_RESET
        count = self._last_conversion & 0x07
        self._registers[reg.CONV_STATUS] = count << 5 | power_on | reg.RESULT_READY

    def _range_mt(self, *, wide: bool) -> float:
        return (reg.WIDE_RANGE_MT if wide else reg.NARROW_RANGE_MT)[self._version]

    def _counts(self, field_mt: float, range_mt: float) -> int:
        flaw = self.imperfection
        missing = 2 ** (_MOST_AVERAGING - self._averaging())
        sigma_mt = flaw.noise_mt * math.sqrt(missing) * self.faults.noise_factor
        seen_mt = flaw.gain * field_mt + flaw.offset_mt
        if sigma_mt:
            seen_mt += self._rng.gauss(0.0, sigma_mt)
        counts = round(seen_mt * reg.FULL_SCALE_COUNTS / range_mt)
        return max(reg.MIN_COUNTS, min(reg.MAX_COUNTS, counts))

    def _put(self, register: int, counts: int) -> None:
        self._registers[register] = counts >> 8 & 0xFF
        self._registers[register + 1] = counts & 0xFF
