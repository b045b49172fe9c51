"""The rules of Avalam: what may be moved where, what comes of it, and who has won."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engines.avalam import board
from engines.avalam.board import CELLS, INDEX, MAX_HEIGHT, NEIGHBOURS, PAWNS, PAWNS_EACH
from engines.avalam.counting import count_sequences
from engines.avalam.layout import Layout, Phase, Tiebreak
from engines.avalam.moves import AvalamMove, Placement, Shuffle, TowerMove
from engines.avalam.notation import describe_move, format_layout
from engines.base import Outcome, RandomSource, Reason, Termination
from engines.errors import EngineError, IllegalMoveError

NOT_A_MOVE = Reason("not_a_move")

_PAWN_LETTERS = ("R", "B")
_BY_TEXT = sorted(enumerate(_PAWN_LETTERS), key=lambda pair: pair[1])
_MOVES = tuple(
    tuple((INDEX[target], TowerMove(origin, target)) for target in NEIGHBOURS[origin]) for origin in CELLS
)


@dataclass(frozen=True, slots=True)
class SetupShuffle:
    """The chance event of a random set-up: the pawns on all holes but the centre, shuffled."""

    kind: str = "setup"

    def sample(self, rng: RandomSource) -> Shuffle:
        """One of all arrangements, equally likely if `rng` is fair."""
        letters = list("r" * PAWNS_EACH + "b" * PAWNS_EACH)
        rng.shuffle(letters)
        centre = INDEX[board.CENTRE]
        return Shuffle("".join([*letters[:centre], "-", *letters[centre:]]))

    def outcomes(self) -> None:
        """None: there are about 3.2e13."""
        return


@dataclass(frozen=True, slots=True)
class Position(Layout):
    """An immutable position of Avalam: a `Layout` and the rules that move it on.

    Source: rule text, "REGLE DE BASE", "FIN DE PARTIE" and "VARIANTE".
    """

    @property
    def player_to_move(self) -> int | None:
        """The player to move; None when the game is over or the shuffle is due."""
        if self.phase is Phase.SHUFFLING or (self.phase is Phase.PLAYING and not self._can_move()):
            return None
        return self.turn

    def legal_moves(self, player: int | None = None) -> tuple[AvalamMove, ...]:
        """The legal moves of `player` (default: the one to move), sorted; empty when there are none."""
        if player not in (None, self.turn) or self.phase is Phase.SHUFFLING:
            return ()
        return tuple(self._placements() if self.phase is Phase.PLACING else self._tower_moves())

    def play(self, move: AvalamMove) -> Position:
        """The position after `move`.

        Raises: IllegalMoveError with the reason of `refusal`.
        """
        self.require_legal(move)
        match move:
            case TowerMove(origin, target):
                return self._after_tower(INDEX[origin], INDEX[target])
            case Placement(pawn, cell):
                return self._after_placement(_PAWN_LETTERS.index(pawn), INDEX[cell])
        return self._after_shuffle(move.pawns)

    def outcome(self) -> Outcome | None:
        """None while a move exists, else who owns most towers (setting `tiebreak` between equals)."""
        if self.phase is not Phase.PLAYING or self._can_move():
            return None
        ranking = [(self.towers(player), self._fives(player)) for player in (board.RED, board.BLACK)]
        best = max(ranking)
        winners = tuple(player for player, result in enumerate(ranking) if result == best)
        return Outcome(Termination.NO_MOVES, winners, tuple(towers for towers, _ in ranking))

    def observation(self, player: int) -> Position:
        """The position itself: nothing is hidden.

        Raises: EngineError for a player other than 0 and 1.
        """
        if player not in (board.RED, board.BLACK):
            raise EngineError(f"there is no player {player!r} in avalam; there are 0 (red) and 1 (black)")
        return self

    def chance(self) -> SetupShuffle | None:
        """The shuffle of a random set-up while it is due, else None."""
        return SetupShuffle() if self.phase is Phase.SHUFFLING else None

    def towers(self, player: int) -> int:
        """How many towers `player` owns, which is the score."""
        return self.owners.count(player)

    def refusal(self, move: object) -> Reason | None:
        """Why `move` may not be played, or None if it may.

        Reasons: `not_a_move`, `not_adjacent(target)`, `empty_target(target)`, `too_high(moved, there)`,
        `occupied(cell)`, `none_left(colour)`.
        """
        match move:
            case TowerMove(origin, target) if self.phase is Phase.PLAYING:
                return self._tower_refusal(origin, target)
            case Placement(pawn, cell) if self.phase is Phase.PLACING:
                return self._placement_refusal(pawn, cell)
            case Shuffle(pawns) if self.phase is Phase.SHUFFLING:
                return None if _is_full_setup(pawns) else NOT_A_MOVE
            case _:
                return NOT_A_MOVE

    def require_legal(self, move: object) -> None:
        """Nothing if `move` may be played.

        Raises: IllegalMoveError with the reason of `refusal`.
        """
        reason = self.refusal(move)
        if reason is not None:
            raise IllegalMoveError(describe_move(move), format_layout(self), reason)

    def quick_perft(self, depth: int) -> int | None:
        """The number of sequences of `depth` moves; None where a set-up has to be played through."""
        if self.phase is Phase.PLAYING:
            return count_sequences(self.heights, depth)
        return len(self.legal_moves()) if self.phase is Phase.PLACING and depth == 1 else None

    def _tower_refusal(self, origin: str, target: str) -> Reason | None:
        if origin not in INDEX or target not in INDEX or origin == target:
            return NOT_A_MOVE
        moved, there = self.heights[INDEX[origin]], self.heights[INDEX[target]]
        if not moved:
            return NOT_A_MOVE
        if target not in NEIGHBOURS[origin]:
            return Reason("not_adjacent", (target,))
        if not there:
            return Reason("empty_target", (target,))
        if moved + there > MAX_HEIGHT:
            return Reason("too_high", (moved, there))
        return None

    def _placement_refusal(self, pawn: str, cell: str) -> Reason | None:
        if pawn not in _PAWN_LETTERS or cell not in INDEX:
            return NOT_A_MOVE
        if self.heights[INDEX[cell]]:
            return Reason("occupied", (cell,))
        colour = _PAWN_LETTERS.index(pawn)
        if self.owners.count(colour) == PAWNS_EACH:
            return Reason("none_left", (board.PLAYER_NAMES[colour],))
        return None

    def _tower_moves(self) -> Iterator[TowerMove]:
        heights = self.heights
        for height, moves in zip(heights, _MOVES, strict=True):
            if not height:
                continue
            for target, move in moves:
                if 0 < heights[target] <= MAX_HEIGHT - height:
                    yield move

    def _can_move(self) -> bool:
        return next(self._tower_moves(), None) is not None

    def _placements(self) -> Iterator[Placement]:
        for player, letter in _BY_TEXT:
            if self.owners.count(player) < PAWNS_EACH:
                free = (cell for cell, height in zip(CELLS, self.heights, strict=True) if not height)
                yield from (Placement(letter, cell) for cell in free)

    def _fives(self, player: int) -> int:
        """What counts between equal numbers of towers: the full ones, or nothing."""
        if self.tiebreak is Tiebreak.NONE:
            return 0
        return sum(
            height == MAX_HEIGHT and owner == player
            for height, owner in zip(self.heights, self.owners, strict=True)
        )

    def _after_tower(self, origin: int, target: int) -> Position:
        heights, owners = list(self.heights), list(self.owners)
        heights[target] += heights[origin]
        owners[target] = owners[origin]
        heights[origin], owners[origin] = 0, None
        return Position(tuple(heights), tuple(owners), 1 - self.turn, self.phase, self.tiebreak)

    def _after_placement(self, colour: int, cell: int) -> Position:
        heights, owners = list(self.heights), list(self.owners)
        heights[cell], owners[cell] = 1, colour
        phase = Phase.PLAYING if sum(heights) == PAWNS else Phase.PLACING
        return Position(tuple(heights), tuple(owners), 1 - self.turn, phase, self.tiebreak)

    def _after_shuffle(self, pawns: str) -> Position:
        owners = tuple(None if letter == "-" else board.COLOUR_LETTERS.index(letter) for letter in pawns)
        heights = tuple(0 if owner is None else 1 for owner in owners)
        return replace(self, heights=heights, owners=owners, phase=Phase.PLAYING)


def _is_full_setup(pawns: str) -> bool:
    colours = [pawns.count(letter) for letter in board.COLOUR_LETTERS]
    return len(pawns) == len(CELLS) and colours == [PAWNS_EACH] * 2 and pawns[INDEX[board.CENTRE]] == "-"
