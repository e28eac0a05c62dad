"""Names of stores and one sentence about each, by area."""
