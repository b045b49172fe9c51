"""A clumsy hand that plays random games on the simulated board, and the truth of what it did."""
