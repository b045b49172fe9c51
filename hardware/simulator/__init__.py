"""A board of chips, magnets and hands that the drivers cannot tell from wood."""
