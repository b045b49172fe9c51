"""The configuration: one TOML file, every key with a default, every fault said at once.

The keys are listed in `KEYS`; what is not there is unknown, and an unknown key is a fault.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from controller.core.lights import Look, Palette
from controller.errors import ConfigError
from hardware.boardtable import Rule, in_set, number, text, whole
from hardware.leds.power import DEFAULT_LIMIT_MA

DEFAULT = "default"
"""The source of a value that no file gives."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the configuration: its default and what it must be."""

    default: Any
    rule: Rule[Any]


def _truth() -> Rule[bool]:
    return Rule(lambda v: isinstance(v, bool), "true or false", bool)


def _filled() -> Rule[str]:
    return text(Rule(lambda v: bool(v.strip()), "a text that is not empty", str))


def _names() -> Rule[tuple[str, ...]]:
    def holds(value: Any) -> bool:
        return isinstance(value, list) and all(isinstance(v, str) and v for v in value)

    return Rule(holds, 'a list of names, e.g. ["board.example.org"]', tuple)


KEYS: Mapping[str, Key] = {
    "board": Key("avalam", _filled()),
    "sensors.bus": Key("/dev/i2c-1", _filled()),
    "sensors.rate_hz": Key(25, whole(5, 100)),
    "lights.palette": Key("default", text(in_set([p.value for p in Palette]))),
    "lights.brightness": Key(1.0, number(0, 1)),
    "lights.night": Key(default=False, rule=_truth()),
    "lights.night_brightness": Key(0.35, number(0, 1)),
    "lights.power_limit_ma": Key(DEFAULT_LIMIT_MA, number(50, 20_000)),
    "web.host": Key("127.0.0.1", _filled()),
    "web.port": Key(8080, whole(0, 65535)),
    "web.allowed_hosts": Key((), _names()),
}


@dataclass(frozen=True, slots=True)
class WebConfig:
    """Where the page is served, and under which further names it may be reached. Port 0: a free one."""

    host: str = "127.0.0.1"
    port: int = 8080
    allowed_hosts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration that has passed its checks. `board` is a board's name or file."""

    board: str = "avalam"
    bus: str = "/dev/i2c-1"
    rate_hz: int = 25
    look: Look = field(default_factory=Look)
    power_limit_ma: float = DEFAULT_LIMIT_MA
    web: WebConfig = field(default_factory=WebConfig)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A configuration with every value by its key, and the file that gave it (or `default`)."""

    config: Config
    values: Mapping[str, Any]
    sources: Mapping[str, str]


def load_config(path: Path | None) -> Loaded:
    """The configuration in a file; all defaults where `path` is None.

    Raises: ConfigError with every fault: the key, its value, what is allowed.
    """
    if path is None:
        return parse_config("", DEFAULT)
    try:
        document = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(str(path), ["is not a UTF-8 text"]) from None
    except OSError as error:
        raise ConfigError(str(path), [f"cannot be read: {error.strerror}"]) from None
    return parse_config(document, str(path))


def parse_config(document: str, label: str) -> Loaded:
    """The configuration in a TOML text; `label` names it in errors and as a source.

    Raises: ConfigError.
    """
    try:
        given = dict(_flat(tomllib.loads(document), ""))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(label, [f"is not valid TOML: {error}"]) from None
    faults = [_fault(key, value) for key, value in given.items()]
    if found := [fault for fault in faults if fault]:
        raise ConfigError(label, found)
    values = {key: KEYS[key].default for key in KEYS}
    values |= {key: KEYS[key].rule.convert(value) for key, value in given.items()}
    sources = {key: label if key in given else DEFAULT for key in KEYS}
    return Loaded(_config(values), values, sources)


def _flat(table: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    """The values of nested tables under their dotted keys."""
    for name, value in table.items():
        key = f"{path}{name}"
        is_section = any(known.startswith(f"{key}.") for known in KEYS)
        if isinstance(value, Mapping) and is_section:
            yield from _flat(value, f"{key}.")
        else:
            yield key, value


def _fault(key: str, value: Any) -> str | None:
    if key in KEYS:
        rule = KEYS[key].rule
        return None if rule.holds(value) else f"{key} is {value!r}, must be {rule.allowed}"
    sections = {known.partition(".")[0] for known in KEYS if "." in known}
    if key in sections:
        return f"{key} is {value!r}, must be a table: [{key}]"
    near = get_close_matches(key, KEYS, 1)
    return f"{key} is unknown; " + (f"did you mean {near[0]}?" if near else f"allowed are {', '.join(KEYS)}")


def _config(values: Mapping[str, Any]) -> Config:
    return Config(
        board=values["board"],
        bus=values["sensors.bus"],
        rate_hz=values["sensors.rate_hz"],
        look=Look(
            Palette(values["lights.palette"]),
            values["lights.brightness"],
            values["lights.night"],
            values["lights.night_brightness"],
        ),
        power_limit_ma=values["lights.power_limit_ma"],
        web=WebConfig(values["web.host"], values["web.port"], values["web.allowed_hosts"]),
    )
