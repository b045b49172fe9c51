"""Hypothesis for every machine: no deadline, so that a slow one finds what a fast one finds."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("tablier", deadline=None, print_blob=True)
settings.load_profile("tablier")
