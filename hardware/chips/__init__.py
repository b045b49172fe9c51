"""Register-level drivers, one file a part."""
