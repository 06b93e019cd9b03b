"""Applies, all at once, every load that once stopped, filled or froze a service; called by tools/stress.

Each source of load runs on its own thread, against one service over HTTPS. At the same time a monitor polls the
service's health checks; it is a process of its own, because in this one it would also measure how long it waits for
the interpreter, which all the sources of load share. Sources that stand for other machines yield the processor to the
service. At the end a table lists what was done. Each exceeded limit is a failure.
"""

import argparse
import fcntl
import http.client
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

# Limits that must hold throughout.
HEALTH_SECONDS = 0.1
MEMORY_BYTES = 512 << 20
# The most bytes that an event may add to the log, including all pages and hashes.
LOG_BYTES_PER_EVENT = 2_048

READER = """
import lmdb, os, signal, sys
environment = lmdb.open(sys.argv[1], readonly=True, max_dbs=8, max_readers=2048, map_size=1 << 40)
transaction = environment.begin()
transaction.stat(environment.open_db(b"events", txn=transaction, create=False))
print("open", flush=True)
signal.pause()
"""


class Journal:
    """A journal with one large record, and its service, in a temporary folder."""

    def __init__(self, program, folder, entries):
        self.program = program
        self.folder = Path(folder)
        self.environment = {**os.environ, "HEALTHJOURNAL_DIR": str(self.folder / "journal"),
                            "HEALTHJOURNAL_MASTER_KEY_FILE": str(self.folder / "key"), "TZ": "UTC"}
        self.run("init")
        self.record = self.made("record", "record", "create", "--given-name", "Ada")
        # The scale has no access to this record: events for it are refused.
        self.closed = self.made("record", "record", "create", "--given-name", "Theo")
        self.document = bundle(10_000)
        self.fill(entries)
        self.run("account", "password", "owner", text="correct horse battery\n")
        self.run("account", "add", "scale", "--kind", "tool")
        self.run("caregiver", "grant", self.record, "scale", "--sections", "myhealth", "--verbs", "contribute")
        self.owner = self.token("owner", "full")
        self.scale = self.token("scale", "append:weight")
        self.importers = []
        for name in ("importer-a", "importer-b"):
            self.run("account", "add", name)
            self.importers.append(self.token(name, "full"))

    def run(self, *arguments, text=None):
        done = subprocess.run([self.program, *arguments], env=self.environment, input=text, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise SystemExit(f"{arguments[:2]}: {done.stderr}")
        return done.stdout

    def made(self, what, *arguments):
        return json.loads(self.run(*arguments, "--format", "json"))[what]

    def token(self, account, scope):
        return re.search(r"hj_[^\"]*", self.run("token", "issue", account, "--scope", scope, "--format", "json")).group()

    def fill(self, entries):
        comment = "x" * 400
        lines = (json.dumps({"specversion": "1.0", "type": "org.healthjournal.weight.logged", "source": "/stress",
                             "id": f"fill-{number}", "subject": self.record,
                             "data": {"value": str(60 + number % 30), "unit": "kg", "comment": comment}})
                 for number in range(entries))
        self.run("append", text="\n".join(lines) + "\n")

    def serve(self):
        certificate = self.folder / "certificate.pem"
        key = self.folder / "tls-key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                        "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out",
                        str(certificate)], check=True, capture_output=True)
        # The limit on file descriptors is low, as with a careless unit file.
        limited = ["bash", "-c", 'ulimit -n 400 && exec "$@"', "bash"]
        self.service = subprocess.Popen(
            [*limited, self.program, "serve", "--port", "0", "--tls-certificate", str(certificate), "--tls-key", str(key)],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = next((line for line in self.service.stdout if "https://" in line), None)
        if line is None:
            raise SystemExit("the service did not start")
        self.port = int(re.search(r":(\d+)\s*$", line).group(1))
        self.trust = ssl.create_default_context(cafile=str(certificate))
        self.trust.check_hostname = False
        self.wait_until_ready()

    def wait_until_ready(self):
        """Waits until the views have processed the filled events, for at most 120 s.

        Until then the service correctly reports that it is not ready.
        """
        until = time.monotonic() + 120
        while True:
            connection = self.connection()
            connection.request("GET", "/health/ready")
            answer = connection.getresponse()
            if answer.status == 200:
                return
            if time.monotonic() > until:
                raise SystemExit(f"the service is not ready: {answer.read().decode()}")
            time.sleep(0.2)

    def connection(self, source="127.0.0.1", timeout=30):
        return http.client.HTTPSConnection("127.0.0.1", self.port, context=self.trust, timeout=timeout,
                                           source_address=(source, 0))

    @property
    def log(self):
        return (self.folder / "journal/log/data.mdb").stat().st_blocks * 512

    def memory(self):
        status = Path(f"/proc/{self.service.pid}/status").read_text(encoding="ascii")
        # Only memory that the process allocated counts; the mapped log belongs to the page cache.
        return int(re.search(r"RssAnon:\s+(\d+)", status).group(1)) << 10


def bundle(count):
    """A FHIR document of a Patient and a number of values."""
    def entry(resource):
        return {"fullUrl": f"http://stress/{resource['resourceType']}/{resource['id']}", "resource": resource}

    values = ({"resourceType": "Observation", "id": str(number), "status": "final", "effectiveDateTime": "2020-01-01",
               "code": {"text": f"value {number % 50}"}, "subject": {"reference": "http://stress/Patient/p"},
               "valueQuantity": {"value": number, "unit": "kg"}} for number in range(count))
    patient = {"resourceType": "Patient", "id": "p", "name": [{"family": "A"}]}
    entries = [entry(patient)] + [entry(value) for value in values]
    return json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}, separators=(",", ":")).encode()


def monitor_health(port, seconds, results):
    """Polls the health checks of the service at `port` for `seconds`, and puts what it found into the queue `results`.

    It also measures how much later than asked for it was woken at most: the part of a delay that is the machine's.
    """
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE

    def connect():
        return http.client.HTTPSConnection("127.0.0.1", port, context=trust, timeout=10)

    connection, until = connect(), time.monotonic() + seconds
    counts, problems, woken_late = Counter(), [], 0.0
    slowest = {"/health/live": 0.0, "/health/ready": 0.0}
    while time.monotonic() < until:
        for path in slowest:
            begun = time.monotonic()
            try:
                connection.request("GET", path)
                answer = connection.getresponse()
                body = answer.read().decode()
                taken = time.monotonic() - begun
                counts[f"GET {answer.status}"] += 1
                if answer.status != 200:
                    problems.append(f"{path} was answered with {answer.status}: {body}")
            except (OSError, http.client.HTTPException) as error:
                taken = time.monotonic() - begun
                problems.append(f"{path} was not answered: {type(error).__name__}")
                connection.close()
                connection = connect()
            slowest[path] = max(slowest[path], taken)
            if taken > HEALTH_SECONDS:
                counts[f"{path} late"] += 1
        begun = time.monotonic()
        time.sleep(0.05)
        woken_late = max(woken_late, time.monotonic() - begun - 0.05)
    results.put({"counts": counts, "problems": problems[:40], "slowest": slowest, "woken late": woken_late})


def from_afar(work):
    """Lets a source of load yield to the service: it stands for other machines, which would not take its processor."""
    def run(*arguments):
        # On Linux, the thread 0 is the one that calls.
        os.setpriority(os.PRIO_PROCESS, 0, 10)
        work(*arguments)
    return run


class Load:
    """The sources of load, which run concurrently until the deadline, and what they count and measure."""

    def __init__(self, journal, seconds):
        self.journal = journal
        self.until = time.monotonic() + seconds
        self.counts = Counter()
        self.lock = threading.Lock()
        self.problems = []
        self.slowest = {}
        self.late_monitor = 0.0
        self.memory = 0

    @property
    def goes_on(self):
        return time.monotonic() < self.until

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    def problem(self, text):
        with self.lock:
            if len(self.problems) < 40:
                self.problems.append(text)

    def ask(self, connection, method, path, body=None, **headers):
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        size = 0
        while piece := answer.read(1 << 16):
            size += len(piece)
        self.count(f"{method} {answer.status}")
        return answer, size

    def repeat(self, work, source):
        """Repeats `work` until the deadline.

        Reconnects after errors, because the service may close a connection to limit the load.
        """
        connection = self.journal.connection(source)
        while self.goes_on:
            try:
                work(connection)
            except (OSError, http.client.HTTPException):
                self.count("connections lost")
                connection.close()
                connection = self.journal.connection(source)
                time.sleep(0.05)

    def writer(self, number):
        def work(connection):
            answer, _ = self.ask(
                connection, "POST", f"/v1/records/{self.journal.record}/entries/weight",
                json.dumps({"value": "70", "unit": "kg"}), Authorization=f"Bearer {self.journal.owner}",
                Content_Type="application/json", Idempotency_Key=f"{number}-{random.getrandbits(64)}")
            if answer.status in (200, 201):
                self.count("events acknowledged")
            elif answer.status == 429:
                time.sleep(min(1, float(answer.headers.get("Retry-After", "1"))))
            elif answer.status not in (503, 507):
                self.problem(f"a write was answered with {answer.status}")
        self.repeat(work, f"127.0.1.{number + 1}")

    def refused(self, number):
        line = json.dumps({"specversion": "1.0", "type": "org.healthjournal.weight.logged", "source": "/stress", "id": "1",
                           "subject": self.journal.closed, "data": {"value": "70", "unit": "kg"}})
        batch = "[" + ",".join([line] * 500) + "]"

        def work(connection):
            answer, _ = self.ask(connection, "POST", "/v1/events", batch, Authorization=f"Bearer {self.journal.scale}",
                                 Content_Type="application/cloudevents-batch+json", Purpose="p" * 190)
            if answer.status < 300:
                self.count("events refused", 500)
        self.repeat(work, f"127.0.2.{number + 1}")

    def exporter(self, form):
        def work(connection):
            _, size = self.ask(connection, "GET", f"/v1/records/{self.journal.record}/export?as={form}",
                               Authorization=f"Bearer {self.journal.owner}")
            self.count("bytes exported", size)
        self.repeat(work, "127.0.3.1")

    def importer(self, number):
        """Previews the import of a large document, which is parsed and decided on each time."""
        def work(connection):
            answer, _ = self.ask(connection, "POST", "/v1/imports?dryRun=true", self.journal.document,
                                 Authorization=f"Bearer {self.journal.importers[number % 2]}", Content_Type="application/json")
            if answer.status == 200:
                self.count("imports previewed")
            elif answer.status == 429:
                time.sleep(0.2)
            elif answer.status != 503:
                self.problem(f"an import was answered with {answer.status}")
        self.repeat(work, f"127.0.7.{number + 1}")

    def hung_up_searches(self):
        """Begins searches that read the whole record, and hangs up at once."""
        number = 0
        while self.goes_on:
            number += 1
            try:
                connection = self.journal.connection("127.0.8.1")
                connection.request("GET", f"/fhir/Observation?patient={self.journal.record}&code=y{number}&_sort=-date",
                                   headers={"Authorization": f"Bearer {self.journal.owner}"})
                connection.close()
                self.count("searches hung up")
            except (OSError, http.client.HTTPException):
                self.count("connections lost")
            time.sleep(0.02)

    def unread_streams(self):
        """Opens HTTP/2 streams for large responses, and opens no window for them."""
        trust = ssl.create_default_context()
        trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
        trust.set_alpn_protocols(["h2"])

        def frame(kind, flags, stream, payload):
            return struct.pack("!I", len(payload))[1:] + bytes([kind, flags]) + struct.pack("!I", stream) + payload

        block = b"\x82\x87\x04\x0d/openapi.json\x01\x09localhost"
        held = []
        while self.goes_on:
            try:
                plain = socket.create_connection(("127.0.0.1", self.journal.port), timeout=5, source_address=("127.0.9.1", 0))
                peer = trust.wrap_socket(plain, server_hostname="localhost")
                peer.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, struct.pack("!HI", 4, 0)))
                peer.sendall(b"".join(frame(1, 5, 2 * number + 1, block) for number in range(100)))
                held.append(peer)
                self.count("streams left unread", 100)
            except OSError:
                self.count("connections lost")
            if len(held) > 30:
                held.pop(0).close()
            time.sleep(0.1)
        for peer in held:
            peer.close()

    def silent(self, network):
        """Opens connections that send nothing, and replaces those that the service closes."""
        held = []
        while self.goes_on:
            for _ in range(20):
                try:
                    one = socket.create_connection(("127.0.0.1", self.journal.port), timeout=1,
                                                   source_address=(f"127.0.{network}.{random.randint(1, 9)}", 0))
                    one.setblocking(False)
                    held.append(one)
                    self.count("silent connections")
                except OSError:
                    break
            time.sleep(0.5)
            for one in list(held):
                try:
                    if one.recv(1) == b"":
                        raise ConnectionResetError
                except BlockingIOError:
                    continue
                except OSError:
                    one.close()
                    held.remove(one)
        for one in held:
            one.close()

    def parsed_headers(self):
        def work(connection):
            self.ask(connection, "GET", "/sign-in", Accept_Language=",".join(f"en-x{n};q=0.{n % 9}" for n in range(2_000)))
        self.repeat(work, "127.0.4.1")

    def lock_holder(self):
        """Holds the lock of the key file for 7 s at a time, as a backup to a slow disk does."""
        with open(self.journal.folder / "journal/keys/subjects", "r+b") as file:
            while self.goes_on:
                fcntl.flock(file, fcntl.LOCK_EX)
                time.sleep(7)
                fcntl.flock(file, fcntl.LOCK_UN)
                self.count("key file locked")
                time.sleep(3)

    def backups(self):
        while self.goes_on:
            done = subprocess.run([self.journal.program, "backup", str(self.journal.folder / "backup")],
                                  env=self.journal.environment, capture_output=True, check=False)
            self.count("backups" if done.returncode == 0 else "backups that failed")
            time.sleep(2)

    def killed_readers(self):
        """Kills processes during a read transaction.

        LMDB cannot reuse the pages of their snapshots until a process clears the stale reader slots.
        """
        while self.goes_on:
            with subprocess.Popen([sys.executable, "-c", READER, str(self.journal.folder / "journal/log")],
                                  stdout=subprocess.PIPE) as reader:
                if reader.stdout.readline():
                    self.count("readers killed")
                reader.kill()
            time.sleep(5)

    def monitored(self, results):
        """Takes over what the monitor found, and what the service's memory was at most."""
        while self.goes_on:
            self.memory = max(self.memory, self.journal.memory())
            time.sleep(0.05)
        found = results.get(timeout=60)
        self.counts.update(found["counts"])
        self.problems += found["problems"]
        self.slowest = found["slowest"]
        self.late_monitor = found["woken late"]

    def run(self):
        context = multiprocessing.get_context("spawn")
        results = context.Queue()
        monitor = context.Process(target=monitor_health, daemon=True,
                                  args=(self.journal.port, self.until - time.monotonic(), results))
        monitor.start()
        work = [(self.monitored, results), (self.parsed_headers,), (self.lock_holder,), (self.backups,), (self.killed_readers,)]
        work += [(self.writer, number) for number in range(4)] + [(self.refused, number) for number in range(2)]
        work += [(self.importer, number) for number in range(4)] + [(self.hung_up_searches,), (self.unread_streams,)]
        work += [(self.exporter, form) for form in ("native", "html", "purus")] + [(self.silent, net) for net in (5, 6)]
        here = {self.monitored, self.lock_holder, self.backups, self.killed_readers}
        threads = [threading.Thread(target=one[0] if one[0] in here else from_afar(one[0]), args=one[1:], daemon=True)
                   for one in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=max(0, self.until - time.monotonic()) + 60)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--entries", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="stress-") as folder:
        journal = Journal(options.program, folder, options.entries)
        journal.serve()
        try:
            failures = measure(journal, options.seconds)
        finally:
            journal.service.send_signal(signal.SIGTERM)
            try:
                status = journal.service.wait(timeout=30)
            except subprocess.TimeoutExpired:
                journal.service.kill()
                status = None
        if status != 0:
            failures.append(f"the service ended with {status}")
    for failure in failures:
        print(f"FAILED  {failure}")
    print(f"{0 if failures else 1} passed, {1 if failures else 0} failed")
    return 1 if failures else 0


def measure(journal, seconds):
    head, log = position(journal), journal.log
    load = Load(journal, seconds)
    load.run()
    events, grown = position(journal) - head, journal.log - log
    for what, number in sorted(load.counts.items()):
        print(f"{what:32} {number:>14,}")
    for path, taken in load.slowest.items():
        print(f"{'slowest ' + path:32} {taken * 1000:>11,.0f} ms")
    print(f"{'monitor woken late by at most':32} {load.late_monitor * 1000:>11,.0f} ms")
    print(f"{'memory at most':32} {load.memory / (1 << 20):>10,.0f} MiB")
    print(f"{'events in the log':32} {events:>14,}")
    print(f"{'log grown by':32} {grown / (1 << 20):>10,.1f} MiB")
    failures = load.problems
    failures += [f"{path} took {taken * 1000:.0f} ms" for path, taken in load.slowest.items() if taken > HEALTH_SECONDS]
    if load.memory > MEMORY_BYTES:
        failures.append(f"the service had {load.memory >> 20} MiB")
    if grown > events * LOG_BYTES_PER_EVENT + (1 << 20):
        failures.append(f"the log grew by {grown / max(1, events):.0f} bytes an event")
    done = sum(number for what, number in load.counts.items() if what.split()[0] in ("GET", "POST"))
    if events > done + load.counts["events acknowledged"]:
        failures.append(f"{events} events were recorded for {done} requests")
    return failures


def position(journal):
    connection = journal.connection()
    connection.request("GET", "/health/ready")
    return json.loads(connection.getresponse().read())["head"]


if __name__ == "__main__":
    sys.exit(main())
