"""Measures care: what is due by 50 plans in a year, the page of a day over HTTP, completing names, reading sentences,
and the changes of a device.

python-dateutil expands the same schedules in the same run.
"""

import http.client
import json
import os
import signal
import socket
import statistics
import subprocess
import time
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ..bench import Bench
from ..programs import Failed, measure
from ..rounds import Case, Figure, Line, rate

GROUP = "care"
DATEUTIL = "dateutil"
DUE, TODAY = "due, 50 plans, one year", "GET today, 50 plans, 3 years of doses"
SYNC, APPENDED = "sync of 10,000 changes", "append of 10,000 events, command"
MILLISECONDS, SUGGEST, DRAFT = "due, 50 plans, one year, time", "suggest among 20,000 names", "draft"
PLANS, YEARS, READS = 50, 3, 50
CHANGES, BATCH = 10_000, 1_000
PORT, SYNC_PORT = 8433, 8434


def measure_care(bench: Bench) -> None:
    cases: list[Case] = []
    if program := bench.ours.measure:
        due = (rate(DUE), Figure(MILLISECONDS, "ms", lambda line: line["seconds"] * 1e3))
        names = (
            Figure(SUGGEST, "ms", lambda line: line["suggest_us"] / 1e3),
            Figure(DRAFT, "ms", lambda line: line["draft_us"] / 1e3),
        )
        cases.append(Case(GROUP, "healthjournal", due, lambda folder: measure(program, "due")))
        cases.append(Case(GROUP, "healthjournal", names, lambda folder: measure(program, "names")))
    if DATEUTIL in bench.peers:
        peer = bench.peers[DATEUTIL]
        cases.append(Case(GROUP, DATEUTIL, (rate(DUE),), lambda folder: _same(bench, measure(*peer))))
    if journal := bench.ours.healthjournal:
        figure = Figure(TODAY, "ms", lambda line: line["today_ms"])
        cases.append(Case(GROUP, "healthjournal", (figure,), lambda folder: _today(journal, folder)))
        sync = (rate(SYNC), Figure(APPENDED, "/s", lambda line: line["events"] / line["append_seconds"]))
        cases.append(Case(GROUP, "healthjournal", sync, lambda folder: _sync(journal, folder)))
    bench.rounds.take(cases, bench.options.rounds)


def _same(bench: Bench, line: Line) -> Line:
    """Fails if dateutil found other moments than the journal."""
    if bench.ours.measure:
        own = measure(bench.ours.measure, "due")
        if (own["events"], own["sum"]) != (line["events"], line["sum"]):
            raise Failed(f"dateutil found {line['events']} doses at other moments than the journal's {own['events']}")
    return line


def _tools(program: Path, folder: Path) -> tuple[Any, Any, dict[str, str]]:
    """Returns functions that run the command on a new journal folder, and the environment of that folder."""
    folder.mkdir()
    environment = dict(
        os.environ, HEALTHJOURNAL_DIR=str(folder / "journal"), XDG_CONFIG_HOME=str(folder / "config"), TZ="Europe/Zurich"
    )

    def tool(*arguments: str, given: str = "") -> str:
        done = subprocess.run(
            [program, *arguments], env=environment, input=given, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Failed(f"healthjournal {arguments[0]}: {done.stderr[-300:]}")
        return done.stdout

    def answer(*arguments: str) -> Any:
        return json.loads(tool(*arguments, "--format", "json"))

    return tool, answer, environment


def _today(program: Path, folder: Path) -> Line:
    """Returns the median time of a request for the doses of a day, in milliseconds."""
    tool, answer, environment = _tools(program, folder)
    tool("init")
    record = answer("record", "create", "--given-name", "Ida", "--family-name", "Example", "--yes")["record"]
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    first = today - timedelta(days=365 * YEARS)
    plans = [
        answer(
            "plan", "add", record, f"Plan {number}", "--unit", "tablet", "--from", f"{first:%Y-%m-%d}", "--daily", "08:00=1"
        )["entry"]
        for number in range(PLANS)
    ]
    tool("append", "--stream", "bench", given="".join(_doses(record, plans, first, today)))
    token = answer("token", "issue", "owner", "--scope", "full")["token"]
    service = subprocess.Popen(
        [program, "serve", "--port", str(PORT), "--reads-per-second", "0"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        taken = _read(record, token)
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(timeout=30)
    return {"work": "today", "events": PLANS, "seconds": sum(taken), "today_ms": statistics.median(taken) * 1e3}


def _doses(record: str, plans: list[str], first: datetime, today: datetime) -> Any:
    """Yields a line for each dose: one a day of each plan."""
    for day in range((today - first).days):
        at = first + timedelta(days=day, hours=7)
        for plan in plans:
            data = {"date": f"{at:%Y-%m-%dT%H:%M:%SZ}", "of": plan, "status": "taken", "amount": "1"}
            event = {
                "specversion": "1.0",
                "id": str(uuid.uuid4()),
                "source": "bench",
                "type": "org.healthjournal.dose.logged",
                "subject": record,
                "datacontenttype": "application/json",
                "data": data,
            }
            yield json.dumps(event) + "\n"


def _sync(program: Path, folder: Path) -> Line:
    """Returns the time in which a service takes the changes of a device and the device fetches the result.

    The same number of events is appended by the command in the same journal, for comparison.
    """
    tool, answer, environment = _tools(program, folder)
    tool("init")
    record = answer("record", "create", "--given-name", "Ida", "--family-name", "Example", "--yes")["record"]
    token = answer("token", "issue", "owner", "--scope", "full")["token"]
    events = [
        {
            "specversion": "1.0",
            "id": str(number),
            "source": "bench",
            "type": "org.healthjournal.weight.logged",
            "subject": record,
            "time": "2026-03-02T07:05:00Z",
            "data": {"value": "72.5", "unit": "kg"},
        }
        for number in range(CHANGES)
    ]
    begin = time.perf_counter()
    tool("append", given="".join(json.dumps(event) + "\n" for event in events))
    append_seconds = time.perf_counter() - begin
    service = subprocess.Popen(
        [program, "serve", "--port", str(SYNC_PORT), "--reads-per-second", "0"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        seconds = _send(record, token)
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(timeout=30)
    return {"work": "sync", "events": CHANGES, "seconds": seconds, "append_seconds": append_seconds}


def _send(record: str, token: str) -> float:
    _await(SYNC_PORT)
    connection = http.client.HTTPConnection("127.0.0.1", SYNC_PORT, timeout=600)
    headers = {"Authorization": f"Bearer {token}"}

    def ask(method: str, path: str, body: str | None = None, kind: str = "application/json") -> bytes:
        connection.request(method, path, body, headers | {"Content-Type": kind})
        response = connection.getresponse()
        content = response.read()
        if response.status >= 300:
            raise Failed(f"{method} {path} was answered with {response.status}")
        return content

    device = json.loads(ask("POST", "/v1/devices", '{"name": "bench"}'))["device"]
    last = json.loads(ask("GET", "/v1/sync?after=0&limit=1").splitlines()[-1])
    while last["more"]:
        last = json.loads(ask("GET", f"/v1/sync?after={last['upTo']}&limit=1000&data=protobuf").splitlines()[-1])
    changes = [_change(device, record, number) for number in range(1, CHANGES + 1)]
    begin = time.perf_counter()
    for first in range(0, CHANGES, BATCH):
        answers = ask("POST", "/v1/sync", "".join(changes[first : first + BATCH]), "application/x-ndjson").splitlines()
        if len(answers) != BATCH or any(json.loads(line)["outcome"] != "taken" for line in answers):
            raise Failed("not every change was taken")
    fetched, more = 0, True
    while more:
        lines = ask("GET", f"/v1/sync?after={last['upTo']}&limit=1000&data=protobuf").splitlines()
        last = json.loads(lines[-1])
        fetched, more = fetched + len(lines) - 1, last["more"]
    if fetched < CHANGES:
        raise Failed(f"only {fetched} events were fetched")
    return time.perf_counter() - begin


def _change(device: str, record: str, number: int) -> str:
    return (
        json.dumps(
            {
                "id": f"{device}/{number}",
                "device": device,
                "seq": number,
                "madeAt": "2026-03-02T07:05:00Z",
                "record": record,
                "entry": str(uuid.uuid4()),
                "kind": "weight",
                "do": "add",
                "base": None,
                "content": {"date": "2026-03-02T07:05:00Z", "value": "72.5", "unit": "kg"},
            }
        )
        + "\n"
    )


def _await(port: int) -> None:
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            time.sleep(0.1)


def _read(record: str, token: str) -> list[float]:
    _await(PORT)
    connection = http.client.HTTPConnection("127.0.0.1", PORT)
    taken = []
    for number in range(READS + 5):
        begin = time.perf_counter()
        connection.request("GET", f"/v1/records/{record}/today", headers={"Authorization": f"Bearer {token}"})
        response = connection.getresponse()
        body = response.read()
        if response.status != 200 or len(json.loads(body)["doses"]) < PLANS:
            raise Failed(f"today was answered with {response.status}")
        # The first requests fill caches.
        if number >= 5:
            taken.append(time.perf_counter() - begin)
    connection.close()
    return taken
