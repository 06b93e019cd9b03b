"""The service over HTTP, beside a bare server of the same framework that says hello."""

from .. import needs
from ..bench import Bench, Command
from ..options import PROJECT
from ..programs import Failed, measure
from ..rounds import Case, Figure

GROUP = "http"
SERVICE = PROJECT / "tools/Benchmarks/service"
FIGURES = {
    "hello_get": "GET hello",
    "page_get": "GET a page of 50 entries",
    "hello_post": "POST hello",
    "weight_post": "POST a weight, durable",
}


def _figure(field: str, work: str) -> Figure:
    return Figure(work, "requests/s", lambda line: line[field])


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
    arguments: Command = [journal, hello, "--seconds", seconds, "--only", "load", "--format", "json"]
    figures = tuple(_figure(field, work) for field, work in FIGURES.items())
    # The script asks hello and the journal in turn, so one run of it is one round of both.
    case = Case(GROUP, "healthjournal and hello", figures, lambda folder: measure(SERVICE, *arguments))
    bench.rounds.take([case], bench.options.rounds)
