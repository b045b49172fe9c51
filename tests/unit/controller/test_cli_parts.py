"""Small parts of the command line."""

from __future__ import annotations

import codecs
import io
import logging
from pathlib import Path

import pytest

from controller import cli
from controller.commands.base import Context
from controller.commands.serving import announce, own_addresses, qr_code
from controller.streams import escape


def written(text: str) -> bytes:
    codecs.register_error("escape-of-the-test", escape)
    return text.encode("utf-8", "escape-of-the-test")


def test_whatever_is_printed_can_be_printed() -> None:
    assert written("größe") == "größe".encode()
    assert written("gr\udcc3\udcb6") == "grö".encode()
    assert written("\ud800") == b"\\ud800"


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://localhost:81"),
        ("::1", "http://localhost:81"),
        ("board.lan", "http://board.lan:81"),
        ("fe80::1", "http://[fe80::1]:81"),
    ],
)
def test_the_address_is_one_that_can_be_clicked(host: str, address: str) -> None:
    out = io.StringIO()
    announce(Context(out, out), "avalam", host, 81)
    assert out.getvalue() == f"Tablier plays avalam: {address} (Ctrl-C stops it)\n"


def test_the_picture_for_phones_is_a_square_of_blocks() -> None:
    lines = qr_code("http://192.168.1.20:8080").splitlines()
    assert len({len(line) for line in lines}) == 1
    assert set("".join(lines)) <= set(" █▀▄")
    assert len(lines) == pytest.approx(len(lines[0]) / 2, abs=1)


def test_a_machine_without_a_network_has_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unplugged:
        def __init__(self, *_: object) -> None:
            pass

        def connect(self, _: object) -> None:
            raise OSError("Network is unreachable")

        def close(self) -> None:
            pass

    monkeypatch.setattr("controller.commands.serving.socket.socket", Unplugged)
    assert own_addresses() == []


def test_details_that_cannot_be_written_are_offered_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    assert cli._details() == "run it again with --debug for details"


def test_logging_ends_with_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    before = logging.getLogger().handlers[:]
    with cli._logging_to_stderr():
        logging.getLogger("controller").warning("the strip is lost: %s", "unplugged")
    assert capsys.readouterr().err == "tablier: the strip is lost: unplugged\n"
    assert logging.getLogger().handlers == before
