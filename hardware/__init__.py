"""Buses, chips, lights, buttons, board files, and the simulator that stands in for them."""
