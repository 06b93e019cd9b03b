"""Reads a Bundle of FHIR R4 with Python: with json alone, and with the models of fhir.resources.

main.py json FILE             parses the file
main.py fhir.resources FILE   parses the file, and creates a model of each resource, after a first pass over a few of them
"""

import functools
import json
import resource
import sys
import time
from pathlib import Path

WARM = 2_000


def main(system: str, file: Path) -> None:
    if system == "fhir.resources":
        from fhir.resources.R4B import get_fhir_model_class

        model = functools.cache(get_fhir_model_class)

        def create(entry: dict) -> None:
            model(entry["resource"]["resourceType"]).model_validate(entry["resource"])

    text = file.read_bytes()
    entries = json.loads(text)["entry"] if system == "fhir.resources" else []
    for entry in entries[:WARM]:
        create(entry)
    begin = time.perf_counter()
    read = json.loads(text)
    for entry in entries:
        create(entry)
    seconds = time.perf_counter() - begin
    print(
        json.dumps(
            {
                "system": system,
                "work": "read",
                "events": len(read["entry"]),
                "seconds": seconds,
                "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
    )


main(sys.argv[1], Path(sys.argv[2]))
