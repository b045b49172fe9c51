"""Rules, notation, records and players of the games; knows nothing of hardware or web."""
