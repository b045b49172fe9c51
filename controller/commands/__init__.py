"""The commands of `tablier`, a module each. A module adds its parser and says what to run."""
