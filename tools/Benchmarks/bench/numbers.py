"""Numbers as people read them."""

from math import floor, log10


def short(value: float) -> str:
    """Three digits that mean something, and commas."""
    if value == 0:
        return "0"
    decimals = 2 - floor(log10(abs(value)))
    return f"{round(value, decimals):,.{max(0, min(decimals, 3))}f}"


def rounded(value: float) -> str:
    """A power of ten for an axis, where many stand side by side."""
    for unit, sign in ((1_000_000, " M"), (1_000, " k")):
        if value >= unit:
            return f"{value / unit:g}{sign}"
    return f"{value:g}"
