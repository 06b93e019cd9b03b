"""Draws the figures from results.json: python -m bench.plots RESULTS FOLDER. Prints the names of the drawn files.

This module needs the Python that has matplotlib; the other modules do not.
"""

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from .groups.append import GROUP as APPEND
from .groups.append import SHAPES, name
from .groups.growth import GROUP as GROWTH
from .groups.read import GROUP as READ
from .numbers import rounded, short

OURS = "healthjournal"
# Our system is dark and bold, and the limit is hatched, so that no information depends on colour alone.
INK, PEER, LIMIT, RULE = "#1f4e79", "#b9c4cf", "#e6e9ec", "#666666"

Series = dict[str, Any]


def main() -> None:
    results, folder = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
    plt.rcParams.update({"font.family": "sans-serif", "font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "bench"})
    for title, draw in (("append", draw_append), ("read", draw_read), ("growth", draw_growth)):
        if figure := draw(results["measured"]):
            figure.savefig(folder / f"{title}.svg", metadata={"Date": None})
            print(f"{title}.svg")


def draw_append(measured: list[Series]) -> Figure | None:
    works = [name(writers, batch) for writers, batch in SHAPES]
    shown = {work: [one for one in measured if one["group"] == APPEND and one["work"] == work] for work in works}
    shown = {work: series for work, series in shown.items() if series}
    if not shown:
        return None
    figure, axes = plt.subplots(len(shown), 1, figsize=(8, 2.3 * len(shown)), layout="constrained", squeeze=False)
    figure.suptitle("Durable appends of 300-byte events (median; whiskers: minimum and maximum)")
    for axis, (work, series) in zip(axes[:, 0], shown.items(), strict=True):
        rows(axis, [(one["system"], one) for one in series])
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
        axis.set_title(work.replace("append ", "writers × events of one append: "), loc="left", fontsize=9)
    axes[-1, 0].set_xlabel("events/s")
    return figure


def draw_read(measured: list[Series]) -> Figure | None:
    shown = [one for one in measured if one["group"] == READ and one["unit"] == "events/s"]
    if not shown:
        return None
    figure, axis = plt.subplots(figsize=(8, 0.9 + 0.28 * len(shown)), layout="constrained")
    axis.set_xscale("log")
    rows(axis, [(f"{one['system']}: {one['work']}", one) for one in shown])
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
    axis.grid(True, axis="x", linewidth=0.3)
    axis.set_xlabel("events/s, on a logarithmic scale")
    axis.set_title("Reading (median; whiskers: minimum and maximum)", loc="left")
    return figure


def rows(axis: Axes, shown: list[tuple[str, Series]]) -> None:
    """Draws one row per system, the fastest on top: bars, or markers on a logarithmic scale, which has no zero."""
    shown = sorted(shown, key=lambda row: row[1]["median"])
    logarithmic = axis.get_xscale() == "log"
    for place, (_, one) in enumerate(shown):
        ours, limit = one["system"] == OURS, one["system"].startswith("lmdb")
        colour = INK if ours else LIMIT if limit else PEER
        middle = one["median"]
        spread = [[middle - one["least"]], [one["most"] - middle]]
        axis.errorbar(middle, place, xerr=spread, color=RULE, capsize=2, linewidth=0.8, zorder=3)
        if logarithmic:
            mark = "D" if ours else "s" if limit else "o"
            axis.plot(middle, place, mark, color=colour, markeredgecolor=RULE, markersize=7, zorder=4)
        else:
            axis.barh(place, middle, color=colour, edgecolor=RULE, linewidth=0.5, hatch="////" if limit else None)
        weight = "bold" if ours else "normal"
        where = {"xytext": (8, 0), "textcoords": "offset points", "va": "center", "weight": weight}
        axis.annotate(short(middle), (one["most"], place), **where)
    axis.set_yticks(range(len(shown)), [label for label, _ in shown])
    for text, (_, one) in zip(axis.get_yticklabels(), shown, strict=True):
        text.set_fontweight("bold" if one["system"] == OURS else "normal")
    axis.spines[["top", "right"]].set_visible(False)
    axis.margins(x=0.12)


AXES = {"events": "events in the journal", "records": "records in the journal", "entries": "events of one record"}
MARKS = ("o", "s", "^", "D", "v", "P", "X")


def draw_growth(measured: list[Series]) -> Figure | None:
    shown = [one for one in measured if one["group"] == GROWTH and one["median"] > 0]
    if not shown:
        return None
    columns = list(dict.fromkeys(one["axis"] for one in shown))
    units = list(dict.fromkeys(one["unit"] for one in shown))
    size = (4.2 * len(columns), 2.8 * len(units))
    figure, grid = plt.subplots(
        len(units), len(columns), figsize=size, layout="constrained", squeeze=False, sharey="row"
    )
    figure.suptitle("Cost of growth (medians; both scales logarithmic)")
    for across, unit in zip(grid, units, strict=True):
        values = [one["median"] for one in shown if one["unit"] == unit]
        for axis, column in zip(across, columns, strict=True):
            lines(axis, [one for one in shown if (one["axis"], one["unit"]) == (column, unit)])
            axis.set_xlabel(AXES[column])
        frame(across[0], min(values), max(values))
        across[0].set_ylabel(unit)
    return figure


def lines(axis: Axes, shown: list[Series]) -> None:
    axis.set_xscale("log")
    axis.set_yscale("log")
    for mark, work in zip(MARKS, dict.fromkeys(one["work"] for one in shown), strict=False):
        points = sorted((one["size"], one["median"]) for one in shown if one["work"] == work)
        axis.plot(*zip(*points, strict=True), marker=mark, markersize=4, linewidth=1, color=INK, label=work)
    axis.margins(x=0.05)
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: rounded(value)))
    axis.grid(True, which="major", linewidth=0.3)
    axis.spines[["top", "right"]].set_visible(False)
    label_ends(axis)


def frame(axis: Axes, least: float, most: float) -> None:
    """Makes the axis span at least a power of ten, so that small changes look small."""
    spare = max(1.5, (10 / (most / least)) ** 0.5)
    axis.set_ylim(least / spare, most * spare)
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 3) if most / least < 100 else (1,)))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}" if value < 1 else f"{value:,.0f}"))
    axis.yaxis.set_minor_formatter(NullFormatter())


def label_ends(axis: Axes) -> None:
    """Labels each line at its end; labels of lines that end close together are stacked."""
    before = 0.0
    height = 0.0
    for line in sorted(axis.get_lines(), key=lambda line: line.get_ydata()[-1]):
        end = (line.get_xdata()[-1], line.get_ydata()[-1])
        height = height + 9 if end[1] < 1.35 * before else 0.0
        before = end[1]
        name_of_line = textwrap.fill(str(line.get_label()), 20)
        axis.annotate(name_of_line, end, (7, height), textcoords="offset points", va="center", fontsize=8)


if __name__ == "__main__":
    main()
