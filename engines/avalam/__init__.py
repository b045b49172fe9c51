"""Avalam: 48 pawns on 49 holes, stacked into towers of at most five; the top pawn owns the tower.

`board` constants, `moves` and `layout` values, `notation` their texts, `position` the rules,
`counting` quick perft, `game` what the rest of the house sees.
"""
