"""Every place that holds something about a person, as data."""
