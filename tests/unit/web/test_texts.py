"""Catalogues: what a `.po` file becomes, whom a language suits, and that the shipped ones are complete."""

from __future__ import annotations

import logging
import re
from importlib import resources
from pathlib import Path

import pytest

from tools.catalogues import main as check_catalogues
from web.texts import Catalogue, Catalogues, load_catalogues, parse_catalogue

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: {}\\n"\n\n'
GERMANIC = HEADER.format("nplurals=2; plural=(n != 1);")
PLACES = 'msgid "places"\nmsgid_plural "places"\nmsgstr[0] "{n} place"\nmsgstr[1] "{n} places"\n\n'
TURN = 'msgid "turn"\nmsgstr "{player} to move"\n\n'


def parsed(text: str, tag: str = "en") -> Catalogue:
    return parse_catalogue(text.encode("utf-8"), tag)


def test_parameters_go_in_by_order_and_by_name() -> None:
    catalogue = parsed(GERMANIC + TURN + 'msgid "high"\nmsgstr "{0} + {1}"\n')
    assert catalogue.text("turn", {"player": "Red"}) == "Red to move"
    assert catalogue.text("high", (4, 2)) == "4 + 2"


def test_a_parameter_is_never_taken_for_a_pattern() -> None:
    assert (
        parsed(GERMANIC + 'msgid "high"\nmsgstr "{0} + {1} {2}"\n').text("high", ("{1}", 2)) == "{1} + 2 {2}"
    )


def test_a_key_without_a_text_stands_for_itself() -> None:
    assert parsed(GERMANIC).text("reason.unheard_of", (1,)) == "reason.unheard_of"


@pytest.mark.parametrize(
    ("n", "said"), [(0, "0 places"), (1, "1 place"), (2, "2 places"), (201, "201 places")]
)
def test_the_form_follows_the_number(n: int, said: str) -> None:
    assert parsed(GERMANIC + PLACES).text("places", {"n": n}) == said


def test_a_rule_with_more_forms_is_followed_to_large_numbers() -> None:
    rule = "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2);"
    forms = "".join(f'msgstr[{i}] "{name}"\n' for i, name in enumerate(("vieta", "vietos", "vietų")))
    catalogue = parsed(HEADER.format(rule) + 'msgid "places"\nmsgid_plural "places"\n' + forms, "lt")
    said = [catalogue.text("places", {"n": n}) for n in (1, 2, 11, 21, 100, 1021, 1011)]
    assert said == ["vieta", "vietos", "vietų", "vieta", "vietų", "vieta", "vietų"]


def test_fuzzy_and_empty_texts_are_left_out() -> None:
    text = GERMANIC + '#, fuzzy\nmsgid "a"\nmsgstr "x"\n\nmsgid "b"\nmsgstr ""\n\n' + TURN
    assert set(parsed(text).messages) == {"turn"}


@pytest.mark.parametrize(("text", "tag"), [(GERMANIC, "xyzzy"), (GERMANIC + "rubbish", "en")])
def test_a_damaged_catalogue_says_which_language(text: str, tag: str) -> None:
    with pytest.raises(ValueError, match=rf"^{tag}: "):
        parsed(text, tag)


def test_what_a_language_lacks_comes_from_english() -> None:
    english = parsed(GERMANIC + TURN)
    french = parsed(GERMANIC, "fr")
    assert Catalogues([french, english]).negotiate("fr").text("turn", {"player": "Rouge"}) == "Rouge to move"


@pytest.mark.parametrize(
    ("header", "tag"),
    [
        (None, "en"),
        ("", "en"),
        ("fr", "fr"),
        ("fr-CH, fr;q=0.9, en;q=0.8", "fr"),
        ("de, fr;q=0.4, en;q=0.7", "en"),
        ("FR-be", "fr"),
        ("fr;q=0, en", "en"),
        ("fr;q=rubbish", "en"),
        ("*", "en"),
        ("pt-BR, en;q=0.1", "en"),
        (";;;,,,q=1," + "x" * 10_000, "en"),
    ],
)
def test_the_most_wanted_language_there_is_suits(header: str | None, tag: str) -> None:
    assert load_catalogues().negotiate(header).tag == tag


def test_a_damaged_language_is_left_out_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for tag, text in (("en", GERMANIC + TURN), ("fr", "rubbish"), ("pt_BR", GERMANIC)):
        folder = tmp_path / "locales" / tag / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (folder / "tablier.po").write_text(text, encoding="utf-8")
    monkeypatch.setattr(resources, "files", lambda _package: tmp_path)
    with caplog.at_level(logging.WARNING):
        assert load_catalogues().languages == {"en": "English", "pt-BR": "português (Brasil)"}
    assert "catalogue left out: fr: " in caplog.text


# ---------------------------------------------------------------- the shipped catalogues


def test_every_language_says_everything_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_catalogues([]) == 0, capsys.readouterr().out


def test_reasons_and_faults_take_as_many_parameters_as_the_core_gives() -> None:
    counts = {
        "reason.too_high": 2,
        "reason.empty_target": 1,
        "reason.not_adjacent": 1,
        "reason.split_tower": 1,
        "reason.not_a_move": 0,
        "reason.occupied": 1,
        "reason.extra_piece": 1,
        "reason.missing_piece": 1,
        "reason.not_your_piece": 0,
    }
    catalogues = load_catalogues()
    for tag in catalogues.languages:
        for key, count in counts.items():
            catalogue = catalogues.get(tag)
            assert catalogue is not None
            found = set(re.findall(r"\{\w+\}", str(catalogue.messages[key])))
            assert found == {f"{{{n}}}" for n in range(count)}, (tag, key)


def test_french_keeps_its_typography() -> None:
    french = load_catalogues().get("fr")
    assert french is not None
    for key, text in french.messages.items():
        for form in [text] if isinstance(text, str) else text:
            assert "'" not in form, key
            assert not re.search(r"(?<![\u202f\u00a0])[;!?:](?!\w)", form), key
