"""The project's own programs: built here, or given as options."""

from dataclasses import dataclass
from pathlib import Path

from . import needs
from .options import BUILD, PROJECT, Options
from .programs import Failed, run, say
from .results import Results

SCRATCH = BUILD / "swift"
BENCHMARKS = (
    "swift",
    "build",
    "-c",
    "release",
    # As tools/release-test and tools/instructions build it; otherwise each would build everything again.
    "--static-swift-stdlib",
    "--package-path",
    PROJECT / "tools/Benchmarks",
    "--scratch-path",
    SCRATCH,
)
JOURNAL = ("swift", "build", "-c", "release", "--package-path", PROJECT)


@dataclass(frozen=True)
class Ours:
    measure: Path | None
    healthjournal: Path | None
    hello: Path | None


def prepare(options: Options, results: Results) -> Ours:
    def program(product: str, given: Path | None, build: tuple[str | Path, ...], wanted: bool) -> Path | None:
        if not wanted:
            return None
        try:
            if given is None:
                if options.build:
                    say(f"building {product} (the first time takes some minutes)")
                    needs.install()
                    run(*build, "--product", product)
                given = Path(run(*build, "--show-bin-path").strip()) / product
            if not given.is_file():
                raise Failed(f"{given} does not exist")
            return given
        except Failed as error:
            results.failures.append(f"building {product}: {needs.reason(error)}")
            say(f"  {results.failures[-1]}")
            return None

    measured = bool({"append", "read", "growth", "syncs", "care", "clinic", "search", "exchange"} & set(options.only))
    served = bool({"http", "care"} & set(options.only))
    return Ours(
        measure=program("Measure", options.measure, BENCHMARKS, measured),
        healthjournal=program("healthjournal", options.healthjournal, JOURNAL, served),
        hello=program("HelloServer", options.hello, BENCHMARKS, "http" in options.only),
    )
