"""Reads an export of Apple Health with Python's expat, and adds up the values of each type.

main.py FILE    the document; its document type, which no parser accepts, is skipped
"""

import json
import resource
import sys
import time
from xml.parsers import expat

PART = 64 << 10


def main(path: str) -> None:
    sums: dict[str, float] = {}
    records = 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal records
        if name == "Record":
            records += 1
            try:
                value = float(attributes["value"])
            except (KeyError, ValueError):
                return
            sums[attributes["type"]] = sums.get(attributes["type"], 0) + value

    parser = expat.ParserCreate()
    parser.StartElementHandler = begin
    started = time.perf_counter()
    with open(path, "rb") as file:
        parser.Parse(file.read(PART).partition(b"]>")[2].lstrip(), False)
        while part := file.read(PART):
            parser.Parse(part.replace(b"\x0b", b" "), False)
    parser.Parse(b"", True)
    print(
        json.dumps(
            {
                "system": "expat",
                "work": "read",
                "events": records,
                "seconds": time.perf_counter() - started,
                "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
    )


main(sys.argv[1])
