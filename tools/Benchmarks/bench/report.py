"""Writes results.json and results.md, has the figures drawn, and prints the goals and what is missing."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from .goals import Judged
from .notes import NOTES
from .numbers import short
from .options import Options
from .programs import Failed, run, say
from .results import Key, Results, Series


def write(
    options: Options, machine: dict[str, str], results: Results, judged: list[Judged], python: Path | None
) -> None:
    options.out.mkdir(parents=True, exist_ok=True)
    everything = {
        "machine": machine,
        "options": {
            "rounds": options.rounds,
            "seconds": options.seconds,
            "events": options.events,
            "largest": options.largest,
            "groups": list(options.only),
        },
        "goals": [asdict(each) for each in judged],
        "measured": results.plain(),
        "missing": results.missing,
        "failures": results.failures,
    }
    (options.out / "results.json").write_text(json.dumps(everything, indent=1, ensure_ascii=False) + "\n")
    figures = _draw(options.out, python, results)
    (options.out / "results.md").write_text(_document(options, machine, results, judged, figures))
    print(_goals(judged))
    if text := _problems(results):
        print(text)
    say(f"results, tables and figures are in {options.out}")


def _draw(out: Path, python: Path | None, results: Results) -> list[str]:
    if python is None:
        return []
    try:
        return run(python, "-m", "bench.plots", out / "results.json", out).split()
    except Failed as error:
        results.failures.append(f"the figures: {error}")
        return []


def _document(
    options: Options, machine: dict[str, str], results: Results, judged: list[Judged], figures: list[str]
) -> str:
    parts = [
        "# Benchmark results of HealthJournal and its peers",
        f"{options.rounds} rounds, {options.seconds:g} s per run; medians, with minimum and maximum.",
        _table(("", ""), [(name, value) for name, value in machine.items()], right=0),
        "## Goals",
        _goals(judged),
        *([_problems(results)] if _problems(results) else []),
        "## All results",
        *_measured(results),
        "## What each system does",
        _notes(),
        *[f"![{Path(name).stem}]({name})" for name in figures],
    ]
    return "\n\n".join(parts) + "\n"


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]], right: int) -> str:
    """Formats a Markdown table whose source has aligned columns; the last `right` columns are right-aligned."""
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    numeric = range(len(head) - right, len(head))

    def line(row: tuple[str, ...]) -> str:
        cells = [
            cell.rjust(w) if i in numeric else cell.ljust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        return "| " + " | ".join(cells) + " |"

    rule = "|".join("-" * (w + 1) + ":" if i in numeric else "-" * (w + 2) for i, w in enumerate(widths))
    return "\n".join([line(head), f"|{rule}|", *map(line, rows)])


def _goals(judged: list[Judged]) -> str:
    rows = [
        (
            each.goal,
            each.ours,
            each.against,
            "–" if each.ratio is None else short(each.ratio),
            each.wanted,
            _verdict(each),
        )
        for each in judged
    ]
    return _table(("goal", "ours", "compared with", "ratio", "target", ""), rows, right=0)


def _verdict(judged: Judged) -> str:
    verdict = {True: "met", False: "missed", None: ""}[judged.holds]
    return ", ".join(word for word in (verdict, judged.note) if word)


def _measured(results: Results) -> list[str]:
    tables = []
    for group in dict.fromkeys(key.group for key in results.series):
        own = {key: series for key, series in results.series.items() if key.group == group}
        tables.append(f"### {group}")
        for axis in dict.fromkeys(key.axis for key in own if key.axis):
            tables.append(_by_size(axis, {key: series for key, series in own.items() if key.axis == axis}))
        flat = {key: series for key, series in own.items() if not key.axis}
        for unit in dict.fromkeys(series.unit for series in flat.values()):
            tables.append(_by_unit(unit, {key: series for key, series in flat.items() if series.unit == unit}))
    return tables


def _by_size(axis: str, measured: dict[Key, Series]) -> str:
    columns = list(dict.fromkeys((key.work, series.unit) for key, series in measured.items()))
    cells = {(key.size, key.work): _spread(series) for key, series in measured.items()}
    sizes = sorted({key.size for key in measured})
    rows = [(f"{size:,}", *(cells.get((size, work), "") for work, _ in columns)) for size in sizes]
    head = (axis, *(work if unit in work else f"{work}, {unit}" for work, unit in columns))
    return _table(head, rows, right=len(head))


def _by_unit(unit: str, measured: dict[Key, Series]) -> str:
    """Formats the results of one unit: a matrix of systems and workloads, or a list if that would be mostly empty."""
    works = list(dict.fromkeys(key.work for key in measured))
    systems = list(dict.fromkeys(key.system for key in measured))
    if len(measured) <= len(works) + len(systems):
        listed = [(key.work, key.system, _spread(series)) for key, series in measured.items()]
        return _table(("workload", "system", unit), listed, right=1)
    cells = {(key.system, key.work): _spread(series) for key, series in measured.items()}
    rows = [(system, *(cells.get((system, work), "") for work in works)) for system in systems]
    return _table((unit, *works), rows, right=len(works))


def _spread(series: Series) -> str:
    least, most = short(min(series.values)), short(max(series.values))
    return short(series.median) if least == most else f"{short(series.median)} ({least}–{most})"


def _notes() -> str:
    return "\n".join(f"- **{name}**: {' '.join(text.split())}" for name, text in NOTES.items())


def _problems(results: Results) -> str:
    lines = [f"- {name}: {why}" for name, why in results.missing.items()]
    lines += [f"- failed: {failure}" for failure in results.failures]
    return "\n".join(["What is missing:", "", *lines]) if lines else ""
