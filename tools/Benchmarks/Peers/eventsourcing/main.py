"""Runs the Python library eventsourcing over SQLite through its own API.

Aggregates trigger events, and an application saves them.

main.py append FOLDER --writers N --batch N --seconds S
main.py fill FOLDER --events N
main.py decode FOLDER       reads every notification in order and decodes its event
main.py aggregates FOLDER   rebuilds every aggregate from its events
"""

import argparse
import json
import sys
from pathlib import Path

from appending import append, fill
from reading import aggregates, decode

WORKS = {"append": append, "fill": fill, "decode": decode, "aggregates": aggregates}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", choices=WORKS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--writers", type=int, default=1)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--events", type=int, default=0)
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True)
    result = {"system": "eventsourcing", "work": options.work, **WORKS[options.work](options)}
    json.dump(result, sys.stdout)
    print()


if __name__ == "__main__":
    main()
