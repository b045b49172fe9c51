"""Avalam: towers of at most five pawns on 49 holes."""
