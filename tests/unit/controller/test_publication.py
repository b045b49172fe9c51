"""What is published, to whom, and who is answered."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from dataclasses import replace

import pytest

from controller.api import News, Snapshot
from controller.publication import Publication
from hardware.ports import Colour, Fault
from tests.fakes.session import first_view

VIEW = first_view()
FAULT = Fault("strip_lost", "strip")


def test_a_view_has_the_next_number_and_pixels_belong_to_the_same() -> None:
    public = Publication(VIEW, ())
    news: list[News] = []
    public.subscribe(news.append)
    other = replace(VIEW, lifted="c9")
    public.show(other, (FAULT,))
    public.show_pixels((Colour(1, 2, 3),))
    public.show(None, ())
    assert [n.kind for n in news] == ["view", "strip", "view"]
    assert [n.snapshot for n in news] == [
        Snapshot(2, other, (FAULT,), ()),
        Snapshot(2, other, (FAULT,), (Colour(1, 2, 3),)),
        Snapshot(3, other, (), (Colour(1, 2, 3),)),
    ]
    assert public.snapshot is news[-1].snapshot


def test_whoever_ends_a_subscription_hears_no_more() -> None:
    public = Publication(VIEW, ())
    news: list[News] = []
    end = public.subscribe(news.append)
    end()
    end()
    public.tell("table")
    assert news == []


def test_a_subscriber_that_fails_does_not_harm_the_others(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: News) -> None:
        raise RuntimeError("no")

    public = Publication(VIEW, ())
    news: list[News] = []
    public.subscribe(fail)
    public.subscribe(news.append)
    with caplog.at_level(logging.ERROR):
        public.tell("table")
    assert len(news) == 1
    assert "a subscriber failed" in caplog.text


def test_answers_are_given_once_and_not_to_those_who_gave_up() -> None:
    public = Publication(VIEW, ())
    waiting: Future[Snapshot] = Future()
    gone: Future[Snapshot] = Future()
    gone.cancel()
    public.owe(waiting)
    public.owe(gone)
    public.answer()
    assert waiting.result(0) is public.snapshot
    late: Future[Snapshot] = Future()
    public.owe(late)
    public.refuse(RuntimeError("over"))
    with pytest.raises(RuntimeError, match="over"):
        late.result(0)
