"""The manual and the READMEs: French and English say as much, and links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
TWINS = [(ROOT / "README.md", ROOT / "README.fr.md")] + [
    (page, DOCS / "fr" / page.relative_to(DOCS / "en")) for page in sorted((DOCS / "en").rglob("*.md"))
]


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def shape(page: Path) -> list[str]:
    """What a page is made of, without its words: headings by level, table rows, list items, code as it is."""
    parts = []
    in_code = False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            in_code = not in_code
            parts.append(line)
        elif in_code:
            parts.append(line.partition("#")[0].rstrip())
        elif mark := re.match(r"#+ |\||- ", line):
            parts.append(mark[0] + str(line.count("|")))
    return parts


def test_both_languages_have_the_same_pages() -> None:
    english = {page.relative_to(DOCS / "en") for page in (DOCS / "en").rglob("*.md")}
    french = {page.relative_to(DOCS / "fr") for page in (DOCS / "fr").rglob("*.md")}
    assert english == french
    assert len(english) >= 2


@pytest.mark.parametrize("twins", TWINS, ids=lambda twins: named(twins[0]))
def test_both_languages_have_the_same_parts(twins: tuple[Path, Path]) -> None:
    english, french = twins
    assert shape(english) == shape(french)


def test_every_page_is_in_the_table_of_contents() -> None:
    pages = {re.sub("^(en|fr)/", "", page.relative_to(DOCS).as_posix()) for page in DOCS.rglob("*.md")}
    contents = set(
        re.findall(r"^ +- [^:]+: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert contents == pages


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_to_a_file(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [
        target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target
    ]
    assert [target for target in targets if target and not (page.parent / target).exists()] == []
