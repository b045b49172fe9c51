"""Whose turn it is to be checked."""

from __future__ import annotations

from hardware.sensing.rota import Check, CheckRota

POSTS = ["a", "b", "c"]


def scan(rota: CheckRota[str], posts: list[str], up: str = "abc") -> dict[str, Check]:
    rota.begin(lambda post: post in up)
    found = {post: rota.grant_turn(post) for post in posts}
    return {post: check for post, check in found.items() if check is not None}


def test_one_a_scan_configuration_first_then_identity() -> None:
    rota = CheckRota(POSTS, 1)
    first = [scan(rota, POSTS) for _ in range(3)]
    second = [scan(rota, POSTS) for _ in range(3)]
    assert first == [{p: Check.CONFIGURATION} for p in POSTS]
    assert second == [{p: Check.IDENTITY} for p in POSTS]
    assert scan(rota, POSTS) == {"a": Check.CONFIGURATION}


def test_two_a_scan() -> None:
    rota = CheckRota(POSTS, 2)
    assert scan(rota, POSTS) == {"a": Check.CONFIGURATION, "b": Check.CONFIGURATION}
    assert scan(rota, POSTS) == {"c": Check.CONFIGURATION, "a": Check.IDENTITY}


def test_those_that_are_down_are_passed_over() -> None:
    rota = CheckRota(POSTS, 1)
    assert scan(rota, POSTS, up="c") == {"c": Check.CONFIGURATION}
    assert scan(rota, POSTS, up="bc") == {"b": Check.IDENTITY}
    assert scan(rota, POSTS, up="") == {}


def test_a_turn_is_granted_once() -> None:
    rota = CheckRota(POSTS, 1)
    rota.begin(lambda _post: True)
    assert rota.grant_turn("a") is Check.CONFIGURATION
    assert rota.grant_turn("a") is None


def test_a_doubt_takes_the_scans_check() -> None:
    rota = CheckRota(POSTS, 1)
    rota.begin(lambda _post: True)
    assert rota.grant_doubt()
    assert rota.grant_turn("a") is None
    assert not rota.grant_doubt()


def test_a_doubt_that_came_too_late_has_the_next_scan() -> None:
    rota = CheckRota(POSTS, 1)
    rota.begin(lambda _post: True)
    assert rota.grant_turn("a") is not None
    assert not rota.grant_doubt()
    assert scan(rota, POSTS) == {}
    assert scan(rota, POSTS) == {"b": Check.CONFIGURATION}


def test_after_a_restart_every_doubt_is_looked_into_until_the_scan_ends() -> None:
    rota = CheckRota(POSTS, 1)
    rota.begin(lambda _post: True)
    assert rota.grant_doubt()
    rota.found_trouble()
    assert rota.grant_doubt()
    assert rota.grant_doubt()
    rota.begin(lambda _post: True)
    assert rota.grant_doubt()
    assert not rota.grant_doubt()


def test_no_checks_at_all() -> None:
    rota = CheckRota(POSTS, 0)
    assert scan(rota, POSTS) == {}
    assert not rota.grant_doubt()
