"""What is measured, a group a file: each takes a Bench, and adds to its results."""
