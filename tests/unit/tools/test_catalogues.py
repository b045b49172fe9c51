"""The check of the message catalogues finds each kind of fault, and nothing where there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.catalogues import main

HEADER = r"""msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=2; plural=n != 1;\n"

"""
TURN = 'msgid "status.turn"\nmsgstr "{player} to move"\n\n'
DRAW = 'msgid "status.draw"\nmsgstr "A draw"\n\n'
THEME = 'msgid "theme.dark"\nmsgstr "dark"\n\n'
TITLE = 'msgid "board.title"\nmsgstr "Board"\n\n'
HIGH = 'msgid "reason.too_high"\nmsgstr "Too high: {0} + {1}"\n\n'
COUNT = 'msgid "moves.count"\nmsgid_plural "moves.count"\nmsgstr[0] "{n} move"\nmsgstr[1] "{n} moves"\n\n'
ALL = TURN + DRAW + THEME + TITLE + HIGH + COUNT

Check = Callable[..., list[str]]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """The lines that the check prints for the bodies of two catalogues."""
    sources = {
        "web/static/page.js": 'a(texts.t("status.turn", { player })); b(late ? "status.draw" : "");'
        ' c(`theme.${name}`); d(texts.t("moves.count", { n })); e("tablier.theme"); f("./page.js");',
        "web/static/index.html": '<h2 data-t-label="board.title"></h2>',
        "engines/rules.py": 'raise Reason("too_high", (4, 2))',
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    def lines(english: str = ALL, french: str = ALL) -> list[str]:
        for tag, body in (("en", english), ("fr", french)):
            folder = tmp_path / "web/locales" / tag / "LC_MESSAGES"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "tablier.po").write_text(HEADER + body, encoding="utf-8")
        status = main([str(tmp_path)])
        out, err = capsys.readouterr()
        said = (out + err).splitlines()
        assert status == (0 if said == ["en, fr: 6 texts each"] else 1)
        return said

    return lines


def test_whole_catalogues_pass(check: Check) -> None:
    assert check() == ["en, fr: 6 texts each"]


def test_text_that_one_language_lacks(check: Check) -> None:
    assert check(french=ALL.replace(DRAW, "")) == ["fr: status.draw is missing"]


def test_text_that_only_one_language_has(check: Check) -> None:
    extra = 'msgid "status.old"\nmsgstr "x"\n'
    assert check(french=ALL + extra) == ["fr: status.old is not in en"]


def test_empty_text(check: Check) -> None:
    assert check(french=ALL.replace("A draw", "")) == ["fr: status.draw has no text"]


def test_form_without_text(check: Check) -> None:
    assert check(french=ALL.replace("{n} moves", "")) == ["fr: moves.count has no text"]


def test_fuzzy_text(check: Check) -> None:
    assert check(french=ALL.replace(DRAW, "#, fuzzy\n" + DRAW)) == ["fr: status.draw is marked as fuzzy"]


def test_parameter_that_one_language_lacks(check: Check) -> None:
    assert check(french=ALL.replace("{0} + {1}", "{0}")) == [
        "fr: reason.too_high has the parameters {0}, in en {0} {1}"
    ]


def test_number_that_only_one_language_counts(check: Check) -> None:
    single = 'msgid "moves.count"\nmsgstr "{n} moves"\n\n'
    assert check(french=ALL.replace(COUNT, single)) == [
        "fr: moves.count depends on a number here or in en, not in both"
    ]


@pytest.mark.parametrize(
    ("text", "key", "where"),
    [
        (TURN, "status.turn", "web/static/page.js"),
        (TITLE, "board.title", "web/static/index.html"),
        (HIGH, "reason.too_high", "engines/rules.py"),
        (DRAW, "status.draw", "web/static/page.js"),
    ],
)
def test_text_that_is_asked_for_and_missing(check: Check, text: str, key: str, where: str) -> None:
    without = ALL.replace(text, "")
    assert check(without, without) == [f"en: {key} has no text, but {where} asks for it"]


def test_text_that_nothing_asks_for(check: Check) -> None:
    extra = ALL + 'msgid "board.gone"\nmsgstr "x"\n'
    assert check(extra, extra) == ["en: board.gone has a text, but nothing asks for it"]


def test_damaged_catalogue_is_one_line(check: Check) -> None:
    (line,) = check(french='msgid "broken\n')
    assert line.startswith("a catalogue cannot be read: ")


def test_missing_reference_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().err == "there is no web/locales/en/LC_MESSAGES/tablier.po\n"
