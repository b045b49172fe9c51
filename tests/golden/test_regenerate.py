"""The script that writes golden files: it names what is stale, writes only that, and knows its kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import regenerate


@pytest.fixture
def golden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two generators that write into a folder of the test."""
    monkeypatch.setattr(
        regenerate,
        "GENERATORS",
        {
            "letters": lambda: [(tmp_path / "a.txt", "A\n"), (tmp_path / "deep" / "b.txt", "B\n")],
            "numbers": lambda: [(tmp_path / "1.txt", "one\n")],
        },
    )
    return tmp_path


def test_everything_is_written_and_named(golden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert regenerate.main([]) == 0
    assert (golden / "deep" / "b.txt").read_bytes() == b"B\n"
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert regenerate.main([]) == 0
    assert capsys.readouterr().out == ""


def test_only_the_kinds_named_are_written(golden: Path) -> None:
    regenerate.main(["numbers"])
    assert [path.name for path in golden.iterdir()] == ["1.txt"]


def test_check_writes_nothing(golden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    regenerate.main([])
    (golden / "a.txt").write_text("changed\n")
    capsys.readouterr()
    assert regenerate.main(["--check"]) == 1
    assert capsys.readouterr().out == f"{golden / 'a.txt'}\n"
    assert (golden / "a.txt").read_text() == "changed\n"


def test_an_unknown_kind_is_wrong_usage(golden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        regenerate.main(["colours"])
    assert caught.value.code == 2
    assert "unknown kind colours; there are letters, numbers" in capsys.readouterr().err
