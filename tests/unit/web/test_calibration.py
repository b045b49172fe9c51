"""A calibration as the page and the commands see it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from controller.api import News, Snapshot
from controller.core.calibrationreport import PlaceReport, Progress
from controller.core.messages import Calibrate, Command, EndCalibration, SkipPlace
from controller.errors import CommandError
from engines.base import Reason
from tests.fakes.daemon import TOKEN, FakeDaemon
from web.app import create_app

PROGRESS = Progress("carry", "single", "e5", 3, 49, "place", ("e5",), {"e5": PlaceReport(noise_mt=0.025)})
OPERATOR = {"authorization": f"Bearer {TOKEN}"}


class CalibratingDaemon(FakeDaemon):
    """A daemon that knows commands about calibrations and nothing else."""

    def submit(self, command: Command) -> Future[Snapshot]:
        self.commands.append(command)
        answer: Future[Snapshot] = Future()
        found = PROGRESS if isinstance(command, Calibrate) else None
        if isinstance(command, SkipPlace):
            answer.set_exception(CommandError(Reason("not_now")))
            return answer
        before = self._snapshot
        self._snapshot = replace(before, seq=before.seq + 1, calibration=found)
        for callback in tuple(self._callbacks):
            callback(News("view", self._snapshot))
        answer.set_result(self._snapshot)
        return answer


@pytest.fixture
def daemon() -> CalibratingDaemon:
    return CalibratingDaemon()


@pytest.fixture
def client(daemon: CalibratingDaemon) -> Iterator[TestClient]:
    with TestClient(create_app(daemon), base_url="http://localhost", client=("127.0.0.1", 50000)) as client:
        yield client


def test_a_calibration_is_part_of_the_view(client: TestClient) -> None:
    assert client.get("/api/state").json()["view"]["calibration"] is None
    with client.websocket_connect("ws://localhost/ws") as socket:
        assert socket.receive_json()["view"]["calibration"] is None
        socket.send_json({"type": "command", "id": "1", "command": "calibrate", "way": "carry"})
        told: dict[str, Any] = {}
        while "calibration" not in told:
            told = socket.receive_json().get("changes", {})
        found = told["calibration"]
    assert (found["stage"], found["cell"], found["done"], found["total"]) == ("single", "e5", 3, 49)
    assert found["places"]["e5"] == {
        "single_mt": None,
        "noise_mt": 0.025,
        "signal_to_noise": None,
        "margin": None,
        "fault": None,
        "other": None,
    }


def test_commands_lead_it_with_the_token(client: TestClient, daemon: CalibratingDaemon) -> None:
    path = "/api/control/calibration"
    assert client.get(path, headers=OPERATOR).json() == {"calibration": None}
    begun = client.post(path, json={"command": "calibrate", "way": "setup"}, headers=OPERATOR)
    assert begun.json()["calibration"]["hint"] == "place"
    refused = client.post(path, json={"command": "skip_place"}, headers=OPERATOR)
    assert (refused.status_code, refused.json()["reason"]["code"]) == (409, "not_now")
    ended = client.post(path, json={"command": "end_calibration"}, headers=OPERATOR)
    assert ended.json() == {"calibration": None}
    assert daemon.commands == [Calibrate("setup"), SkipPlace(), EndCalibration()]


def test_without_the_token_it_is_refused(client: TestClient, daemon: CalibratingDaemon) -> None:
    assert client.get("/api/control/calibration").status_code == 403
    assert client.post("/api/control/calibration", json={"command": "calibrate"}).status_code == 403
    assert daemon.commands == []
