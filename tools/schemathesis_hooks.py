"""Replaces the generated ids in most of schemathesis' requests with ids that exist.

Generated ids match nothing. Therefore nine of ten requests get the ids of existing records, entries and accounts: those
of the sample data, and of more that are created here from the examples in the service's OpenAPI document. Each request
that closes, erases or transfers a record gets a new record, and each that revokes a token a new token, so that they
never run out. Half of the conditional requests get the current entity tag. Ids that intentionally violate the document,
ids from the service's responses (links), and most other parts of a request stay as generated.
"""

import json
import os
import random
import re
import threading
import urllib.error
import urllib.request
import uuid
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation
from urllib.parse import quote_plus

import schemathesis
from schemathesis.core.parameters import ParameterLocation

URL = os.environ["SCHEMATHESIS_URL"]
TOKEN = os.environ["SCHEMATHESIS_TOKEN"]
ACCOUNTS = os.environ["SCHEMATHESIS_ACCOUNTS"].split()
LOCK = threading.RLock()


FORM = b'--b\r\nContent-Disposition: form-data; name="file"; filename="scan"\r\n\r\n\xff\r\n--b--\r\n'


def ask(method, path, body=None):
    """Sends a request; returns the response's JSON and headers, both empty if the service refuses."""
    request = urllib.request.Request(URL + path, method=method, headers={"Authorization": "Bearer " + TOKEN})
    if body is not None:
        is_form = isinstance(body, bytes)
        request.data = body if is_form else json.dumps(body).encode()
        request.add_header("Content-Type", "multipart/form-data; boundary=b" if is_form else "application/json")
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response), response.headers
    except urllib.error.HTTPError:
        return {}, {}


class Household:
    """The records, entries, files and accounts that requests can refer to."""

    def __init__(self):
        self.document, _ = ask("GET", "/openapi.json")
        self.records = {"human": [], "animal": []}
        for record in ask("GET", "/v1/records")[0]["records"]:
            self.records[record["subject"]].append(record["id"])
        for _ in range(3):
            for subject in self.records:
                self.records[subject].append(self.made(subject))
        self.erased = []
        for _ in range(3):
            record = self.made("human")
            ask("POST", f"/v1/records/{record}/erase", {"reason": "to be asked for"})
            self.erased.append(record)
        self.entries = {}
        self.files = {}
        # The account and token of the run itself, without which no further requests are possible.
        self.account = ask("GET", "/v1/session")[0]["account"]

    def token(self):
        return ask("POST", f"/v1/accounts/{ACCOUNTS[0]}/tokens", {"scope": "read"})[0].get("id")

    def invitation(self, record):
        return ask("POST", f"/v1/records/{record}/invitations", {"days": 1})[0].get("id")

    def made(self, subject):
        examples = self.examples("/v1/records", "post")
        return ask("POST", "/v1/records?similar=true", next(e for e in examples if e["subject"] == subject))[0]["record"]

    def examples(self, path, method):
        content = self.document["paths"][path][method]["requestBody"]["content"]["application/json"]
        return [example["value"] for example in content["examples"].values()]

    def added(self, kind, record, retracted=False):
        (example,) = self.examples("/v1/records/{record}/entries/" + kind, "post")
        if kind in ("dose", "supply"):
            example = {**example, "of": self.plan(record)}
        entry = ask("POST", f"/v1/records/{record}/entries/{kind}", example)[0].get("entry")
        if retracted:
            ask("DELETE", f"/v1/records/{record}/entries/{kind}/{entry}")
        return entry

    def entry(self, kind, record):
        """Returns an entry that requests do not retract; adds it at the first call."""
        with LOCK:
            if (kind, record) not in self.entries:
                self.entries[kind, record] = self.added(kind, record)
            return self.entries[kind, record]

    def plan(self, record):
        """Returns a medication that is planned for 08:00 of each day; adds it at the first call."""
        with LOCK:
            if ("plan", record) not in self.entries:
                times = [{"id": str(uuid.uuid4()), "at": "08:00", "amount": 1}]
                rule = {"id": str(uuid.uuid4()), "from": "2026-01-01", "pattern": "days", "times": times}
                body = {"name": "Planned", "rules": [rule]}
                entry = ask("POST", f"/v1/records/{record}/entries/drug", body)[0].get("entry")
                self.entries["plan", record] = entry
            return self.entries["plan", record]

    def dose(self, record):
        """Logs a dose of a new plan, which a request may undo."""
        dose = {"of": self.added("drug", record), "status": "taken", "amount": "1"}
        return ask("POST", f"/v1/records/{record}/doses", dose)[0].get("entry")

    def finding(self, record):
        """Returns a finding about interactions; adds it at the first call."""
        with LOCK:
            if ("finding", record) not in self.entries:
                body = {"source": "scheduled_check", "found": True}
                self.entries["finding", record] = ask("POST", f"/v1/records/{record}/entries/interaction", body)[0].get("entry")
            return self.entries["finding", record]

    def file(self, record):
        """Returns a document whose file is not removed; uploads it at the first call."""
        with LOCK:
            if record not in self.files:
                self.files[record] = ask("POST", f"/v1/records/{record}/documents", FORM)[0].get("entry")
            return self.files[record]


class Clinic:
    """A practice that is always open, in which the run's account has every role, with a dog as its patient."""

    def __init__(self, household):
        self.owner = household.account
        self.practice = self.made()
        self.address = "/v1/practices/" + self.practice
        self.service, self.room = str(uuid.uuid4()), str(uuid.uuid4())
        ask("PUT", f"{self.address}/timetable", {"from": "2000-01-01", "usual": ["mon-sun 00:00-24:00"]})
        ask("PUT", f"{self.address}/rooms/{self.room}", {"name": "Surgery"})
        service = {"name": "Check-up", "type": "routine", "minutes": 10, "nurseCompletes": True}
        ask("PUT", f"{self.address}/services/{self.service}", service)
        self.specialist = ask("POST", f"{self.address}/specialists", {"name": "Ada Roth"})[0]["id"]
        self.client = ask("POST", f"{self.address}/clients", {"lastName": "Keller"})[0]["id"]
        self.dog = household.made("animal")
        ask("PUT", f"{self.address}/patients/{self.dog}", {})
        ask("POST", f"{self.address}/triage/rules", {"rules": "hj-triage/1", "veterinarian": "Dr. Ada Roth"})
        self.booked = 0

    def made(self):
        practice = ask("POST", "/v1/practices", {"name": "Two Rooms", "zone": "Europe/Zurich"})[0]["id"]
        roles = {"roles": ["veterinarian", "nurse", "receptionist", "manager"]}
        ask("PUT", f"/v1/practices/{practice}/members/{self.owner}", roles)
        return practice

    def start(self):
        """Returns a time at which nothing is booked."""
        with LOCK:
            self.booked += 1
            return (datetime(2198, 1, 1) + timedelta(minutes=20 * self.booked)).strftime("%Y-%m-%dT%H:%MZ").replace("Z", ":00Z")

    def booking(self):
        return {"record": self.dog, "service": self.service, "specialist": self.specialist, "start": self.start()}

    def appointment(self):
        return ask("POST", f"{self.address}/appointments", self.booking())[0].get("entry")

    def triage(self):
        return ask("POST", f"{self.address}/triage", {"record": self.dog, "redNow": True})[0].get("entry")

    def wait(self):
        wish = {"record": self.dog, "wish": {"service": self.service}}
        return ask("POST", f"{self.address}/waiting", wish)[0].get("entry")

    def name(self, names, path, method):
        """Replaces the ids of a request's address by ids that exist."""
        ends_something = method == "DELETE" or path.endswith(("/close", "/end"))
        values = {
            "practice": lambda: self.made() if path.endswith("/close") or method == "PUT" else self.practice,
            "record": lambda: self.dog if not ends_something else names["record"],
            "service": lambda: self.service if not ends_something else names["service"],
            "room": lambda: self.room if not ends_something else names["room"],
            "specialist": lambda: self.specialist if not ends_something else names["specialist"],
            "client": lambda: self.client if not ends_something else names["client"],
            "appointment": self.appointment,
            "triage": self.triage,
            "wait": self.wait,
        }
        for name in names:
            if name in values:
                names[name] = values[name]() or names[name]

    def agreed(self, body, path):
        """Returns a body whose values refer to what exists, and say what their schema cannot."""
        sayings = {"record": self.dog, "service": self.service, "specialist": self.specialist}
        kept = {name: sayings.get(name, value) if value else value for name, value in body.items()}
        dropped = {"others", "rooms", "location", "specialties", "expertise", "account", "licenseUntil", "displacing", "wished"}
        kept = {name: value for name, value in kept.items() if name not in dropped}
        if path.endswith(("/appointments", "/move", "/displace", "/offer")):
            kept["start"] = self.start()
        if "holdUntil" in kept or "until" in kept and path.endswith("/offer"):
            soon = (datetime.now(timezone.utc) + timedelta(hours=1)).isoformat(timespec="seconds")
            kept["until" if path.endswith("/offer") else "holdUntil"] = soon
        if path.endswith("/appointments"):
            kept = {**kept, "service": self.service, "specialist": self.specialist, "minutes": 10}
        for name, value in {"by": self.appointment(), "grid": 15, "wish": {"service": self.service}, "clients": [], "places": []}.items():
            if name in kept:
                kept[name] = value
        kept.pop("primary", None)
        for name in ("hours", "usual", "emergency"):
            if name in kept:
                kept[name] = ["mon-fri 08:00-12:00"]
        if "holidays" in kept:
            kept["holidays"] = ["2027-12-25 closed Christmas"]
        if kept.get("text") and path.endswith("/rules"):
            kept = {"rules": "hj-triage/1", "veterinarian": kept.get("veterinarian", "Ada")}
        if path.endswith("/assess"):
            kept.pop("fahrenheit", None)
            kept["signs"] = ["lame"]
        if "arrivedAt" in kept:
            kept["arrivedAt"] = datetime.now(timezone.utc).isoformat(timespec="seconds")
        if path.endswith("/absences/{absence}"):
            kept = {**kept, "from": "2027-01-01T08:00:00Z", "until": "2027-01-02T08:00:00Z"}
        if path.endswith("/members/{account}"):
            kept.pop("specialist", None)
        return kept


HOUSEHOLD = Household()
CLINIC = Clinic(HOUSEHOLD)
CLINIC_PATH = re.compile(r"/v1/(?:practices|appointments|triage)")
ANIMAL_ONLY = {"isNeutered", "name", "species", "breed", "color", "animalID", "owner", "vet"}


@schemathesis.hook
def before_call(context, case, kwargs):
    meta = case.meta
    path = case.operation.path
    if meta is None:
        return
    quote(case)
    # The schema of a zone cannot list all names of the machine's time zone database.
    if path == "/v1/imports" and (case.query or {}).get("zone") and not meta.is_negative_at(ParameterLocation.QUERY):
        case.query["zone"] = "Europe/Zurich"
    is_body_meant = isinstance(case.body, dict) and not meta.is_negative_at(ParameterLocation.BODY)
    if is_body_meant:
        zones = {name: "Europe/Zurich" for name in ("zone", "timeZone") if case.body.get(name)}
        case.body = {**case.body, **zones}
    # The schema of an address does not depend on the kind, which decides whether it is an e-mail address or a URL.
    if path == "/v1/channels" and is_body_meant and "address" in case.body:
        address = "anna@example.org" if case.body.get("kind") == "email" else "https://tool.example.org/hook"
        case.body = {**case.body, "address": address}
    # Guessable passwords are refused.
    if path.endswith("/password") and is_body_meant and case.body.get("password"):
        case.body = {**case.body, "password": "correct horse battery"}
    if CLINIC_PATH.match(path):
        if is_body_meant:
            case.body = CLINIC.agreed(case.body, path)
        query = case.query = case.query or {}
        if query.get("from") and not meta.is_negative_at(ParameterLocation.QUERY):
            query.update({name: "2027-03-01" for name in ("from", "to") if name in query})
        if query.get("service"):
            query["service"] = CLINIC.service
        query.pop("specialist", None), query.pop("room", None), query.pop("moving", None)
        # Free times are those of a service; that an emergency needs none is tested elsewhere.
        if path.endswith("/slots") and not meta.is_negative_at(ParameterLocation.QUERY):
            query.setdefault("service", CLINIC.service)
        state_reason(case, path)
    if "{" not in path:
        return
    keep_own(case, path)
    if CLINIC_PATH.match(path):
        chance = random.Random(repr((path, case.method, str(case.path_parameters))))
        if not meta.is_negative_at(ParameterLocation.PATH) and meta.phase.name.value != "stateful" and chance.random() > 0.1:
            CLINIC.name(case.path_parameters, path, case.method.upper())
        return
    if meta.phase.name.value == "stateful" and is_body_meant:
        case.body = planned(case.body, path, case.path_parameters.get("record"))
    if meta.phase.name.value == "stateful":
        return
    if meta.is_negative_at(ParameterLocation.PATH):
        return
    # A case that is sent again gets the same values.
    chance = random.Random(repr((path, case.method, case.path_parameters, case.query, str(case.body))))
    names = case.path_parameters
    record = chance.choice(HOUSEHOLD.records["human"] + HOUSEHOLD.records["animal"])
    if chance.random() < 0.1:
        case.body = planned(case.body, path, names.get("record")) if is_body_meant else case.body
        return
    method = case.method.upper()
    if method == "PATCH":
        record = chance.choice(HOUSEHOLD.records[subject(case.body)])
    elif (path, method) == ("/v1/records/{record}", "DELETE") or path.endswith(("/erase", "/transfer")):
        record = HOUSEHOLD.made("human")
    elif path.endswith("/receipt") and chance.random() < 0.7:
        record = chance.choice(HOUSEHOLD.erased)
    if "record" in names:
        names["record"] = record
    if "entry" in names:
        # The paths of erasures name entries of every kind.
        kind = path.split("/")[5] if "/entries/" in path else "drug"
        if "/interactions/" in path:
            names["entry"] = HOUSEHOLD.finding(record) or names["entry"]
        elif path.endswith("/undo"):
            names["entry"] = HOUSEHOLD.dose(record) or names["entry"]
        elif method == "DELETE" or path.endswith("/restore"):
            names["entry"] = HOUSEHOLD.added(kind, record, retracted=method == "POST")
        elif path.endswith("/content"):
            names["entry"] = HOUSEHOLD.file(record) or names["entry"]
        else:
            names["entry"] = HOUSEHOLD.entry(kind, record)
    if "account" in names:
        names["account"] = chance.choice(ACCOUNTS)
    if "token" in names:
        names["account"], names["token"] = ACCOUNTS[0], HOUSEHOLD.token() or names["token"]
    if "invitation" in names:
        names["invitation"] = HOUSEHOLD.invitation(record) or names["invitation"]
    if path.endswith("/transfer") and is_body_meant and "to" in case.body:
        case.body = {**case.body, "to": chance.choice(ACCOUNTS)}
    if is_body_meant:
        case.body = planned(case.body, path, record)
    state(case, method, chance)


def state_reason(case, path):
    """Gives a reason to what needs one, which the description cannot say of a query."""
    needs_one = path.endswith(("/override", "/retract"))
    if needs_one and not case.meta.is_negative_at(ParameterLocation.QUERY):
        case.query = {**(case.query or {}), "reason": "the animal was seen"}


def planned(body, path, record):
    """Returns the body of a request with an existing plan, and with values that agree with each other."""
    now = datetime.now(timezone.utc)
    dependent = {"zone"}
    if path.endswith("/doses"):
        sayings = {"asNeeded": True, "status": "taken", "amount": "1", "confirmed": True}
        dependent |= {"slot", "wall", "at", "reason", "reasonText"}
    elif path.endswith("/doses/snoozes"):
        tomorrow = (now + timedelta(days=1)).date().isoformat()
        sayings = {"wall": tomorrow + "T08:00", "until": tomorrow + "T09:00"}
        dependent |= {"slot"}
    elif "/entries/dose" in path:
        sayings = {"status": "taken", "amount": "1", "date": now.isoformat()}
        dependent |= {"slot", "planned", "plannedAmount", "reason", "reasonText", "stated"}
    elif "/entries/supply" in path:
        sayings = {"what": "received", "amount": "1", "date": now.isoformat()}
        dependent |= {"expires"}
    elif "/entries/drug" in path or "/entries/supplement" in path:
        # What the rules of a plan demand of each other is tested with random plans.
        dependent |= {"rules", "pauses", "maximum", "prescriber"}
        return {name: value for name, value in body.items() if name not in dependent}
    elif "/entries/interaction" in path:
        return {name: value for name, value in body.items() if name != "entries"}
    else:
        return body
    kept = {name: value for name, value in body.items() if name not in dependent}
    return {**kept, **sayings, "of": HOUSEHOLD.plan(record) or body.get("of")}


def keep_own(case, path):
    """Redirects requests that could remove the run's own account, token or records to another account."""
    names = case.path_parameters or {}
    own = names.get("account") == HOUSEHOLD.account
    if own and (path.endswith("/password") or "token" in names or "/owners/" in path):
        names["account"] = ACCOUNTS[0]
    # A tool's token may only append, and an auditor's may not: a person's account takes every scope.
    if path.endswith("/tokens") and case.method.upper() == "POST" and names.get("account") not in ACCOUNTS:
        if not case.meta.is_negative_at(ParameterLocation.PATH):
            names["account"] = ACCOUNTS[0]


def quote(case):
    """Restores texts in headers for which schemathesis' coverage phase sends a number, such as 0 for the tag "0"."""
    tag = str((case.headers or {}).get("If-Match", ""))
    meant = case.meta.generation.mode.is_positive or not case.meta.is_negative_at(ParameterLocation.HEADER)
    if meant and tag.isdigit():
        case.headers["If-Match"] = f'"{tag}"'
    if meant and str((case.headers or {}).get("Device-Time", "")).isdigit():
        case.headers["Device-Time"] = "2026-01-01T08:00:00Z"


def subject(body):
    """Returns the subject, human or animal, to whose record a patch can apply."""
    profile = body.get("profile") if isinstance(body, dict) else None
    return "animal" if isinstance(profile, dict) and ANIMAL_ONLY & set(profile) else "human"


def state(case, method, chance):
    """Replaces the entity tag in half of the conditional requests with the current one."""
    if case.meta.is_negative_at(ParameterLocation.HEADER) or not case.headers or chance.random() < 0.5:
        return
    for name in ("If-Match", "If-None-Match"):
        if name in case.headers:
            path = case.operation.path.removesuffix("/restore")
            for parameter, value in case.path_parameters.items():
                path = path.replace("{" + parameter + "}", str(value))
            _, headers = ask("GET", path)
            if "ETag" in headers:
                case.headers[name] = headers["ETag"]


# The service also checks what JSON Schema cannot express. A request that violates only such a rule may be accepted or
# refused, so it is not sent. All other requests that fit the description must be accepted.

REQUEST_LINE = 15_000
LINE, FAR = 1_000, timedelta(days=50 * 365)
MILLION = (Decimal(0), Decimal(1_000_000))
BOUNDS = {"value": MILLION, "packSize": MILLION, "amount": (Decimal(-(10**12)), Decimal(10**12))}


@schemathesis.hook
def filter_case(context, case):
    # SwiftNIO refuses a longer address with an empty answer, before the service sees the request.
    if sum(len(quote_plus(str(value), errors="replace")) for value in (case.query or {}).values()) > REQUEST_LINE:
        return False
    if case.meta is not None and not case.meta.is_negative_at(ParameterLocation.HEADER):
        if not on_calendar((case.headers or {}).get("Device-Time")):
            return False
    days = case.query or {}
    if case.meta is not None and not case.meta.is_negative_at(ParameterLocation.QUERY):
        if not on_calendar(days.get("at")):
            return False
        if days.get("happenedFrom") and days.get("happenedBy") and days["happenedFrom"][:4] >= days["happenedBy"][:4]:
            return False
    # Without a first day, today is meant.
    if days.get("to") and str(days.get("from") or date.today() + timedelta(days=2)) >= str(days["to"]):
        return False
    if case.meta is not None and case.meta.is_negative_at(ParameterLocation.BODY):
        # Each part of a form is text, whatever a generated request says.
        return not case.operation.path.endswith("/documents")
    # The description of an import says only that it is an object; a generated one is no document. Generated rules name
    # classes that their file does not define, and generated classes have members without a letter.
    if case.operation.path == "/v1/imports":
        return isinstance(case.body, dict) and "format" in case.body
    if isinstance(case.body, dict) and not is_document(case.body, case.operation.path):
        return False
    if case.operation.path == "/v1/interaction-rules" and isinstance(case.body, dict):
        return not any(case.body.get(name) for name in ("rules", "classes", "synonyms"))
    if case.operation.path == "/v1/names" and isinstance(case.body, dict):
        return is_list(str(case.body.get("text"))) and short(case.body)
    if case.operation.path == "/v1/events":
        events = case.body if isinstance(case.body, list) else [case.body]
        return all(on_calendar(event.get("time")) for event in events if isinstance(event, dict))
    return not isinstance(case.body, dict) or sayable(case.body, case.operation.path)


def is_list(text):
    """Reports whether a text is a list of names, of which each has a letter or a digit."""
    lines = text.split("\n")
    return bool(lines) and all(re.fullmatch(r"\w[\w ]{0,99}", line, re.ASCII) for line in lines)


def is_document(body, path):
    """Reports whether a body has what only its text or its kind decides, which a schema cannot say."""
    if path.endswith("/imports/vcard"):
        return str(body.get("text")).startswith("BEGIN:VCARD")
    if path.endswith("/imports/csv"):
        return "date" in str(body.get("text")).lower()
    if path.endswith("/corrections"):
        names = [name for part in ("where", "set") for name in body.get(part) or {}]
        return bool(body.get("set")) and not any(name.startswith("x-") for name in names)
    if path.endswith("/doubts"):
        return body.get("kind") == "weight"
    # A name of white space is none.
    if path.endswith("/offer"):
        return bool(body.get("service"))
    if path.endswith("/interactions/checks"):
        return not body.get("queryText") or bool(re.search(r"\w\w", body["queryText"]))
    if path.endswith("/clients"):
        return any((body.get(name) or "").strip() for name in ("firstName", "lastName"))
    return True


def on_calendar(text):
    """Reports whether a time is absent or begins with a day that exists; one bad event invalidates its batch."""
    try:
        return not text or bool(date.fromisoformat(text[:10]))
    except ValueError:
        return False


# Lines are sent and received unchanged: no content of them must be refused.


@schemathesis.serializer("application/x-ndjson", "application/ndjson")
def lines(context, value):
    return value if isinstance(value, bytes) else (value if isinstance(value, str) else json.dumps(value)).encode()


@schemathesis.deserializer("application/x-ndjson", "text/event-stream")
def text(context, response):
    return response.content.decode()


# Files are arbitrary bytes, so there is no schema to check them against.


@schemathesis.deserializer(
    "application/octet-stream", "application/pdf", "image/gif", "image/jpeg", "image/png", "image/webp"
)
def file_bytes(context, response):
    return response.content.decode("latin-1")


def sayable(body, path):
    if "/entries/" in path:
        substances = [item.get("strength") for item in body.get("substances") or [] if isinstance(item, dict)]
        numbers = [(body.get(name), bounds) for name, bounds in BOUNDS.items()] + [(s, MILLION) for s in substances]
        if not all(storable(value, bounds) for value, bounds in numbers):
            return False
    if body.get("from") and body.get("until") and body["from"] > body["until"]:
        return False
    if body.get("until") and body["until"] < datetime.now(timezone.utc).date().isoformat():
        return False
    # White space does not count as a reason for an emergency.
    if path.endswith("/emergency-access") and len(" ".join((body.get("reason") or "").split())) < 10:
        return False
    if path.endswith("/tokens") and body.get("expires") and not is_ahead(body["expires"]):
        return False
    # The keys of a browser are points of a curve, and quiet hours have a start and an end.
    if body.get("kind") == "webpush" or body.get("quiet") or not on_calendar(body.get("trialEnd")):
        return False
    profile, stopped = body.get("profile") or {}, body.get("stopped") or {}
    dates = [body.get(name) for name in ("date", "ended", "from", "until")] + [profile.get("birthdate"), stopped.get("at")]
    return all(taken(text) for text in dates) and short(body)


def storable(value, bounds):
    """Reports whether a value is absent, or has at most 18 digits and 30 decimal places and is within bounds."""
    if value is None or isinstance(value, bool):
        return True
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        # Not a number, or one with an extreme exponent.
        return False
    sign, digits, exponent = number.as_tuple()
    zeros = max(exponent, 0)
    return len(str(int("".join(map(str, digits)))) ) + zeros <= 18 and -exponent <= 30 and bounds[0] <= number <= bounds[1]


def is_ahead(text):
    """Reports whether a day or a time is at least two days ahead, in every time zone."""
    return text[:10] > (date.today() + timedelta(days=2)).isoformat()


def taken(text):
    """Reports whether a date is absent, or exists and is from 2 January 1900 until almost 50 years ahead."""
    if not text:
        return True
    try:
        day = date.fromisoformat((text + "-01-01")[:10])
    except ValueError:
        return False
    return date(1900, 1, 2) <= day <= date.today() + FAR - timedelta(days=30)


def short(value):
    """Reports whether all texts are ASCII or at most 100 bytes: the service counts bytes, JSON Schema characters.

    The noncharacters beyond the Basic Multilingual Plane, which the service refuses, are left out too.
    """
    if isinstance(value, str):
        count = len(value.encode())
        return count in (len(value), *range(101)) and not any(ord(c) & 0xFFFE == 0xFFFE for c in value)
    if isinstance(value, dict):
        return all(short(name) and short(item) for name, item in value.items())
    if isinstance(value, list):
        return all(map(short, value))
    return True
