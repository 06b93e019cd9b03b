import argparse
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
BUILD = PROJECT / ".build-bench"
GROUPS = ("append", "read", "http", "growth", "syncs", "care", "clinic", "search", "exchange")


@dataclass(frozen=True)
class Options:
    rounds: int
    seconds: float
    only: tuple[str, ...]
    events: int
    largest: int
    is_quick: bool
    folder: Path
    out: Path
    build: bool
    measure: Path | None
    healthjournal: Path | None
    hello: Path | None


def read_options(arguments: list[str] | None = None) -> Options:
    parser = argparse.ArgumentParser(
        prog="tools/bench", description="Measure the journal and its peers in one run."
    )
    parser.add_argument("--quick", action="store_true", help="a few minutes: fewer rounds, shorter, fewer events")
    parser.add_argument("--rounds", type=int, help="how often each system is measured (default: 5; quick: 2)")
    parser.add_argument("--seconds", type=float, help="the duration of an append or HTTP run (default: 3; quick: 1)")
    parser.add_argument("--only", default=",".join(GROUPS), help=f"the groups to measure, of {','.join(GROUPS)}")
    parser.add_argument("--events", type=int, help="the number of events to read (default: 1,000,000; quick: 200,000)")
    parser.add_argument(
        "--largest", type=int, help="the largest journal of the growth group (default: 1,000,000; quick: 100,000)"
    )
    parser.add_argument("--folder", type=Path, default=BUILD / "run", help="the folder for journals and databases")
    parser.add_argument("--out", type=Path, default=BUILD / "results", help="the folder for the results")
    parser.add_argument("--no-build", action="store_true", help="use the existing builds, and do not build")
    parser.add_argument("--measure", type=Path, help="an existing build of Measure")
    parser.add_argument("--healthjournal", type=Path, help="an existing build of healthjournal")
    parser.add_argument("--hello", type=Path, help="an existing build of HelloServer")
    given = parser.parse_args(arguments)
    only = tuple(given.only.split(","))
    if unknown := set(only) - set(GROUPS):
        parser.error(f"there are no such groups: {', '.join(sorted(unknown))}")
    quick = given.quick
    return Options(
        rounds=given.rounds or (2 if quick else 5),
        seconds=given.seconds or (1 if quick else 3),
        only=only,
        events=given.events or (200_000 if quick else 1_000_000),
        largest=given.largest or (100_000 if quick else 1_000_000),
        is_quick=quick,
        folder=given.folder.resolve(),
        out=given.out.resolve(),
        build=not given.no_build,
        measure=given.measure and given.measure.resolve(),
        healthjournal=given.healthjournal and given.healthjournal.resolve(),
        hello=given.hello and given.hello.resolve(),
    )
