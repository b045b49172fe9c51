"""How commands find a running daemon."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.control import FILE_NAME, Control, ControlFile, read_control
from controller.errors import ControllerError


def test_a_running_daemon_is_found_until_it_stops(tmp_path: Path) -> None:
    with ControlFile(tmp_path, "secret") as control:
        assert read_control(tmp_path) is None
        control.write(8080)
        assert read_control(tmp_path) == Control(os.getpid(), 8080, "secret")
        assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600
    assert read_control(tmp_path) is None


def test_a_folder_that_takes_no_file_only_hides_the_daemon(tmp_path: Path) -> None:
    with ControlFile(tmp_path / "gone", "secret") as control:
        control.write(8080)
    assert read_control(tmp_path / "gone") is None


def test_a_process_that_has_ended_is_no_daemon(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    told = {"process": ended.pid, "port": 1, "token": "secret"}
    (tmp_path / FILE_NAME).write_text(json.dumps(told), encoding="utf-8")
    assert read_control(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"process":"x","port":1,"token":""}'])
def test_a_damaged_file_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text, encoding="utf-8")
    with pytest.raises(ControllerError, match=r"control\.json: is damaged; start the daemon again"):
        read_control(tmp_path)


def test_a_file_that_cannot_be_read_says_whose_it_is(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(ControllerError, match="cannot be read: Is a directory; run this as"):
        read_control(tmp_path)
