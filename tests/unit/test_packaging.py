"""What is shipped, and how: the wheel, the lock files, the root commands."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("controller", "engines", "firmware", "hardware", "web")
NEVER_SHIPPED = re.compile(r"__pycache__|\.pyc$|\.pot$")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the build reads, so that nothing is left in the checkout and nothing old gets in."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for name in PACKAGES:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "tests").mkdir()
    (copy / "tests/__init__.py").touch()
    return copy


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", build, str(folder)], cwd=checkout, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def files_below(folder: Path, names: tuple[str, ...]) -> set[str]:
    paths = (path for name in names for path in (folder / name).rglob("*") if path.is_file())
    return {
        relative
        for relative in (path.relative_to(folder).as_posix() for path in paths)
        if not NEVER_SHIPPED.search(relative)
    }


def locked(name: str) -> dict[str, list[str]]:
    """The requirements of a lock file, as written, with their hashes."""
    found: dict[str, list[str]] = {}
    entry = ""
    for line in (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("    --hash="):
            found[entry].append(line.strip(" \\"))
        elif not line.lstrip().startswith("#"):
            entry = line.rstrip(" \\")
            found[entry] = []
    return found


# ---------------------------------------------------------------- the project file


def test_version_is_the_newest_of_the_changelog(project: dict[str, Any]) -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)
    assert versions[0] == project["project"]["version"]


def test_every_folder_with_python_is_a_listed_package(project: dict[str, Any]) -> None:
    folders = {path.parent for name in PACKAGES for path in (ROOT / name).rglob("*.py")}
    found = {folder.relative_to(ROOT).as_posix().replace("/", ".") for folder in folders}
    assert sorted(project["tool"]["setuptools"]["packages"]) == sorted(found)
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_build_group_is_what_builds_the_project(project: dict[str, Any]) -> None:
    assert project["dependency-groups"]["build"] == project["build-system"]["requires"]


# ---------------------------------------------------------------- the wheel


def test_wheel_holds_the_packages_whole_and_nothing_else(
    project: dict[str, Any], wheel: Path, unpacked: Path, checkout: Path
) -> None:
    metadata = unpacked / f"{'-'.join(wheel.stem.split('-')[:2])}.dist-info"
    shipped = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    code = {path for path in shipped if not path.startswith(metadata.name)}
    assert code == files_below(checkout, PACKAGES)
    command = f"tablier = {project['project']['scripts']['tablier']}"
    assert command in (metadata / "entry_points.txt").read_text(encoding="utf-8")
    assert (metadata / "licenses/LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@pytest.mark.parametrize(
    "needed",
    [
        "hardware/boards/avalam.toml",
        "web/locales/en/LC_MESSAGES/tablier.po",
        "web/locales/fr/LC_MESSAGES/tablier.po",
        "web/static/index.html",
    ],
)
def test_wheel_holds_data(unpacked: Path, needed: str) -> None:
    assert (unpacked / needed).read_bytes() == (ROOT / needed).read_bytes()


def test_command_runs_from_the_wheel_alone(unpacked: Path, tmp_path: Path) -> None:
    call = (
        "import sys, web.main as m; print(m.__file__, flush=True); sys.exit(m.main(['perft', 'avalam', '1']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", call],
        cwd=tmp_path,
        env={"PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [str(unpacked / "web/main.py"), "perft(1) = 292"]


# ---------------------------------------------------------------- the lock files


def needs(project: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each requirement of the project file with each lock file that must satisfy it."""
    base = project["project"]["dependencies"] + project["dependency-groups"]["build"]
    lists = {
        "run.lock": base,
        "pi.lock": base + project["project"]["optional-dependencies"]["pi"],
        "dev.lock": base + project["dependency-groups"]["dev"],
        "docs.lock": project["dependency-groups"]["docs"],
    }
    yield from ((lock, requirement) for lock, wanted in lists.items() for requirement in wanted)


def test_lock_files_satisfy_the_project_file(project: dict[str, Any]) -> None:
    """Fails after a change of dependencies: run `make lock`."""
    unmet = []
    for lock, text in needs(project):
        wanted = Requirement(text)
        pins = [Requirement(entry) for entry in locked(lock)]
        same = [pin for pin in pins if pin.name.lower() == wanted.name.lower()]
        versions = [next(iter(pin.specifier)).version for pin in same]
        if not versions or not all(wanted.specifier.contains(version) for version in versions):
            unmet.append((lock, text, versions))
    assert unmet == []


@pytest.mark.parametrize("name", ["run.lock", "pi.lock", "dev.lock", "docs.lock"])
def test_lock_file_pins_and_hashes_everything_and_names_no_place(name: str) -> None:
    entries = locked(name)
    assert len(entries) > 10
    assert [entry for entry in entries if not re.match(r"[a-z0-9-]+==\S+( ; .+)?$", entry)] == []
    assert [entry for entry, hashes in entries.items() if not hashes] == []
    assert "://" not in (ROOT / "requirements" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["pi.lock", "dev.lock"])
def test_run_list_is_part_of_every_list_that_runs(name: str) -> None:
    assert locked("run.lock").items() <= locked(name).items()


# ---------------------------------------------------------------- the root commands


@pytest.mark.parametrize(
    "script", ["simulate.sh", "test.sh", *(f"tools/{p.name}" for p in sorted((ROOT / "tools").glob("*.sh")))]
)
def test_script_is_valid_sh(script: str) -> None:
    done = subprocess.run(["sh", "-n", str(ROOT / script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_ci_script_is_valid_bash() -> None:
    done = subprocess.run(["bash", "-n", str(ROOT / ".ci/run")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
