"""Laws of settings: defaults, all declared values, and a refusal that names what is allowed."""

from __future__ import annotations

import pytest

from engines.errors import SettingError, UnknownGameError
from engines.registry import game, games


@pytest.mark.parametrize("name", games())
class TestSettings:
    def test_the_registry_gives_the_game_of_that_name(self, name: str) -> None:
        assert game(name).name == name
        assert game(name) is game(name)

    def test_defaults_are_what_holds_when_nothing_is_said(self, name: str) -> None:
        defaults = {setting.name: setting.default for setting in game(name).settings}
        assert game(name).initial(**defaults) == game(name).initial()

    def test_every_declared_value_begins_a_game_of_its_own(self, name: str) -> None:
        for setting in game(name).settings:
            assert len(set(setting.allowed)) == len(setting.allowed) > 0
            for value in setting.allowed[1:]:
                assert game(name).initial(**{setting.name: value}) != game(name).initial()

    def test_a_wrong_value_is_refused_naming_what_is_allowed(self, name: str) -> None:
        for setting in game(name).settings:
            with pytest.raises(SettingError) as caught:
                game(name).initial(**{setting.name: "nonsense"})
            for part in (setting.name, "nonsense", *setting.allowed):
                assert part in str(caught.value)

    def test_an_unknown_setting_is_refused_naming_what_there_is(self, name: str) -> None:
        for call in (game(name).initial, lambda **given: game(name).parse_position("", **given)):
            with pytest.raises(SettingError) as caught:
                call(no_such_setting="1")
            for part in ("no_such_setting", *(setting.name for setting in game(name).settings)):
                assert part in str(caught.value)

    def test_players_are_a_sensible_range(self, name: str) -> None:
        fewest, most = game(name).players
        assert 1 <= fewest <= most


def test_an_unknown_game_is_refused_naming_those_that_exist() -> None:
    with pytest.raises(UnknownGameError) as caught:
        game("chess")
    for part in ("chess", *games()):
        assert part in str(caught.value)


def test_games_are_listed_in_order() -> None:
    assert list(games()) == sorted(games())
    assert "avalam" in games()
