"""Searches the same texts as the journal's workload `search` with the full-text index of SQLite (FTS5), in the clear.

main.py TEXTS        reads a file with a text a line, and prints the median times of the searches and the numbers of texts
"""

import json
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path

TIMES = 5
SHOWN = 50
# FTS5 has no typing errors, so the misspelt word of the workload is left out.
QUERIES = ["tavolimu*", "scale*", "tavol*", "breakfast* tavolimu*", "qqqqqqq*"]


def search(database: sqlite3.Connection, query: str) -> tuple[float, int]:
    """Returns the seconds of a search that counts all texts and reads the latest ones, and their number."""
    begin = time.perf_counter()
    (count,) = database.execute("SELECT count(*) FROM texts WHERE texts MATCH ?", (query,)).fetchone()
    database.execute("SELECT body FROM texts WHERE texts MATCH ? ORDER BY rowid DESC LIMIT ?", (query, SHOWN)).fetchall()
    return time.perf_counter() - begin, count


def main(texts: Path) -> None:
    with tempfile.TemporaryDirectory(dir=texts.parent) as folder:
        database = sqlite3.connect(f"{folder}/texts.sqlite")
        database.execute("CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = 'unicode61 remove_diacritics 2')")
        with texts.open(encoding="utf-8") as lines, database:
            database.executemany("INSERT INTO texts(body) VALUES (?)", ((line,) for line in lines))
        found = [[search(database, query) for _ in range(TIMES)] for query in QUERIES]
        medians = [statistics.median(taken for taken, _ in times) for times in found]
        (entries,) = database.execute("SELECT count(*) FROM texts").fetchone()
        database.close()
    print(
        json.dumps(
            {
                "system": "sqlite fts5",
                "work": "search",
                "events": entries,
                "seconds": sum(medians),
                "rare_ms": medians[0] * 1e3,
                "frequent_ms": medians[1] * 1e3,
                "slowest_ms": max(medians) * 1e3,
                "rare": found[0][0][1],
                "frequent": found[1][0][1],
            }
        )
    )


main(Path(sys.argv[1]))
