"""Who is let in: names, origins, sizes; and what every answer carries."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse

from tests.fakes.daemon import FakeDaemon
from web.app import create_app
from web.guard import BODY_LIMIT, HostPolicy, host_name


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("localhost", "localhost"),
        ("LocalHost:8080", "localhost"),
        ("board.local.:80", "board.local"),
        ("[::1]:8080", "::1"),
        ("192.168.1.5:8080", "192.168.1.5"),
        (None, None),
        ("", None),
        ("localhost:port", None),
        ("localhost:99999", None),
        ("user@localhost", None),
        ("localhost/evil", None),
        ("localhost, evil", None),
        ("[::1", None),
    ],
)
def test_the_name_in_a_host_header(header: str | None, name: str | None) -> None:
    assert host_name(header) == name


@pytest.mark.parametrize(
    ("host", "own", "allowed"),
    [
        ("board.local:8080", "10.0.0.7", True),
        ("Board.Local", None, True),
        ("10.0.0.7:8080", "10.0.0.7", True),
        ("10.0.0.8:8080", "10.0.0.7", False),
        ("[fe80::1]:8080", "fe80::1%eth0", True),
        ("10.0.0.7", "::ffff:10.0.0.7", True),
        ("evil.example", "10.0.0.7", False),
        ("10.0.0.7.evil.example", "10.0.0.7", False),
        ("10.0.0.7", None, False),
        (None, "10.0.0.7", False),
    ],
)
def test_a_board_answers_to_its_names_and_to_the_address_it_was_reached_at(
    host: str | None, own: str | None, allowed: bool
) -> None:
    assert HostPolicy(["board.local"]).allows(host, own) is allowed


def test_a_request_for_another_name_is_misdirected(client: TestClient) -> None:
    answer = client.get("/api/state", headers={"host": "evil.example", "accept-language": "fr"})
    assert answer.status_code == 421
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:tablier:problem:wrong_host"
    assert answer.json()["title"] == "Ce plateau porte un autre nom"


@pytest.mark.parametrize("path", ["/", "/health", "/openapi.json", "/static/x/main.js", "/no/such/page"])
def test_no_page_is_shown_under_another_name(client: TestClient, path: str) -> None:
    assert client.get(path, headers={"host": "evil.example"}).status_code == 421


def test_two_host_headers_are_none(client: TestClient) -> None:
    twice = [("host", "localhost"), ("host", "evil.example")]
    assert client.get("/health", headers=twice).status_code == 421


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "http://localhost:3000", "null", "", "http://localhost:8080.evil.example"],
)
def test_a_command_from_another_site_is_not_obeyed(
    client: TestClient, daemon: FakeDaemon, origin: str
) -> None:
    answer = client.post("/api/command", json={"command": "resign", "player": 0}, headers={"origin": origin})
    assert answer.status_code == 403
    assert answer.json()["type"] == "urn:tablier:problem:foreign_origin"
    assert daemon.commands == []


@pytest.mark.parametrize("origin", ["http://localhost:8080", "https://localhost:8080"])
def test_the_boards_own_page_may_command(client: TestClient, origin: str) -> None:
    body = {"command": "resign", "player": 0}
    assert client.post("/api/command", json=body, headers={"origin": origin}).status_code == 200


def test_a_browser_that_says_cross_site_is_believed(client: TestClient) -> None:
    headers = {"sec-fetch-site": "cross-site"}
    body = {"command": "resign", "player": 0}
    assert client.post("/api/command", json=body, headers=headers).status_code == 403
    assert client.get("/", headers=headers).status_code == 200, "following a link is no attack"


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"origin": "https://evil.example"}, 403), ({"host": "evil.example"}, 421), ({"origin": "null"}, 403)],
)
def test_a_websocket_from_elsewhere_is_refused_before_it_opens(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    refused = pytest.raises(WebSocketDenialResponse)
    with refused as denial, client.websocket_connect("ws://localhost:8080/ws", headers=headers):
        pass
    assert denial.value.status_code == status


def test_a_large_body_is_not_read(client: TestClient) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post("/api/command", content=b" " * (BODY_LIMIT + 1), headers=headers)
    assert answer.status_code == 413


@pytest.mark.parametrize("path", ["/", "/api/state", "/health", "/docs", "/no/such/page", "/favicon.ico"])
def test_every_answer_is_locked_down(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = dict(part.partition(" ")[::2] for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["base-uri"] == "'none'"
    for kind in ("script-src", "style-src", "img-src", "connect-src"):
        assert policy[kind] == "'self'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_names_can_be_added() -> None:
    app = create_app(FakeDaemon(), allowed_hosts=["board.example.org"])
    with TestClient(app, base_url="http://board.example.org") as client:
        assert client.get("/health").status_code == 200
        assert client.get("/health", headers={"host": "localhost"}).status_code == 421
