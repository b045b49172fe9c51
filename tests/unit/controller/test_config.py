"""The configuration: defaults, sources, and every fault at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller import folders
from controller.config import KEYS, Config, load_config, parse_config
from controller.core.lights import Look, Palette
from controller.errors import ConfigError

EVERYTHING = """
board = "my-board.toml"

[sensors]
bus = "/dev/i2c-3"
rate_hz = 50

[lights]
palette = "red_green"
brightness = 0.5
night = true
night_brightness = 0.1
power_limit_ma = 900

[web]
host = "0.0.0.0"
port = 8081
allowed_hosts = ["board.example.org"]
"""


def test_without_a_file_everything_is_at_its_default() -> None:
    loaded = load_config(None)
    assert loaded.config == Config()
    assert set(loaded.sources.values()) == {"default"}
    assert set(loaded.values) == set(KEYS)


def test_every_key_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "tablier.toml"
    path.write_text(EVERYTHING, encoding="utf-8")
    loaded = load_config(path)
    config = loaded.config
    assert (config.board, config.bus, config.rate_hz) == ("my-board.toml", "/dev/i2c-3", 50)
    assert config.look == Look(Palette.RED_GREEN, 0.5, night=True, night_brightness=0.1)
    assert config.power_limit_ma == 900
    assert (config.web.host, config.web.port) == ("0.0.0.0", 8081)
    assert config.web.allowed_hosts == ("board.example.org",)
    assert set(loaded.sources.values()) == {str(path)}


def test_the_source_of_each_value_is_known() -> None:
    sources = parse_config("[web]\nport = 9000\n", "mine.toml").sources
    assert sources["web.port"] == "mine.toml"
    assert sources["web.host"] == "default"


def test_all_faults_are_said_at_once_with_key_value_and_what_is_allowed() -> None:
    document = """
    board = 7
    lights = "bright"
    colour = "red"
    [sensors]
    rate_hz = 1000
    ratehz = 25
    [web]
    port = "80"
    allowed_hosts = "all"
    """
    with pytest.raises(ConfigError) as caught:
        parse_config(document, "mine.toml")
    assert caught.value.faults == (
        "board is 7, must be a text that is not empty",
        "lights is 'bright', must be a table: [lights]",
        f"colour is unknown; allowed are {', '.join(KEYS)}",
        "sensors.rate_hz is 1000, must be a whole number from 5 to 100",
        "sensors.ratehz is unknown; did you mean sensors.rate_hz?",
        "web.port is '80', must be a whole number from 0 to 65535",
        "web.allowed_hosts is 'all', must be a list of names, e.g. [\"board.example.org\"]",
    )
    assert str(caught.value).startswith("mine.toml: board is 7")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[lights]\nbrightness = 1.5", "lights.brightness is 1.5, must be a number from 0 to 1"),
        ("[lights]\nbrightness = nan", "lights.brightness is nan, must be a number from 0 to 1"),
        ("[lights]\nnight = 1", "lights.night is 1, must be true or false"),
        ("[lights]\npalette = 'neon'", "must be one of default, red_green, blue_yellow"),
        ("[sensors]\nrate_hz = true", "sensors.rate_hz is True, must be a whole number"),
        ("board = ' '", "board is ' ', must be a text that is not empty"),
        ("board.name = 'x'", "board is {'name': 'x'}, must be a text"),
        ("board = ", "is not valid TOML: "),
    ],
)
def test_a_fault_in_a_value(line: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(line, "mine.toml")
    assert said in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load_config(tmp_path / "none.toml")
    path = tmp_path / "tablier.toml"
    path.write_bytes(b"\xff\xff")
    with pytest.raises(ConfigError, match="is not a UTF-8 text"):
        load_config(path)


def test_the_file_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system, user = tmp_path / "etc.toml", tmp_path / "home.toml"
    monkeypatch.setattr(folders, "SYSTEM_CONFIG", system)
    monkeypatch.setattr(folders, "user_config", lambda: user)
    assert folders.find_config(None) is None
    user.write_text("", encoding="utf-8")
    assert folders.find_config(None) == user
    system.write_text("", encoding="utf-8")
    assert folders.find_config(None) == system
    assert folders.find_config("named.toml") == Path("named.toml")


def test_the_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/home/me/state")
    assert folders.find_data("mine", {"STATE_DIRECTORY": "/var/lib/tablier"}) == Path("mine")
    assert folders.find_data(None, {"STATE_DIRECTORY": "/var/lib/tablier:/other"}) == Path("/var/lib/tablier")
    assert folders.find_data(None, {}) == Path("/home/me/state/tablier")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/home/me/config")
    assert folders.user_config() == Path("/home/me/config/tablier/tablier.toml")
