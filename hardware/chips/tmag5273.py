"""TMAG5273: a linear Hall sensor of three axes; the boards use its Z axis.

After power-on it stands by with every channel off and answers 0 for ever: a reading of exactly zero
is a hint that it lost its configuration. Results are big-endian, two's complement.
Source: TI SLYS045, register map and magnetic characteristics of the x1 and x2 versions.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardware.errors import WrongDeviceError
from hardware.ports import I2cBus

# Registers. Source: SLYS045, register map.
DEVICE_CONFIG_1 = 0x00
DEVICE_CONFIG_2 = 0x01
SENSOR_CONFIG_1 = 0x02
SENSOR_CONFIG_2 = 0x03
X_THR_CONFIG = 0x04
Y_THR_CONFIG = 0x05
Z_THR_CONFIG = 0x06
T_CONFIG = 0x07
INT_CONFIG_1 = 0x08
MAG_GAIN_CONFIG = 0x09
MAG_OFFSET_CONFIG_1 = 0x0A
MAG_OFFSET_CONFIG_2 = 0x0B
I2C_ADDRESS = 0x0C
DEVICE_ID = 0x0D
MANUFACTURER_ID_LSB = 0x0E
MANUFACTURER_ID_MSB = 0x0F
T_MSB_RESULT = 0x10
T_LSB_RESULT = 0x11
X_MSB_RESULT = 0x12
X_LSB_RESULT = 0x13
Y_MSB_RESULT = 0x14
Y_LSB_RESULT = 0x15
Z_MSB_RESULT = 0x16
Z_LSB_RESULT = 0x17
CONV_STATUS = 0x18
ANGLE_RESULT_MSB = 0x19
ANGLE_RESULT_LSB = 0x1A
MAGNITUDE_RESULT = 0x1B
DEVICE_STATUS = 0x1C
REGISTER_COUNT = 0x1D

# DEVICE_CONFIG_1. Source: SLYS045, the register of that name.
CRC_EN = 0x80
MAG_TEMPCO_MASK = 0x60
MAG_TEMPCO_NDFEB = 0x20  # 0.12 %/K
CONV_AVG_MASK = 0x1C
CONV_AVG_SHIFT = 2
CONV_AVG_32X = 0x05 << CONV_AVG_SHIFT
I2C_RD_MASK = 0x03

# DEVICE_CONFIG_2. Source: SLYS045, the register of that name.
LP_LN = 0x10  # low noise rather than low current
TRIGGER_MODE = 0x04
OPERATING_MODE_MASK = 0x03
STANDBY = 0x00
CONTINUOUS = 0x02

# SENSOR_CONFIG_1. Source: SLYS045, the register of that name.
MAG_CH_EN_SHIFT = 4
MAG_CH_Z = 0x04 << MAG_CH_EN_SHIFT

# SENSOR_CONFIG_2. Source: SLYS045, the register of that name.
X_Y_RANGE = 0x02
Z_RANGE = 0x01  # the wider of the two ranges

# DEVICE_ID and I2C_ADDRESS. Source: SLYS045, the registers of those names.
VERSION_MASK = 0x03
VERSION_X1 = 0x01
VERSION_X2 = 0x02
I2C_ADDRESS_UPDATE = 0x01
I2C_ADDRESS_SHIFT = 1

TEXAS_INSTRUMENTS = 0x5449

# CONV_STATUS. Source: SLYS045, the register of that name.
POWER_ON_RESET = 0x10
RESULT_READY = 0x01

NARROW_RANGE_MT = {VERSION_X1: 40.0, VERSION_X2: 133.0}
WIDE_RANGE_MT = {VERSION_X1: 80.0, VERSION_X2: 266.0}
FULL_SCALE_COUNTS = 32768
MAX_COUNTS = FULL_SCALE_COUNTS - 1
MIN_COUNTS = -FULL_SCALE_COUNTS

BOARD_CONFIGURATION = (
    MAG_TEMPCO_NDFEB | CONV_AVG_32X,
    LP_LN | CONTINUOUS,
    MAG_CH_Z,
    Z_RANGE,
)
"""What the boards need in registers 0x00 to 0x03: Z alone, wide range, 32 samples a value."""

# the mode comes last, so that the first conversion already has the right range and averaging
_ORDER = (DEVICE_CONFIG_1, SENSOR_CONFIG_1, SENSOR_CONFIG_2, DEVICE_CONFIG_2)
_POINT_AT_Z = bytes((Z_MSB_RESULT,))
_POINT_AT_CONFIG = bytes((DEVICE_CONFIG_1,))
_POINT_AT_ID = bytes((DEVICE_ID,))


@dataclass(frozen=True, slots=True)
class Identity:
    """Who answers at an address: the maker, and the version of the part (its two low bits)."""

    manufacturer: int
    version: int


class Tmag5273:
    """One sensor, read in mT on its Z axis."""

    __slots__ = ("_bus", "_mt_a_count", "address")

    def __init__(self, bus: I2cBus, address: int) -> None:
        self._bus = bus
        self.address = address
        self._mt_a_count = WIDE_RANGE_MT[VERSION_X1] / FULL_SCALE_COUNTS

    def read_identity(self) -> Identity:
        """Who answers.

        Raises: BusError.
        """
        version, low, high = self._bus.write_read(self.address, _POINT_AT_ID, 3)
        return Identity(high << 8 | low, version & VERSION_MASK)

    def identify(self) -> None:
        """See that a TMAG5273 answers, and take its range from its version.

        Raises: BusError; WrongDeviceError.
        """
        found = self.read_identity()
        if found.manufacturer != TEXAS_INSTRUMENTS or found.version not in WIDE_RANGE_MT:
            raise WrongDeviceError(
                f"I2C address 0x{self.address:02x}: no TMAG5273, manufacturer 0x{found.manufacturer:04x} "
                f"version {found.version}, expected 0x{TEXAS_INSTRUMENTS:04x} version 1 or 2"
            )
        self._mt_a_count = WIDE_RANGE_MT[found.version] / FULL_SCALE_COUNTS

    def configure(self) -> None:
        """Make it convert Z continuously, and see that it took the configuration.

        Raises: BusError; WrongDeviceError where the registers do not hold what was written.
        """
        for register in _ORDER:
            self._bus.write(self.address, bytes((register, BOARD_CONFIGURATION[register])))
        if not self.is_configured():
            raise WrongDeviceError(f"I2C address 0x{self.address:02x}: does not keep its configuration")

    def is_configured(self) -> bool:
        """Whether the configuration registers hold what the boards need.

        Raises: BusError.
        """
        found = self._bus.write_read(self.address, _POINT_AT_CONFIG, len(BOARD_CONFIGURATION))
        return tuple(found) == BOARD_CONFIGURATION

    def read_counts(self) -> int:
        """The latest Z value as the chip counts it.

        Raises: BusError.
        """
        high, low = self._bus.write_read(self.address, _POINT_AT_Z, 2)
        counts = high << 8 | low
        return counts - 2 * FULL_SCALE_COUNTS if counts >= FULL_SCALE_COUNTS else counts

    def to_mt(self, counts: int) -> float:
        """The field in mT that `counts` stands for, in the range of the part that was identified."""
        return counts * self._mt_a_count

    def read_z_mt(self) -> float:
        """The latest Z value in mT.

        Raises: BusError.
        """
        return self.to_mt(self.read_counts())
