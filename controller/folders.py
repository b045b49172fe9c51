"""Where the configuration and the data are: what the caller names, then the system's, then the user's."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import platformdirs

NAME = "tablier"
CONFIG_NAME = "tablier.toml"
SYSTEM_CONFIG = Path("/etc/tablier") / CONFIG_NAME


def user_config() -> Path:
    """The configuration file of this user, there or not."""
    return platformdirs.user_config_path(NAME, appauthor=False) / CONFIG_NAME


def find_config(named: str | None) -> Path | None:
    """The configuration file to read: the one named, else the system's, else the user's, else none."""
    if named is not None:
        return Path(named)
    return next((path for path in (SYSTEM_CONFIG, user_config()) if path.exists()), None)


def find_data(named: str | None, environment: Mapping[str, str] = os.environ) -> Path:
    """The data folder: the one named, else the service's, else the user's. It may not exist yet."""
    if named is not None:
        return Path(named)
    if service := environment.get("STATE_DIRECTORY"):
        return Path(service.partition(":")[0])  # systemd lists several, the first is ours
    return platformdirs.user_state_path(NAME, appauthor=False)
