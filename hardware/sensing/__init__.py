"""From chips to frames."""
