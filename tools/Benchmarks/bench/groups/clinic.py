"""Measures a practice: many bookings at once, a week of its calendar, and its free times.

PostgreSQL with an exclusion constraint books the same times in the same run.
"""

from ..bench import Bench
from ..programs import measure
from ..rounds import Case, Figure, Line, rate

GROUP = "clinic"
EXCLUSION = "postgres, EXCLUDE USING gist"
DIFFERENT, SINGLE = "100 clients book 100 times", "100 entries, one by one"
FIRST, ALL = "100 clients, one time: the first", "100 clients, one time: all answered"
WEEK, LATER = "a week of 20 specialists, after a month", "a week of 20 specialists, after four months"
YEARS = "a week of 20 specialists, after five years"
DAYS = 5 * 365 + 1
FREE = "free times of 20 specialists over 92 days"


def measure_clinic(bench: Bench) -> None:
    cases: list[Case] = []
    race = (Figure(FIRST, "ms", lambda line: line["first_ms"]), Figure(ALL, "ms", lambda line: line["all_ms"]))
    if program := bench.ours.measure:
        own = (
            rate(DIFFERENT),
            Figure(SINGLE, "events/s", lambda line: line["events"] / line["single_seconds"]),
            *race,
            Figure(WEEK, "ms", lambda line: line["week_ms"]),
            Figure(LATER, "ms", lambda line: line["week_later_ms"]),
            Figure(FREE, "ms", lambda line: line["free_ms"]),
        )
        cases.append(Case(GROUP, "healthjournal", own, lambda folder: measure(program, "clinic", folder)))
        if not bench.options.is_quick:
            # Booking the appointments of five years takes minutes, and only once.
            years = (Figure(YEARS, "ms", lambda line: line["week_later_ms"]),)
            bench.rounds.take(
                [Case(GROUP, "healthjournal", years, lambda folder: measure(program, "clinic", folder, "--days", str(DAYS)))],
                1,
            )
    if "exclusion" in bench.peers and (server := bench.postgres()):
        peer, connection = bench.peers["exclusion"], server[0]
        cases.append(Case(GROUP, EXCLUSION, (rate(DIFFERENT), *race), lambda folder: measure(*peer, connection)))
    bench.rounds.take(cases, bench.options.rounds)
