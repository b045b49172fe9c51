"""A chip at its place: brought up, checked, believed."""

from __future__ import annotations

import pytest

from hardware.errors import WrongDeviceError
from hardware.sensing.post import Post, Wiring
from hardware.sensing.rota import Check


class Switches:
    """A digital chip of two places."""

    cells = ("a1", "b1")

    def __init__(self, *, has_noise: bool = False) -> None:
        self.has_noise = has_noise
        self.right = True
        self.set_up = False
        self.configurations = 0

    def identify(self) -> None:
        if not self.right:
            raise WrongDeviceError("not me")

    def configure(self) -> None:
        self.set_up = True
        self.configurations += 1

    def is_configured(self) -> bool:
        return self.set_up

    def read(self) -> tuple[int, ...]:
        return (1, 0)

    def looks_restarted(self, raw: tuple[int, ...], before: tuple[int, ...] | None) -> bool:
        return False

    def values(self, raw: tuple[int, ...]) -> tuple[float, ...]:
        return tuple(float(bit) for bit in raw)


def post_of(chip: Switches) -> Post:
    return Post(Wiring(0x70, 3, chip))


def test_bringing_up_configures_only_what_is_not_configured() -> None:
    chip = Switches()
    post = post_of(chip)
    assert (post.mux, post.channel, post.watch.where) == (0x70, 3, ("a1", "b1"))
    post.bring_up(100)
    assert post.watch.is_up
    assert post.watch.is_fresh(101)
    post.watch.begin_anew()
    post.bring_up(1_000)
    assert chip.configurations == 1
    assert not post.watch.is_fresh(1_000)


def test_another_chip_does_not_come_up() -> None:
    chip = Switches()
    chip.right = False
    post = post_of(chip)
    with pytest.raises(WrongDeviceError):
        post.bring_up(0)
    assert post.watch.needs_bring_up


def test_checks() -> None:
    chip = Switches()
    post = post_of(chip)
    assert post.passes(None, 0)
    assert not post.passes(Check.CONFIGURATION, 0)
    assert [fault.code for fault in post.watch.faults(0)] == ["restarted", "restarted"]
    assert chip.configurations == 1
    assert post.passes(Check.CONFIGURATION, 0)
    assert post.passes(Check.IDENTITY, 0)
    chip.right = False
    with pytest.raises(WrongDeviceError):
        post.passes(Check.IDENTITY, 0)


def test_a_digital_chip_may_say_the_same_for_ever() -> None:
    post = post_of(Switches())
    for now_ms in range(0, 20_000, 40):
        assert post.accept((1, 0), now_ms) == {"a1": 1.0, "b1": 0.0}


def test_an_analogue_chip_may_not_and_is_configured_anew() -> None:
    chip = Switches(has_noise=True)
    post = post_of(chip)
    frozen_at = [now_ms for now_ms in range(0, 9_000, 40) if not post.accept((1, 0), now_ms)]
    assert frozen_at[0] == 3_000
    assert frozen_at == list(range(3_000, 9_000, 40))
    assert chip.configurations == 2
    assert post.accept((1, 1), 9_000) == {"a1": 1.0, "b1": 1.0}
