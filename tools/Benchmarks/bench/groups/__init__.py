"""The groups of measurements, one per file: each takes a `Bench` and adds to its results."""
