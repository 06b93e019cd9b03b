"""Checks whether each system really syncs: strace counts its sync system calls while single events are appended.

The syncs before the first event are not in the figure, which is the difference between a long and a short run. LMDB's
second sync is not counted, because LMDB writes its meta page through a file that is opened with O_DSYNC.
"""

import re
import signal
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from .. import needs
from ..bench import Bench, Command
from ..programs import Failed, measure
from ..rounds import Case, Figure, Line, Run
from ..servers import redis, tidy_postgres

GROUP = "syncs"
WORK = "syncs a commit"
STRACE = ("strace", "-f", "-c", "-e", "trace=fsync,fdatasync,sync_file_range,msync", "-o")
SHORT, LONG = 0.3, 1.3


def measure_syncs(bench: Bench) -> None:
    try:
        needs.install("strace")
    except Failed as error:
        bench.results.missing["strace"] = needs.reason(error)
        return
    figure = Figure(WORK, "syncs", lambda line: line["syncs"] / line["events"])
    cases = [Case(GROUP, system, (figure,), run) for system, run in _runs(bench).items()]
    bench.rounds.take(cases, 1)


def _runs(bench: Bench) -> dict[str, Run]:
    runs: dict[str, Run] = {}
    if bench.ours.measure:
        runs["healthjournal"] = _within([bench.ours.measure])
    for peer in ("lmdb", "sqlite", "eventsourcing"):
        if peer in bench.peers:
            runs[peer] = _within(bench.peers[peer])
    if server := bench.postgres():
        runs["postgres"] = lambda folder: _in_postgres(bench.peers["postgres"], *server)
    if "redis" in bench.peers:
        runs["redis"] = lambda folder: _in_redis(bench.peers["redis"], folder)
    return runs


def _difference(short: Line, long: Line) -> Line:
    return {name: long[name] - short[name] for name in ("syncs", "events")}


def _within(program: Command) -> Run:
    """Returns a run that traces a program from its start, for systems that are libraries."""

    def once(folder: Path, seconds: float) -> Line:
        folder.mkdir(parents=True)
        counts = folder / "counts"
        line = measure(*STRACE, counts, *program, "append", folder / "data", "--seconds", str(seconds))
        return {**line, "syncs": _syncs(counts)}

    return lambda folder: _difference(once(folder / "short", SHORT), once(folder / "long", LONG))


def _in_postgres(program: Command, connection: str, process: int) -> Line:
    def once(seconds: float) -> Line:
        line = _traced(process, lambda: measure(*program, "append", connection, "--seconds", str(seconds)))
        tidy_postgres(connection)
        return line

    return _difference(once(SHORT), once(LONG))


def _in_redis(program: Command, folder: Path) -> Line:
    def once(place: Path, seconds: float) -> Line:
        with redis(place) as (socket, process):
            return _traced(process, lambda: measure(*program, "append", socket, "--seconds", str(seconds)))

    return _difference(once(folder / "short", SHORT), once(folder / "long", LONG))


def _traced(process: int, work: Callable[[], Line]) -> Line:
    """Traces a server, and the processes that it starts, while `work` appends."""
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts"
        tracer = subprocess.Popen([*STRACE, str(counts), "-p", str(process)], stderr=subprocess.PIPE, text=True)
        try:
            _await_attachment(tracer)
            line = work()
        finally:
            tracer.send_signal(signal.SIGINT)
            tracer.communicate()
        return {**line, "syncs": _syncs(counts)}


def _await_attachment(tracer: "subprocess.Popen[str]") -> None:
    assert tracer.stderr
    said = tracer.stderr.readline()
    if "attached" not in said:
        raise Failed(said.strip() or "strace printed nothing")


def _syncs(counts: Path) -> int:
    calls = re.findall(
        r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(?:fsync|fdatasync|msync)", counts.read_text(), re.M
    )
    return sum(int(count) for count in calls)
