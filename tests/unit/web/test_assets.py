"""The page's files: addresses that change with their contents, caching, zipping."""

from __future__ import annotations

import gzip
import re

import pytest
from fastapi.testclient import TestClient

from web.assets import Assets, asset, load_assets

PAGE = (
    b'<link href="/static/{{build}}/a.css">{{modules}}'
    b'<script type="module" src="/static/{{build}}/b.js"></script>'
)
FILES = {"index.html": PAGE, "a.css": b"a{}" * 200, "b.js": b"export {};"}


def test_a_changed_file_changes_the_build() -> None:
    one, same, other = (Assets(dict(FILES) | more) for more in ({}, {}, {"b.js": b"export {}"}))
    assert one.build == same.build
    assert one.build != other.build


def test_a_changed_page_changes_the_build() -> None:
    assert Assets(dict(FILES)).build != Assets(dict(FILES) | {"index.html": PAGE + b"!"}).build


def test_the_page_names_its_files_by_build() -> None:
    assets = Assets(dict(FILES))
    page = assets.page.body.decode()
    assert f'href="/static/{assets.build}/a.css"' in page
    assert f'<link rel="modulepreload" href="/static/{assets.build}/b.js">' in page
    assert "{{" not in page


def test_each_page_loads_its_own_modules_and_what_they_import() -> None:
    other = b'{{modules}}<script type="module" src="/static/{{build}}/c.js"></script>'
    modules = {
        "c.js": b'import { d } from "./d.js";\nimport {\n  a,\n  b,\n} from "./e.js";',
        "d.js": b'export { c } from "./c.js";',
        "e.js": b"export const a = 1, b = 2;",
    }
    assets = Assets(dict(FILES) | {"other.html": other} | modules)
    preloaded = re.compile(r'modulepreload" href="/static/\w+/(\w+\.js)"')
    assert preloaded.findall(assets.page.body.decode()) == ["b.js"]
    assert preloaded.findall(assets.pages["other"].body.decode()) == ["c.js", "d.js", "e.js"]


def test_files_of_another_build_are_not_mixed_in() -> None:
    assets = Assets(dict(FILES))
    assert assets.get(assets.build, "a.css") is not None
    assert assets.get("0123456789abcdef", "a.css") is None
    assert assets.get(assets.build, "../a.css") is None


def test_what_zipping_does_not_shorten_stays_as_it_is() -> None:
    assert asset("a.css", b"short").zipped is None
    zipped = asset("a.css", b"long" * 500).zipped
    assert zipped is not None
    assert gzip.decompress(zipped) == b"long" * 500


def test_a_first_visit_is_small() -> None:
    assert load_assets().first_visit_bytes() < 200_000


# ---------------------------------------------------------------- over HTTP


def test_the_page_is_asked_for_anew_each_time_but_sent_only_if_it_changed(client: TestClient) -> None:
    first = client.get("/")
    assert first.status_code == 200
    assert first.headers["cache-control"] == "no-cache"
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    again = client.get("/", headers={"if-none-match": f'"other", W/{first.headers["etag"]}'})
    assert again.status_code == 304
    assert again.content == b""


def test_files_are_kept_for_ever(client: TestClient) -> None:
    build = load_assets().build
    answer = client.get(f"/static/{build}/main.js")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("accepted", ["identity", "br", "gzip;q=0", "x-gzip-like"])
def test_who_cannot_unzip_gets_it_plain(client: TestClient, accepted: str) -> None:
    plain = client.get("/", headers={"accept-encoding": accepted})
    assert "content-encoding" not in plain.headers
    assert plain.headers["etag"] != client.get("/").headers["etag"]


@pytest.mark.parametrize("name", ["main.js", "../app.py", "%2e%2e/app.py", "index.html", "types.d.ts", ""])
def test_nothing_else_is_served(client: TestClient, name: str) -> None:
    answer = client.get(f"/static/{'0' * 16}/{name}")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


def test_there_is_an_icon_for_those_who_guess_its_address(client: TestClient) -> None:
    assert client.get("/favicon.ico").headers["content-type"] == "image/svg+xml"
