"""Measures the journal beside its peers: tools/bench."""
