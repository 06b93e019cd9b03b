"""Measures the service over HTTP, and a minimal server of the same framework, hello, for comparison."""

from pathlib import Path

from .. import needs
from ..bench import Bench, Command
from ..options import PROJECT
from ..programs import Failed, measure
from ..rounds import Case, Figure, Line

GROUP = "http"
HELLO = "hello"
GET, BYTES, POST = "GET", "GET as many bytes as the page has", "POST"
PAGE, WEIGHT = "GET a page of 50 entries", "POST a weight, durable"
FHIR = "GET a page of FHIR of about the same size"
SERVICE = PROJECT / "tools/Benchmarks/service"

FIGURES = (
    Figure(GET, "requests/s", lambda line: line["hello_get"], HELLO),
    Figure(BYTES, "requests/s", lambda line: line["hello_page_get"], HELLO),
    Figure(PAGE, "requests/s", lambda line: line["page_get"]),
    Figure(FHIR, "requests/s", lambda line: line["fhir_get"]),
    Figure(POST, "requests/s", lambda line: line["hello_post"], HELLO),
    Figure(WEIGHT, "requests/s", lambda line: line["weight_post"]),
)


def measure_http(bench: Bench) -> None:
    journal, hello = bench.ours.healthjournal, bench.ours.hello
    if not journal or not hello:
        return
    try:
        needs.install("wrk")
    except Failed as error:
        bench.results.missing["wrk"] = needs.reason(error)
        return
    seconds = str(max(1, round(bench.options.seconds)))

    def run(folder: Path) -> Line:
        folder.mkdir()
        # The script creates its journal in the temporary folder: here on the disk of the other journals.
        script: Command = ["env", f"TMPDIR={folder}", SERVICE, journal, hello]
        return measure(*script, "--seconds", seconds, "--only", "load", "--format", "json")

    # The script measures hello and the journal alternately, so one run of it is one round of both.
    bench.rounds.take([Case(GROUP, "healthjournal", FIGURES, run)], bench.options.rounds)
