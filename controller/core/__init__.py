"""The pure core: no clock, files, threads, randomness or logging; what is to be done is returned."""
