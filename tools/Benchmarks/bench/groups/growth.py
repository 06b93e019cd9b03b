"""Measures how cost grows with the events of a journal, with its records, and with the entries of one record."""

from functools import partial
from pathlib import Path

from ..bench import Bench
from ..programs import measure
from ..rounds import Case, Figure, Line, rate
from .read import EVENTS_A_RECORD, fill, our_cases

GROUP = "growth"
SMALLEST = 1_000
MOST_RECORDS = 1_000_000
MOST_ENTRIES = 1_000_000
MOST_ROUNDS = 3
BATCH = 1_000
APPEND = f"append 1 × {BATCH:,}"
BYTES = "bytes an event"


def measure_growth(bench: Bench) -> None:
    if not bench.ours.measure:
        return
    largest = bench.options.largest
    cases = []
    for size in _powers(SMALLEST, largest):
        cases += _grown(
            bench,
            "events",
            size,
            size,
            max(1, size // EVENTS_A_RECORD),
            ("fold", "scan", "rebuild", "verify", "open", "asof"),
        )
        cases.append(_append(bench, size))
    # The same number of events each time, of one record up to so many records that each has two.
    for size in _powers(1, min(largest, MOST_RECORDS))[::2]:
        cases += _grown(bench, "records", size, 2 * min(largest, MOST_RECORDS), size, ("fold", "rebuild", "asof"))
    for size in _powers(100, min(largest, MOST_ENTRIES)):
        cases += _grown(bench, "entries", size, size, 1, ("asof", "fold"))
    bench.rounds.take(cases, min(bench.options.rounds, MOST_ROUNDS))


def _powers(first: int, last: int) -> list[int]:
    sizes = []
    while first <= last:
        sizes.append(first)
        first *= 10
    return sizes


def _grown(bench: Bench, axis: str, size: int, events: int, records: int, works: tuple[str, ...]) -> list[Case]:
    folder = bench.rounds.fresh()
    line: Line = {}
    if not bench.rounds.attempt(
        f"filling {events:,} events of {records:,} records", lambda: line.update(fill(bench, folder, events, records))
    ):
        return []
    told = Figure(BYTES, "bytes", lambda filled: filled["bytes"] / filled["events"])
    return [
        Case(GROUP, "healthjournal", (told,), lambda _: line, axis, size),
        *our_cases(bench, folder, GROUP, works, axis, size),
    ]


def _append(bench: Bench, prefill: int) -> Case:
    return Case(GROUP, "healthjournal", (rate(APPEND),), partial(_run, bench, prefill), "events", prefill)


def _run(bench: Bench, prefill: int, folder: Path) -> Line:
    assert bench.ours.measure
    arguments = ["--writers", "1", "--batch", str(BATCH), "--streams", "10000"]
    arguments += ["--seconds", str(bench.options.seconds), "--prefill", str(prefill)]
    return measure(bench.ours.measure, "append", folder, *arguments)
