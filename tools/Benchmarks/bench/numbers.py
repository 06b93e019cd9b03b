"""Formats numbers for people."""

from math import floor, log10


def short(value: float) -> str:
    """Formats a number with three significant digits, at most three decimal places, and thousands separators."""
    if value == 0:
        return "0"
    decimals = 2 - floor(log10(abs(value)))
    return f"{round(value, decimals):,.{max(0, min(decimals, 3))}f}"


def rounded(value: float) -> str:
    """Formats a power of ten for the labels of an axis, which have little space."""
    for unit, sign in ((1_000_000, " M"), (1_000, " k")):
        if value >= unit:
            return f"{value / unit:g}{sign}"
    return f"{value:g}"
