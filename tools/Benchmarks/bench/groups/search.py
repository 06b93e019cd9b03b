"""Measures a search in sealed entries: 10,000 of one record, and 200,000 of a household.

SQLite's full-text index (FTS5) searches the same texts in the same run, in the clear.
"""

from pathlib import Path

from ..bench import Bench
from ..programs import measure
from ..rounds import Case, Figure, Line

GROUP = "search"
FTS5 = "sqlite fts5"
SIZES = {"a record, 10,000 entries": (1, 10_000), "a household, 200,000 entries": (6, 200_000)}


def slowest(where: str) -> str:
    return f"{where}: the slowest search"


def measure_search(bench: Bench) -> None:
    if not (program := bench.ours.measure):
        return
    for where, (records, entries) in SIZES.items():
        texts = bench.options.folder / f"texts-{entries}"

        def ours(folder: Path, texts: Path = texts, sizes: tuple[int, int] = (records, entries)) -> Line:
            return measure(program, "search", folder, "--records", str(sizes[0]), "--entries", str(sizes[1]), "--texts", texts)

        figures = (
            Figure(slowest(where), "ms", lambda line: line["slowest_ms"]),
            Figure(f"{where}: a rare word", "ms", lambda line: line["rare_ms"]),
            Figure(f"{where}: a frequent word", "ms", lambda line: line["frequent_ms"]),
        )
        cases = [Case(GROUP, "healthjournal", figures, ours)]
        if peer := bench.peers.get(FTS5):
            cases.append(Case(GROUP, FTS5, figures, lambda folder, texts=texts: measure(*peer, texts)))
        bench.rounds.take(cases, bench.options.rounds)
        texts.unlink(missing_ok=True)
