"""A made-up home in the real formats of Hermes 0.19, to try hermesweb on. Nobody and nothing in it exists."""
