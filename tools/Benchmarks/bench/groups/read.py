"""Measures reading: folding, scanning and verifying the log, rebuilding views from it, and the scans of the peers.

All read the same number of events, except eventsourcing, which reads at most 100,000.
"""

from pathlib import Path

from ..bench import Bench, Command
from ..programs import measure
from ..rounds import Case, Figure, Line, Run, rate
from ..servers import redis

GROUP = "read"
# The Python library is slow: it gets fewer events, and its rate does not depend on their number.
EVENTSOURCING_EVENTS = 100_000
EVENTS_A_RECORD = 1_000

MEMORY = "fold, memory that is not page cache"


def measure_reading(bench: Bench) -> None:
    cases = [*_ours(bench), *_lmdb(bench), *_sqlite(bench), *_postgres(bench), *_redis(bench), *_eventsourcing(bench)]
    bench.rounds.take(cases, bench.options.rounds)


def fill(bench: Bench, folder: Path, events: int, records: int) -> Line:
    assert bench.ours.measure
    return measure(bench.ours.measure, "fill", folder, "--events", str(events), "--records", str(records))


def our_cases(
    bench: Bench, folder: Path, group: str, works: tuple[str, ...], axis: str = "", size: int = 0
) -> list[Case]:
    """Returns the cases of HealthJournal for some workloads, over a filled journal."""
    assert bench.ours.measure
    measured = {
        "fold": (rate("fold"), Figure(MEMORY, "MiB", lambda line: line["anonymous_mib"])),
        "asof": (
            Figure("page as of the past", "µs", lambda line: line["past_us"]),
            Figure("page as of now", "µs", lambda line: line["now_us"]),
        ),
        "open": (Figure("open", "µs", lambda line: line["seconds"] * 1e6),),
    }
    return [
        Case(
            group,
            "healthjournal",
            measured.get(work, (rate(work),)),
            _over([bench.ours.measure], work, folder),
            axis,
            size,
        )
        for work in works
    ]


def _ours(bench: Bench) -> list[Case]:
    if not bench.ours.measure:
        return []
    folder, events = bench.rounds.fresh(), bench.options.events
    if not bench.rounds.attempt(
        "filling healthjournal", lambda: fill(bench, folder, events, events // EVENTS_A_RECORD)
    ):
        return []
    return our_cases(bench, folder, GROUP, ("fold", "scan", "rebuild", "verify", "primitives", "asof"))


def _filled(bench: Bench, peer: str, place: str | Path, events: int) -> bool:
    return bench.ready(peer, lambda: measure(*bench.peers[peer], "fill", place, "--events", str(events)))


def _over(program: Command, work: str, place: str | Path, *more: str) -> Run:
    return lambda folder: measure(*program, work, place, *more)


def _peer(bench: Bench, peer: str, system: str, shown: str, work: str, place: str | Path, *more: str) -> Case:
    return Case(GROUP, system, (rate(shown),), _over(bench.peers[peer], work, place, *more))


def _lmdb(bench: Bench) -> list[Case]:
    place = bench.rounds.fresh()
    if not _filled(bench, "lmdb", place, bench.options.events):
        return []
    return [
        _peer(bench, "lmdb", "lmdb", "scan, touched", "scan", place, "--variant", "touched"),
        _peer(bench, "lmdb", "lmdb", "scan", "scan", place, "--variant", "untouched"),
        _peer(bench, "lmdb", "lmdb", "rebuild limit", "rebuild-limit", place),
    ]


def _sqlite(bench: Bench) -> list[Case]:
    place = bench.rounds.fresh()
    if not _filled(bench, "sqlite", place, bench.options.events):
        return []
    return [_peer(bench, "sqlite", "sqlite", "scan of rows", "scan", place)]


def _postgres(bench: Bench) -> list[Case]:
    server = bench.postgres()
    if not server or not _filled(bench, "postgres", server[0], bench.options.events):
        return []
    return [_peer(bench, "postgres", "postgres", "scan of rows", "scan", server[0])]


def _redis(bench: Bench) -> list[Case]:
    if "redis" not in bench.peers:
        return []
    socket, _ = bench.stack.enter_context(redis(bench.rounds.fresh()))
    if not _filled(bench, "redis", socket, bench.options.events):
        return []
    return [_peer(bench, "redis", "redis", "scan of rows", "scan", socket)]


def _eventsourcing(bench: Bench) -> list[Case]:
    place = bench.rounds.fresh()
    if not _filled(bench, "eventsourcing", place, min(bench.options.events, EVENTSOURCING_EVENTS)):
        return []
    return [
        _peer(bench, "eventsourcing", "eventsourcing", "events decoded", "decode", place),
        _peer(bench, "eventsourcing", "eventsourcing", "aggregates rebuilt", "aggregates", place),
    ]
