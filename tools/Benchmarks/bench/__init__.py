"""Measures the journal and its peers in one run; called by tools/bench."""
