"""Measures durable appends of 300-byte events, each to a stream drawn at random from 10,000."""

import os
import time
from pathlib import Path

from ..bench import Bench, Command
from ..programs import measure
from ..rounds import Case, Figure, Line, Run, rate
from ..servers import redis, tidy_postgres

GROUP = "append"
# Concurrent writers, and events of one append.
SHAPES = ((1, 1), (1, 100), (1, 1000), (16, 1), (256, 1))
DISK = "the disk"
DISK_WORK = "write 4 KiB and sync"


def name(writers: int, batch: int) -> str:
    return f"append {writers} × {batch:,}"


def measure_appends(bench: Bench) -> None:
    cases = [
        Case(GROUP, DISK, (Figure(DISK_WORK, "syncs/s", lambda line: line["events"] / line["seconds"]),), _disk(bench))
    ]
    for writers, batch in SHAPES:
        cases += cases_of(bench, GROUP, name(writers, batch), writers, batch, bench.options.seconds)
    bench.rounds.take(cases, bench.options.rounds)


def cases_of(bench: Bench, group: str, work: str, writers: int, batch: int, seconds: float) -> list[Case]:
    """Returns the cases of HealthJournal and of every peer for one shape."""
    arguments = ["--writers", str(writers), "--batch", str(batch), "--seconds", str(seconds)]
    figures = (
        rate(work),
        Figure(f"{work}, p50", "µs, half of a run's appends take no longer", lambda line: line["p50_us"]),
        Figure(f"{work}, p99", "µs, 99 % of a run's appends take no longer", lambda line: line["p99_us"]),
    )

    def case(system: str, run: Run) -> Case:
        return Case(group, system, figures, run)

    cases = []
    if bench.ours.measure:
        program: Command = [bench.ours.measure, "append"]
        cases.append(case("healthjournal", lambda folder: measure(*program, folder, *arguments, "--streams", "10000")))
    for peer, variant, system in (
        ("lmdb", "log", "lmdb log"),
        ("lmdb", "indexed", "lmdb indexed"),
        ("sqlite", "single", "sqlite"),
        ("sqlite", "grouped", "sqlite grouped"),
        ("eventsourcing", "", "eventsourcing"),
    ):
        # With one writer there is no other commit to group.
        if peer in bench.peers and not (variant == "grouped" and writers == 1):
            more = [*arguments, *(["--variant", variant] if variant else [])]
            cases.append(case(system, _in_folder(bench.peers[peer], more)))
    if server := bench.postgres():
        cases.append(case("postgres", _in_postgres(bench.peers["postgres"], server[0], arguments)))
    if "redis" in bench.peers:
        for variant in ("log", "streams"):
            more = [*arguments, "--variant", variant]
            cases.append(case(f"redis {variant}", _in_redis(bench.peers["redis"], more)))
    return cases


def _in_folder(program: Command, arguments: list[str]) -> Run:
    return lambda folder: measure(*program, "append", folder, *arguments)


def _in_postgres(program: Command, connection: str, arguments: list[str]) -> Run:
    def run(folder: Path) -> Line:
        try:
            return measure(*program, "append", connection, *arguments)
        finally:
            tidy_postgres(connection)

    return run


def _in_redis(program: Command, arguments: list[str]) -> Run:
    def run(folder: Path) -> Line:
        # Redis keeps everything in memory, so each run has its own server.
        with redis(folder) as (socket, _):
            line = measure(*program, "append", socket, *arguments)
            line["bytes"] = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
            return line

    return run


def _disk(bench: Bench) -> Run:
    """Measures the disk itself: an upper bound for the durable commits per second of one writer."""

    def run(folder: Path) -> Line:
        folder.mkdir()
        page = os.urandom(4096)
        descriptor = os.open(folder / "file", os.O_WRONLY | os.O_CREAT)
        begun = time.perf_counter()
        writes = 0
        while (taken := time.perf_counter() - begun) < bench.options.seconds:
            os.pwrite(descriptor, page, writes * len(page))
            os.fdatasync(descriptor)
            writes += 1
        os.close(descriptor)
        return {"events": writes, "seconds": taken}

    return run
