"""Books, moves and cancels appointments from many clients at once while services are killed; called by tools/booking-faults.

Two services share one journal. A history is one day of a practice that 16 clients, eight at each service, change at once.
At random moments a service is killed and started again; a client that gets no answer sends its request again with the same
key. Afterwards the events are read from the log with healthjournal-replay, and folded here:

  overlap   two appointments take the same specialist, room or patient at the same time, after some event
  lost      an acknowledged change is not in the log
  unknown   the log has a change that nobody was told of
  wrong     an answer that no client may get

These numbers must be 0, and the views must agree with the log.
"""

import argparse
import datetime
import http.client
import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter, defaultdict
from pathlib import Path

SERVICES = 2
CLIENTS = 16
CHANGES = 3
ANIMALS = 6
FIRST_DAY = datetime.date(2030, 1, 1)
# How long a client waits for a service that was killed.
SECONDS_WITHOUT_SERVICE = 60
ACTIVE = {"held", "booked", "rescheduled", "reassigned", "displaced", "reinstated"}
FREED = {"cancelled", "missed", "completed", "retracted"}


class Journal:
    """A journal with one practice, and the services that share it."""

    def __init__(self, program, replay, folder, animals, minutes):
        self.program, self.replay, self.folder = program, replay, Path(folder)
        self.environment = {**os.environ, "HEALTHJOURNAL_DIR": str(self.folder / "journal"), "TZ": "UTC",
                            "HEALTHJOURNAL_MASTER_KEY_FILE": str(self.folder / "key"),
                            "HEALTHJOURNAL_WRITES_PER_SECOND": "0", "HEALTHJOURNAL_READS_PER_SECOND": "0"}
        self.run("init", "--zone", "Europe/Zurich")
        issued = self.run("token", "issue", "owner", "--scope", "full", "--format", "json")
        self.token = re.search(r'hj_[^"]*', issued).group()
        self.services = [Service(self) for _ in range(SERVICES)]
        client = Client(self.services[0])
        self.practice = client.send("POST", "/v1/practices", {"name": "Two Rooms", "zone": "Europe/Zurich"})[1]["id"]
        self.address = f"/v1/practices/{self.practice}"
        owner = client.send("GET", self.address)[1]["members"][0]["account"]
        client.send("PUT", f"{self.address}/members/{owner}",
                    {"roles": ["veterinarian", "nurse", "receptionist", "manager"]})
        client.send("PUT", f"{self.address}/timetable", {"from": "2020-01-01", "usual": ["mon-sun 00:00-24:00"]})
        self.room, self.check_up, self.surgery = (str(uuid.uuid4()) for _ in range(3))
        client.send("PUT", f"{self.address}/rooms/{self.room}", {"name": "Surgery"})
        client.send("PUT", f"{self.address}/services/{self.check_up}",
                    {"name": "Check-up", "type": "routine", "minutes": minutes})
        client.send("PUT", f"{self.address}/services/{self.surgery}",
                    {"name": "Castration", "type": "surgery", "minutes": 60, "bufferAfter": 15, "places": [self.room]})
        self.specialists = [client.send("POST", f"{self.address}/specialists", {"name": name})[1]["id"]
                            for name in ("Ada", "Ben")]
        self.animals = []
        for number in range(animals):
            body = {"subject": "animal", "profile": {"name": f"Dog {number}"}}
            self.animals.append(client.send("POST", "/v1/records?similar=true", body)[1]["record"])
            client.send("PUT", f"{self.address}/patients/{self.animals[-1]}", {})

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{arguments[:2]}: {done.stderr}")
        return done.stdout

    def stop(self):
        for service in self.services:
            service.stop()

    def trail(self):
        """The events of appointments, the first one first, from the log itself."""
        with subprocess.Popen([self.replay, "trail", "--type", "appointment", "--format", "json"], env=self.environment,
                              stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                event = json.loads(line)
                if event["type"].startswith("appointment."):
                    yield event
        if process.returncode != 0:
            raise SystemExit("the audit trail cannot be read")

    def verify(self):
        done = subprocess.run([self.replay, "verify", "--views"], env=self.environment, capture_output=True, text=True,
                              check=False)
        agrees = re.search(r"^views against the log +agree$", done.stdout, re.MULTILINE)
        return [] if done.returncode == 0 and agrees else [f"verify: {done.stdout}{done.stderr}"]


class Service:
    """One service of the journal, which can be killed and started again."""

    def __init__(self, journal):
        self.journal = journal
        self.kills = 0
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.journal.program, "serve", "--port", "0"], env=self.journal.environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = next((line for line in self.process.stdout if "http://" in line), None)
        if line is None:
            raise SystemExit("the service did not start")
        self.port = int(re.search(r":(\d+)\s*$", line).group(1))

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.kills += 1
        self.start()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)


class Client:
    """A connection to a service. A request without an answer is sent again with the same key."""

    def __init__(self, service):
        self.service = service
        self.connection = None
        self.repeated = 0

    def once(self, method, path, body, key, is_cut=False):
        if self.connection is None or self.connection.port != self.service.port:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=30)
        headers = {"Authorization": f"Bearer {self.service.journal.token}", "Content-Type": "application/json",
                   "Idempotency-Key": key}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        if is_cut:
            raise ConnectionAbortedError
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read() or b"{}"), answer.headers.get("ETag")

    def send(self, method, path, body=None, key=None, is_cut=False):
        key = key or str(uuid.uuid4())
        until = time.monotonic() + SECONDS_WITHOUT_SERVICE
        while True:
            try:
                return self.once(method, path, body, key, is_cut)
            except (OSError, http.client.HTTPException):
                if self.connection is not None:
                    self.connection.close()
                self.connection = None
                if time.monotonic() > until:
                    raise SystemExit("the service does not answer") from None
                self.repeated += 1
                if not is_cut:
                    time.sleep(0.02)
                is_cut = False


class Histories:
    """Random histories of a journal, each of one day, and what its clients were told."""

    def __init__(self, journal, seed, first, count, kill_seconds):
        self.journal, self.seed, self.first, self.count, self.kill_seconds = journal, seed, first, count, kill_seconds
        self.counts = Counter()
        self.acknowledged = []
        self.problems = []
        self.lock = threading.Lock()
        self.is_over = threading.Event()
        self.barrier = threading.Barrier(CLIENTS)
        # The appointments of the current day.
        self.known = []

    def run(self):
        clients = [threading.Thread(target=self.guarded, args=(self.client, number)) for number in range(CLIENTS)]
        killer = threading.Thread(target=self.guarded, args=(self.killer,))
        for thread in [*clients, killer]:
            thread.start()
        for thread in clients:
            thread.join()
        self.is_over.set()
        killer.join()

    def guarded(self, work, *arguments):
        try:
            work(*arguments)
        except (Exception, SystemExit) as error:
            self.problem(f"{type(error).__name__}: {error}")
            self.is_over.set()
            self.barrier.abort()

    def problem(self, text):
        with self.lock:
            if len(self.problems) < 20:
                self.problems.append(text)

    def killer(self):
        moments = random.Random(f"{self.seed} kills {self.first}")
        while not self.is_over.wait(moments.uniform(0, 2 * self.kill_seconds)):
            moments.choice(self.journal.services).kill()
            self.counts["kills"] += 1

    def client(self, number):
        client = Client(self.journal.services[number % SERVICES])
        for history in range(self.first, self.first + self.count):
            if self.barrier.wait() == 0:
                self.known = []
            self.barrier.wait()
            choices = random.Random(f"{self.seed} {history} {number}")
            for change in range(CHANGES):
                self.change(client, choices, FIRST_DAY + datetime.timedelta(days=history), f"{history}-{number}-{change}")
        with self.lock:
            self.counts["sent again"] += client.repeated

    def change(self, client, choices, day, key):
        path, body = self.request(choices, day)
        status, answer, tag = client.send("POST", path, body, key, is_cut=choices.random() < 0.02)
        what = path.rpartition("/")[2].partition("?")[0]
        with self.lock:
            self.counts[f"{what} {answer.get('type', '').rpartition(':')[2] or status}"] += 1
            if status in (200, 201) and answer["changed"]:
                self.acknowledged.append((answer["entry"], int(tag.strip('"'))))
                if what == "appointments":
                    self.known.append(answer["entry"])
        if status not in (200, 201, 409):
            self.problem(f"{what} was answered with {status}: {answer}")
        if answer.get("type", "").endswith(":slot-taken") and what == "appointments" and not answer.get("alternatives"):
            self.problem(f"{what}: a loser was told of no other time")

    def request(self, choices, day):
        start = f"{day}T{choices.randrange(8, 12):02}:{choices.choice((0, 15, 30, 45)):02}"
        specialist = choices.choice(self.journal.specialists)
        known = choices.choice(self.known) if self.known and choices.random() < 0.55 else None
        if known is None:
            service = choices.choice((self.journal.check_up, self.journal.check_up, self.journal.surgery))
            body = {"record": choices.choice(self.journal.animals), "service": service, "specialist": specialist,
                    "start": start}
            if self.known and choices.random() < 0.1:
                body["displacing"] = {"appointment": choices.choice(self.known)}
            elif choices.random() < 0.1:
                until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=14)
                body["holdUntil"] = until.strftime("%Y-%m-%dT%H:%M:00Z")
            return f"{self.journal.address}/appointments?reason=to+make+room", body
        word = choices.choices(("move", "reassign", "cancel", "reinstate", "confirm", "book"), (4, 2, 3, 3, 1, 1))[0]
        bodies = {"move": {"start": start}, "reassign": {"specialist": specialist}, "confirm": {"way": "phone"}}
        return f"/v1/appointments/{known}/{word}", bodies.get(word, {})

    def check(self):
        """Folds the events of the log, and compares them with what the clients were told."""
        calendar, told = Calendar(), set(self.acknowledged)
        for event in self.journal.trail():
            self.counts["events"] += 1
            self.counts["overlap"] += calendar.take(event)
            change = (event["entry"], event["position"])
            if change in told:
                told.remove(change)
                calendar.acknowledged_at.add(event["recordedAt"])
            else:
                calendar.unknown.append(event)
        self.counts["lost"] += len(told)
        # An appointment that is displaced changes in the append of the one that takes its time.
        self.counts["unknown"] += sum(event["recordedAt"] not in calendar.acknowledged_at for event in calendar.unknown)
        for position in calendar.overlaps[:5]:
            self.problem(f"two appointments overlap after position {position}")
        self.problems += self.journal.verify()


class Calendar:
    """Appointments as their events set them, and the times that each resource is taken."""

    def __init__(self):
        self.details = defaultdict(dict)
        self.taken = defaultdict(dict)
        self.acknowledged_at = set()
        self.unknown = []
        self.overlaps = []

    def take(self, event):
        """Folds one event; returns how many appointments its appointment overlaps."""
        entry, word = event["entry"], event["type"].partition(".")[2]
        details = self.details[entry]
        for change in event["changes"]:
            if change["field"].startswith("details."):
                details[change["field"][8:]] = change["after"]
        if word in FREED or word in ACTIVE:
            for resource in details.pop("resources", []):
                del self.taken[resource][entry]
        if word not in ACTIVE:
            return 0
        start = datetime.datetime.fromisoformat(details["start"].replace("Z", "+00:00"))
        end = start + datetime.timedelta(minutes=int(details["minutes"]))
        before, after = (datetime.timedelta(minutes=int(details.get(name) or 0)) for name in ("bufferBefore", "bufferAfter"))
        wide = (start - before, end + after)
        spans = {("patient", event["record"], start.date()): (start, end)}
        for name in ("specialist", "places"):
            if details.get(name):
                spans[(name, details[name], start.date())] = wide
        details["resources"] = list(spans)
        overlaps = 0
        for resource, span in spans.items():
            others = self.taken[resource]
            overlaps += sum(span[0] < other[1] and other[0] < span[1] for other in others.values())
            others[entry] = span
        if overlaps:
            self.overlaps.append(event["position"])
        return overlaps


def rush(ports, token, path, bodies, key, barrier, results):
    """Sends requests at once, each on a thread of its own, and puts the answers into a queue.

    All have the idempotency key `key`, or each one of its own if it is None.
    """
    def one(number, body):
        connection = http.client.HTTPConnection("127.0.0.1", ports[number % len(ports)], timeout=60)
        connection.connect()
        barrier.wait()
        connection.request("POST", path, json.dumps(body), {
            "Authorization": f"Bearer {token}", "Content-Type": "application/json", "Idempotency-Key": key or str(uuid.uuid4())})
        answer = connection.getresponse()
        document = json.loads(answer.read())
        results.put((answer.status, document.get("type", "").rpartition(":")[2], len(document.get("alternatives", [])),
                     tuple(visit.get("entry") for visit in document.get("booked", []))))

    threads = [threading.Thread(target=one, args=pair) for pair in enumerate(bodies)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def rushes(options):
    """100 clients in four processes book one time, then 100 times of one day, at two services; then one series is sent 100
    times with one key."""
    problems = []

    def answers_to(journal, path, bodies, key=None):
        barrier, results = multiprocessing.Barrier(len(bodies)), multiprocessing.Queue()
        ports = [service.port for service in journal.services]
        processes = [multiprocessing.Process(target=rush, args=(ports, journal.token, path, bodies[part::4], key, barrier,
                                                                results)) for part in range(4)]
        for process in processes:
            process.start()
        answers = [results.get(timeout=120) for _ in bodies]
        for process in processes:
            process.join()
        return answers

    def report(what, answers):
        counts = Counter(f"{answer[0]} {answer[1]}".strip() for answer in answers)
        print(f"100 clients in 4 processes, {what:32}", ", ".join(f"{n} × {what}" for what, n in sorted(counts.items())))
        return counts

    with tempfile.TemporaryDirectory(prefix="bookings-") as folder:
        journal = Journal(options.program, options.replay, folder, animals=100, minutes=10)
        one_time = ["2030-01-01T10:00"] * 100
        many_times = [f"2030-01-02T{10 * number // 60:02}:{10 * number % 60:02}" for number in range(100)]
        for what, times, winners in (("one time", one_time, 1), ("100 times", many_times, 100)):
            bodies = [{"record": animal, "service": journal.check_up, "specialist": journal.specialists[0], "start": time}
                      for animal, time in zip(journal.animals, times)]
            answers = answers_to(journal, f"{journal.address}/appointments", bodies)
            counts = report(what, answers)
            expected = {"201": winners, "409 slot-taken": 100 - winners}
            if counts != Counter({kind: count for kind, count in expected.items() if count}):
                problems.append(f"{what}: {dict(counts)}")
            if any(kind == "slot-taken" and not alternatives for _, kind, alternatives, _ in answers):
                problems.append(f"{what}: a loser was told of no other time")
        appointment = {"record": journal.animals[0], "service": journal.check_up, "specialist": journal.specialists[0],
                       "start": "2030-02-01T10:00"}
        series = {"appointment": appointment, "everyDays": 7, "count": 6}
        answers = answers_to(journal, f"{journal.address}/appointments/series", [series] * 100, key="one-series")
        counts = report("one series with one key", answers)
        visits = {answer[3] for answer in answers}
        if counts != Counter({"201": 100}) or len(visits) != 1 or len(next(iter(visits))) != 6:
            problems.append(f"series: {dict(counts)}, {len(visits)} different answers")
        booked = sum(event["type"] == "appointment.booked" for event in journal.trail())
        print(f"{'appointment.booked in the log':60} {booked:>9,}")
        if booked != 107:
            problems.append(f"the log has {booked} bookings")
        journal.stop()
        problems += journal.verify()
    return problems


def histories(options):
    problems, counts = [], Counter()
    while counts["histories"] < options.histories and not problems:
        count = min(options.per_journal, options.histories - counts["histories"])
        with tempfile.TemporaryDirectory(prefix="bookings-") as folder:
            journal = Journal(options.program, options.replay, folder, animals=ANIMALS, minutes=30)
            run = Histories(journal, options.seed, counts["histories"], count, options.kill_seconds)
            run.run()
            journal.stop()
            run.check()
        counts += run.counts
        counts["histories"] += count
        problems += run.problems
        print(f"{counts['histories']:,} histories, {counts['kills']:,} kills", file=sys.stderr, flush=True)
    problems += [f"{name} is not 0" for name in ("overlap", "lost", "unknown") if counts[name]]
    for name in ("histories", "kills", "sent again", "events", "overlap", "lost", "unknown"):
        print(f"{name:60} {counts.pop(name, 0):>9,}")
    for name, count in sorted(counts.items()):
        print(f"  {name:58} {count:>9,}")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--replay", required=True)
    parser.add_argument("--histories", type=int, default=10_000)
    parser.add_argument("--per-journal", type=int, default=500)
    parser.add_argument("--kill-seconds", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    problems = rushes(options) + histories(options)
    for problem in problems:
        print(f"FAILED  {problem}")
    print("failed" if problems else "passed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
