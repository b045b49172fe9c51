"""The application over a daemon without hardware, asked in process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from tests.fakes.daemon import FakeDaemon
from web.app import create_app


@pytest.fixture
def daemon() -> FakeDaemon:
    return FakeDaemon()


@pytest.fixture
def client(daemon: FakeDaemon) -> Iterator[TestClient]:
    with TestClient(create_app(daemon), base_url="http://localhost:8080") as client:
        yield client
