"""Writes all golden files anew, or those of the kinds named; then read the difference before committing it.

    python -m tests.golden.regenerate [--check] [KIND ...]

A kind is a function that gives paths and texts; add it to `GENERATORS`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.golden import playthrough, recording

GENERATORS: dict[str, Callable[[], Iterable[tuple[Path, str]]]] = {
    "playthroughs": playthrough.generate,
    "recordings": recording.generate,
}


def stale_files(kinds: Iterable[str]) -> list[tuple[Path, str]]:
    """The files that are missing or differ from what their generator gives, with the right text."""
    return [
        (path, text)
        for kind in kinds
        for path, text in GENERATORS[kind]()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str] | None = None) -> int:
    """Rewrite what is stale and name it; with `--check` only name it and exit with 1."""
    parser = argparse.ArgumentParser(description="Write the golden files anew.")
    parser.add_argument(
        "kinds", nargs="*", metavar="KIND", help=f"of {', '.join(GENERATORS)}; all by default"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file is stale")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.kinds) - set(GENERATORS))
    if unknown:
        parser.error(f"unknown kind {unknown[0]}; there are {', '.join(GENERATORS)}")
    stale = stale_files(options.kinds or GENERATORS)
    for path, text in stale:
        print(path)
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    raise SystemExit(main())
