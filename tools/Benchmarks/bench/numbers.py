"""Numbers as people read them: three digits that mean something, and commas."""

from math import floor, log10


def short(value: float) -> str:
    if value == 0:
        return "0"
    decimals = 2 - floor(log10(abs(value)))
    return f"{round(value, decimals):,.{max(0, min(decimals, 3))}f}"
