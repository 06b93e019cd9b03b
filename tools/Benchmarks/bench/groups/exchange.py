"""Measures reading, importing and exporting a document of FHIR R4 with 100,000 resources, and importing an export of
Apple Health of 2 GiB.

Python parses the same documents in the same run: FHIR with json alone, and with the models of fhir.resources, which
validate each resource. Since these take minutes for all of it, they get a smaller document, and rates are compared. The
export of Apple Health is parsed with expat.
"""

from pathlib import Path

from ..bench import Bench
from ..programs import measure, run
from ..rounds import Case, Figure, Run

GROUP = "exchange"
JSON, MODELS, MAKER = "json", "fhir.resources", "fhir documents"
READ, DRY, DURABLE = "read", "dry run", "durable import"
RATE, EXPORT, PEAK, SIZE = "resources read", "export", "peak memory of an import", "document"
RESOURCES, QUICK, OF_MODELS = 100_000, 10_000, 10_000
EXPAT, PHONE = "expat", "apple exports"
APPLE, APPLE_PEAK = "import of Apple Health", "peak memory of an import of Apple Health"
MEBIBYTES, QUICK_MEBIBYTES = 2_048, 128


def _seconds(work: str) -> Figure:
    return Figure(work, "s", lambda line: line["seconds"])


def _rate() -> Figure:
    return Figure(RATE, "resources/s", lambda line: line["events"] / line["seconds"])


def measure_exchange(bench: Bench) -> None:
    _measure_fhir(bench)
    _measure_apple(bench)


def _measure_apple(bench: Bench) -> None:
    if not (program := bench.ours.measure) or not (maker := bench.peers.get(PHONE)):
        return
    size = QUICK_MEBIBYTES if bench.options.is_quick else MEBIBYTES
    document = bench.options.folder / "export.xml"
    if not bench.rounds.attempt("making an export", lambda: run(*maker, document, str(size))):
        return
    megabytes = document.stat().st_size / 1e6
    figures = (
        Figure(APPLE, "MB/s", lambda line: megabytes / line["seconds"]),
        Figure(APPLE_PEAK, "MiB", lambda line: line["peak_mib"]),
    )
    bench.rounds.take(
        [
            Case(GROUP, "healthjournal", figures, lambda folder: measure(program, "apple", folder, "--document", document)),
            Case(GROUP, EXPAT, figures, lambda folder: measure(*bench.peers[EXPAT], document)),
        ],
        bench.options.rounds,
    )
    document.unlink()


def _measure_fhir(bench: Bench) -> None:
    if not (program := bench.ours.measure) or not (maker := bench.peers.get(MAKER)):
        return
    count = QUICK if bench.options.is_quick else RESOURCES
    document, small = (bench.options.folder / f"fhir-{size}.json" for size in (count, OF_MODELS))
    for file, size in ((document, count), (small, OF_MODELS)):
        if not bench.rounds.attempt("making a document", lambda file=file, size=size: run(*maker, file, str(size))):
            return

    def ours(*flags: str) -> Run:
        return lambda folder: measure(program, "exchange", folder, "--document", document, *flags)

    imported = (
        _seconds(DURABLE),
        Figure(PEAK, "MiB", lambda line: line["peak_mib"]),
        Figure(SIZE, "MiB", lambda line: line["document_mib"]),
        Figure(EXPORT, "resources/s", lambda line: line["events"] / line["export_seconds"]),
    )
    peer = (_seconds(READ), Figure(PEAK, "MiB", lambda line: line["peak_mib"]))
    bench.rounds.take(
        [
            Case(GROUP, "healthjournal", (_seconds(DRY), _rate()), ours("--dry-run")),
            Case(GROUP, "healthjournal", imported, ours()),
            Case(GROUP, JSON, peer, lambda folder: measure(*bench.peers[JSON], document)),
            Case(GROUP, MODELS, (_rate(),), lambda folder: measure(*bench.peers[MODELS], small)),
        ],
        bench.options.rounds,
    )
    document.unlink()
    small.unlink(missing_ok=True)
