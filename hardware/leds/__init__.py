"""Strips, one file a back end."""
