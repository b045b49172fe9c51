"""Reading of perft data files.

A file names its `game`, then gives cases: `id` free text, `position` text, `perft DEPTH COUNT [slow]`.
A line beginning with `#` is a comment; the first ones tell where the counts come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Case:
    """One count that is known."""

    game: str
    name: str
    position: str
    depth: int
    count: int
    slow: bool

    def __str__(self) -> str:
        return f"{self.game}-{self.name}-depth-{self.depth}"


def read_cases(path: Path) -> list[Case]:
    """All cases of a data file.

    Raises: ValueError naming the line that is wrong.
    """
    cases: list[Case] = []
    state: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        key, _, rest = line.partition(" ")
        if key in ("game", "id", "position"):
            state[key] = rest
        elif key == "perft":
            depth, count, *mark = rest.split()
            slow = mark == ["slow"]
            cases.append(Case(state["game"], state["id"], state["position"], int(depth), int(count), slow))
        elif key not in ("", "#"):
            raise ValueError(
                f"{path}:{number}: unknown key {key!r}; allowed are game, id, position, perft, #"
            )
    return cases


def all_cases() -> list[Case]:
    """The cases of every data file."""
    return [case for path in sorted(FOLDER.glob("*.perft")) for case in read_cases(path)]
