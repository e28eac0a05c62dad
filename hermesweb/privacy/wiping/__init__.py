"""Clearing what Hermes keeps about a person, store by store, and saying what became of each."""
