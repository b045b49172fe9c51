"""State, board, commands, texts and health over HTTP."""

from __future__ import annotations

import json
from concurrent.futures import Future
from typing import Any

import pytest
from fastapi.testclient import TestClient

from controller.api import Snapshot
from controller.core.messages import COMMANDS
from controller.errors import BusyError
from hardware.ports import Fault
from tests.fakes.daemon import FakeDaemon
from web.access import Visitor
from web.app import create_app
from web.desk import TEXT_LIMIT_BYTES


def command(client: TestClient, **body: Any) -> Any:
    return client.post("/api/command", json=body)


# ---------------------------------------------------------------- state and board


def test_the_state_is_the_view_with_version_seq_and_faults(client: TestClient, daemon: FakeDaemon) -> None:
    daemon.faults = (Fault("nack", "e5"),)
    daemon.play("c9d8")
    body = client.get("/api/state").json()
    assert body["version"] == daemon.version
    assert body["seq"] == daemon.snapshot().seq
    assert body["view"]["moves"] == [{"player": 0, "move": "c9d8", "display": "c9>d8 (=2)"}]
    assert body["view"]["stacks"]["d8"] == [0, 0]
    assert body["view"]["faults"] == [{"code": "nack", "where": "e5", "params": []}]


def test_the_board_can_be_drawn_from_what_is_told(client: TestClient) -> None:
    board = client.get("/api/board").json()
    assert (board["name"], board["game"], board["simulated"]) == ("avalam", "avalam", True)
    assert (board["pitch_mm"], board["piece_mm"], board["piece_diameter_mm"]) == (30.0, 8.0, 25.0)
    assert len(board["cells"]) == board["pixels"] == 49
    assert {"name": "e5", "x_mm": 120.0, "y_mm": 120.0, "pixel": 24} in board["cells"]
    assert board["settings"]["tiebreak"] == ["none", "fives"]


def test_a_board_of_wood_says_so() -> None:
    with TestClient(create_app(FakeDaemon(simulated=False)), base_url="http://localhost") as client:
        assert client.get("/api/board").json()["simulated"] is False


# ---------------------------------------------------------------- commands


def test_a_command_is_answered_by_the_state_it_led_to(client: TestClient, daemon: FakeDaemon) -> None:
    daemon.play("c9d8")
    answer = command(client, command="takeback")
    assert answer.status_code == 200
    assert answer.json()["view"]["moves"] == []
    assert answer.json()["seq"] == daemon.snapshot().seq


def test_a_refusal_is_a_problem_document_with_its_reason(client: TestClient) -> None:
    headers = {"accept-language": "fr-FR"}
    answer = client.post("/api/command", json={"command": "takeback"}, headers=headers)
    assert answer.status_code == 409
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["content-language"] == "fr"
    assert answer.json() == {
        "type": "urn:tablier:problem:refused",
        "title": "Refusé",
        "status": 409,
        "detail": "Il n\N{RIGHT SINGLE QUOTATION MARK}y a aucun coup à reprendre.",
        "reason": {"code": "nothing_to_take_back", "params": []},
    }


def test_parameters_of_a_reason_reach_the_reader(client: TestClient) -> None:
    answer = command(client, command="new_game", settings={"setup": "upside down"})
    assert answer.json()["detail"] == "The setting setup cannot be upside down."
    assert answer.json()["reason"]["params"] == ["setup", "upside down"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"takeback"',
        b"null",
        b"\xff\xfe",
        b'{"command": "explode"}',
        b'{"command": "takeback", "plies": "1"}',
        b'{"command": "takeback", "plies": -1}',
        b'{"command": "takeback", "plies": true}',
        b'{"command": "takeback", "speed": 1}',
        b'{"command": "resign"}',
        b'{"command": ["resign"]}',
        b'{"command": "answer", "move": "\\ud800"}',
        b'{"command": "takeback", "id": 7}',
        b'{"command": "takeback", "id": ""}',
        b"[" * 4000,
        b'{"command": "takeback", "plies": 1e400}',
    ],
)
def test_what_is_no_command_is_refused_and_changes_nothing(
    client: TestClient, daemon: FakeDaemon, body: bytes
) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post("/api/command", content=body, headers=headers)
    assert answer.status_code == 400
    assert answer.json()["type"] == "urn:tablier:problem:invalid"
    assert "\n" not in answer.json()["detail"]
    assert daemon.commands == []


def test_a_command_that_is_too_long_is_not_read_to_its_end(client: TestClient) -> None:
    body = json.dumps({"command": "answer", "move": "x" * TEXT_LIMIT_BYTES})
    answer = client.post("/api/command", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 413


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_form_of_another_page_cannot_command(client: TestClient, media_type: str) -> None:
    headers = {"content-type": media_type}
    answer = client.post("/api/command", content=b'{"command": "takeback"}', headers=headers)
    assert answer.status_code == 415


def test_the_same_id_is_carried_out_once(client: TestClient, daemon: FakeDaemon) -> None:
    daemon.play("c9d8", "b7c7")
    for _ in range(2):
        answer = command(client, command="takeback", id="one")
        assert answer.status_code == 200
        assert len(answer.json()["view"]["moves"]) == 1
    assert command(client, command="takeback", id="two").json()["view"]["moves"] == []


def test_too_many_commands_are_told_to_come_again(
    client: TestClient, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    full: Future[Snapshot] = Future()
    full.set_exception(BusyError("32 commands wait already"))
    monkeypatch.setattr(daemon, "submit", lambda _command: full)
    answer = command(client, command="takeback", id="one")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    monkeypatch.undo()
    daemon.play("c9d8")
    assert command(client, command="takeback", id="one").status_code == 200, "it was never carried out"


def test_a_fault_of_the_program_tells_nothing_of_its_inside(
    client: TestClient, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: Future[Snapshot] = Future()
    broken.set_exception(RuntimeError("secret path /var/lib"))
    monkeypatch.setattr(daemon, "submit", lambda _command: broken)
    answer = command(client, command="takeback")
    assert answer.status_code == 500
    assert "secret" not in answer.text


class Spectators:
    """Nobody controls anything."""

    def may_control(self, visitor: Visitor) -> bool:
        assert visitor.address == "testclient"
        assert visitor.headers["x-who"] == "me"
        return False

    def may_inspect(self, visitor: Visitor) -> bool:
        return False


def test_who_only_watches_cannot_command(daemon: FakeDaemon) -> None:
    app = create_app(daemon, access=Spectators())
    with TestClient(app, base_url="http://localhost", headers={"x-who": "me"}) as client:
        answer = command(client, command="resign", player=0)
        assert answer.status_code == 403
        assert answer.json()["type"] == "urn:tablier:problem:watching_only"
        assert client.get("/api/state").status_code == 200
    assert daemon.commands == []


# ---------------------------------------------------------------- texts, health, errors, documents


def test_the_languages_and_the_one_that_suits(client: TestClient) -> None:
    body = client.get("/api/catalog", headers={"accept-language": "fr-CA"}).json()
    assert body["languages"] == {"en": "English", "fr": "français"}
    assert body["suited"] == "fr"


def test_a_language_comes_with_its_texts_and_its_plurals(client: TestClient) -> None:
    body = client.get("/api/catalog/fr").json()
    assert body["messages"]["player.red"] == "Rouge"
    assert body["messages"]["moves.count"] == ["{n} coup", "{n} coups"]
    assert body["plural_forms"][:3] == [0, 0, 1]


@pytest.mark.parametrize("lang", ["xx", "EN", "fr.po", "..%2ffr"])
def test_an_unknown_language_is_named(client: TestClient, lang: str) -> None:
    answer = client.get(f"/api/catalog/{lang}")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


def test_health_is_good_with_faults_and_bad_only_without_play(client: TestClient, daemon: FakeDaemon) -> None:
    assert client.get("/health").json()["status"] == "ok"
    daemon.faults = (Fault("bus_lost", "/dev/i2c-1", ("errno 121",)),)
    daemon.publish()
    degraded = client.get("/health")
    assert (degraded.status_code, degraded.json()["status"]) == (200, "degraded")
    assert degraded.json()["faults"] == [{"code": "bus_lost", "where": "/dev/i2c-1", "params": ["errno 121"]}]
    assert degraded.json()["daemon"]["rate_hz"] == 25.0
    daemon.break_down()
    down = client.get("/health")
    assert (down.status_code, down.json()["status"]) == (503, "down")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/no/such/page", 404, "not_found"),
        ("DELETE", "/api/state", 405, "method_not_allowed"),
        ("GET", "/api/command", 405, "method_not_allowed"),
    ],
)
def test_every_error_is_a_problem_document(
    client: TestClient, method: str, path: str, status: int, code: str
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert answer.json()["type"] == f"urn:tablier:problem:{code}"
    assert answer.json()["status"] == status


def test_an_error_nobody_foresaw_is_a_problem_document_too(
    daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> dict[str, tuple[str, ...]]:
        raise RuntimeError("secret")

    monkeypatch.setattr(daemon, "settings", broken)
    app = create_app(daemon)
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        answer = client.get("/api/board")
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert "secret" not in answer.text


def test_openapi_describes_every_command_and_the_state(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert {"/api/state", "/api/board", "/api/command", "/api/catalog/{lang}", "/health"} <= set(
        document["paths"]
    )
    body = document["paths"]["/api/command"]["post"]["requestBody"]["content"]["application/json"]
    assert [variant["title"] for variant in body["schema"]["oneOf"]] == list(COMMANDS)
    assert "PublicView" in document["components"]["schemas"]


def test_its_viewer_needs_nothing_from_elsewhere(client: TestClient) -> None:
    page = client.get("/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "<code>POST /api/command</code>" in page.text
    assert "<script" not in page.text
    assert "://" not in page.text.replace("http://localhost", "")
