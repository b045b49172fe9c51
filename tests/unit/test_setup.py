"""The set-up behind the root commands, on stand-ins for what it calls: nothing is installed here."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Machine:
    """A folder of commands that write down how they were called; `run` has no other commands than these."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.log.touch()

    def has(self, command: str, answer: str = "", status: str = "0") -> None:
        """A command that prints `answer` and ends with `status`, which may be an expression of sh."""
        script = self.folder / command
        script.write_text(
            f'#!/bin/sh\necho "{command} $*" >>{self.log}\n{answer and f"echo {answer}"}\nexit {status}\n',
            encoding="utf-8",
        )
        script.chmod(0o755)

    def run(self, call: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", "-euc", f'root="{self.folder}"; . "{ROOT}/tools/setup.sh"; {call}'],
            env={"PATH": str(self.folder)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def calls(self, command: str) -> list[str]:
        return [
            line for line in self.log.read_text(encoding="utf-8").splitlines() if line.startswith(command)
        ]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    found = Machine(tmp_path)
    found.has("id", answer="0")
    found.has("sleep")
    (tmp_path / "env").symlink_to("/usr/bin/env")
    return found


def test_root_installs_with_apt_get(machine: Machine) -> None:
    machine.has("apt-get")
    done = machine.run("apt_install chromium fonts-dejavu-core")
    assert done.returncode == 0
    update, install = machine.calls("apt-get")
    assert update.endswith(" update")
    assert install.endswith(" install chromium fonts-dejavu-core")
    assert "--no-install-recommends" in install
    assert machine.calls("sleep") == []


def test_apt_get_is_tried_again_after_longer_and_longer_pauses(machine: Machine) -> None:
    machine.has("apt-get", status="100")
    done = machine.run("apt_install chromium")
    assert done.returncode == 1
    assert machine.calls("sleep") == ["sleep 5", "sleep 15", "sleep 30", "sleep 60"]
    assert len([call for call in machine.calls("apt-get") if "install" in call]) == 5
    assert done.stderr.splitlines()[-1] == (
        "tablier: apt-get could not install chromium; its messages above say why"
    )


def test_a_list_of_packages_that_cannot_be_renewed_does_not_stop_the_installation(machine: Machine) -> None:
    machine.has("apt-get", status='$(case "$*" in *update) echo 100;; *) echo 0;; esac)')
    assert machine.run("apt_install chromium").returncode == 0


def test_user_installs_with_sudo(machine: Machine) -> None:
    machine.has("id", answer="1000")
    machine.has("apt-get")
    machine.has("sudo")
    assert machine.run("apt_install chromium").returncode == 0
    assert machine.calls("apt-get") == []
    assert machine.calls("sudo")[-1].endswith(" install chromium")


@pytest.mark.parametrize("sudo", [None, "1"])
def test_user_without_sudo_is_told_what_to_install(machine: Machine, sudo: str | None) -> None:
    machine.has("id", answer="1000")
    machine.has("apt-get")
    if sudo:
        machine.has("sudo", status=sudo)
    done = machine.run("apt_install chromium")
    assert done.returncode == 1
    assert done.stderr == (
        "tablier: please run as root: apt-get install chromium"
        " (no root and no sudo here), then run this again\n"
    )
    assert machine.calls("apt-get") == []


def test_without_apt_get_one_is_told_what_to_install(machine: Machine) -> None:
    done = machine.run("apt_install chromium")
    assert done.returncode == 1
    assert done.stderr == (
        "tablier: please install chromium (this system has no apt-get), then run this again\n"
    )


def test_systems_own_python_comes_first(machine: Machine) -> None:
    machine.has("python3")
    machine.has("python3.12")
    assert machine.run("find_python").stdout == "python3\n"


def test_python_that_is_too_old_is_passed_over(machine: Machine) -> None:
    machine.has("python3", status="1")
    machine.has("python3.12")
    assert machine.run("find_python").stdout == "python3.12\n"


def test_python_newer_than_the_tried_ones_is_better_than_none(machine: Machine) -> None:
    machine.has("python3", status='$(case "$*" in *"(3, 14)"*) echo 1;; *) echo 0;; esac)')
    assert machine.run("find_python").stdout == "python3\n"


def test_missing_python_is_installed_and_a_system_without_one_named(machine: Machine) -> None:
    machine.has("apt-get")
    done = machine.run("require_python")
    assert done.returncode == 1
    assert machine.calls("apt-get")[-1].endswith(" install python3 python3-venv")
    assert done.stderr.splitlines()[-1].startswith("tablier: Python 3.11 or newer is needed")


def test_debians_package_for_virtual_environments_is_installed_where_it_is_missing(machine: Machine) -> None:
    machine.has("python3", status='$(case "$*" in *ensurepip*) echo 1;; *) echo 0;; esac)')
    machine.has("apt-get")
    assert machine.run("require_python").returncode == 0
    assert machine.calls("apt-get")[-1].endswith(" install python3-venv")


def test_browser_tests_get_only_what_is_missing(machine: Machine) -> None:
    python = machine.folder / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.symlink_to(machine.folder / "playwright")
    machine.has("apt-get")
    machine.has("chromium")
    machine.has("playwright")
    assert machine.run("require_browser").returncode == 0
    assert machine.calls("apt-get") == []
    machine.has("playwright", status="1")
    assert machine.run("require_browser").returncode == 0
    assert machine.calls("apt-get")[-1].endswith(" install libatomic1")
    (machine.folder / "chromium").unlink()
    assert machine.run("require_browser").returncode == 0
    assert machine.calls("apt-get")[-1].endswith(" install chromium fonts-dejavu-core libatomic1")
