"""The daemon: recogniser, session, lights, journal, configuration, command line."""
