import argparse
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
BUILD = PROJECT / ".build-bench"
GROUPS = ("append", "read", "http", "growth", "syncs")


@dataclass(frozen=True)
class Options:
    rounds: int
    seconds: float
    only: tuple[str, ...]
    events: int
    largest: int
    folder: Path
    out: Path
    build: bool
    measure: Path | None
    healthjournal: Path | None
    hello: Path | None


def read_options(arguments: list[str] | None = None) -> Options:
    parser = argparse.ArgumentParser(
        prog="tools/bench", description="Measure the journal beside its peers, in one run."
    )
    parser.add_argument("--quick", action="store_true", help="a few minutes: fewer rounds, shorter, fewer events")
    parser.add_argument("--rounds", type=int, help="how often each is measured (5; quick: 2)")
    parser.add_argument("--seconds", type=float, help="how long an append or HTTP run takes (3; quick: 1)")
    parser.add_argument("--only", default=",".join(GROUPS), help=f"which groups, of {','.join(GROUPS)}")
    parser.add_argument("--events", type=int, help="events of what is read (1,000,000; quick: 200,000)")
    parser.add_argument("--largest", type=int, help="the largest journal of growth (1,000,000; quick: 100,000)")
    parser.add_argument("--folder", type=Path, default=BUILD / "run", help="where journals and databases are made")
    parser.add_argument("--out", type=Path, default=BUILD / "results", help="where the results go")
    parser.add_argument("--no-build", action="store_true", help="use what is built, and do not build it anew")
    parser.add_argument("--measure", type=Path, help="a Measure that is built already")
    parser.add_argument("--healthjournal", type=Path, help="a healthjournal that is built already")
    parser.add_argument("--hello", type=Path, help="a HelloServer that is built already")
    given = parser.parse_args(arguments)
    only = tuple(given.only.split(","))
    if unknown := set(only) - set(GROUPS):
        parser.error(f"there is no group {', '.join(sorted(unknown))}")
    quick = given.quick
    return Options(
        rounds=given.rounds or (2 if quick else 5),
        seconds=given.seconds or (1 if quick else 3),
        only=only,
        events=given.events or (200_000 if quick else 1_000_000),
        largest=given.largest or (100_000 if quick else 1_000_000),
        folder=given.folder.resolve(),
        out=given.out.resolve(),
        build=not given.no_build,
        measure=given.measure and given.measure.resolve(),
        healthjournal=given.healthjournal and given.healthjournal.resolve(),
        hello=given.hello and given.hello.resolve(),
    )
