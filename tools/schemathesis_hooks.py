"""Lets most of schemathesis' requests meet something that is there.

Ids that are made up find nothing. So nine of ten requests get those of records, entries and accounts that exist: the
sample's, and more that are made here with the examples of the service's own description. What closes, erases or gives away a
record gets a new one each time, and what revokes a token a new token, so that nothing runs dry. Half of the conditional requests name the state that there is.
Ids that do not fit their description, those that the service's own answers gave (links), and everything else of a
request are left as they were made.
"""

import json
import os
import random
import threading
import urllib.error
import urllib.request
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation

import schemathesis
from schemathesis.core.parameters import ParameterLocation

URL = os.environ["SCHEMATHESIS_URL"]
TOKEN = os.environ["SCHEMATHESIS_TOKEN"]
ACCOUNTS = os.environ["SCHEMATHESIS_ACCOUNTS"].split()
LOCK = threading.RLock()


FORM = b'--b\r\nContent-Disposition: form-data; name="file"; filename="scan"\r\n\r\n\xff\r\n--b--\r\n'


def ask(method, path, body=None):
    """The answer and its headers; nothing if the service refuses."""
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
    """What there is to ask for."""

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
        # The run's own account and token: without them there would be nothing left to ask with.
        self.account = ask("GET", "/v1/session")[0]["account"]

    def token(self):
        return ask("POST", f"/v1/accounts/{ACCOUNTS[0]}/tokens", {"scope": "read"})[0].get("id")

    def invitation(self, record):
        return ask("POST", f"/v1/records/{record}/invitations", {"days": 1})[0].get("id")

    def made(self, subject):
        examples = self.examples("/v1/records", "post")
        return ask("POST", "/v1/records", next(e for e in examples if e["subject"] == subject))[0]["record"]

    def examples(self, path, method):
        content = self.document["paths"][path][method]["requestBody"]["content"]["application/json"]
        return [example["value"] for example in content["examples"].values()]

    def added(self, kind, record, retracted=False):
        (example,) = self.examples("/v1/records/{record}/entries/" + kind, "post")
        entry = ask("POST", f"/v1/records/{record}/entries/{kind}", example)[0].get("entry")
        if retracted:
            ask("DELETE", f"/v1/records/{record}/entries/{kind}/{entry}")
        return entry

    def entry(self, kind, record):
        """One that stays."""
        with LOCK:
            if (kind, record) not in self.entries:
                self.entries[kind, record] = self.added(kind, record)
            return self.entries[kind, record]


    def file(self, record):
        """A document whose file stays."""
        with LOCK:
            if record not in self.files:
                self.files[record] = ask("POST", f"/v1/records/{record}/documents", FORM)[0].get("entry")
            return self.files[record]


HOUSEHOLD = Household()
ANIMAL_ONLY = {"name", "species", "breed", "color", "animalID", "owner", "vet"}


@schemathesis.hook
def before_call(context, case, kwargs):
    meta = case.meta
    path = case.operation.path
    if meta is None or "{" not in path:
        return
    keep_own(case, path)
    quote(case)
    if meta.phase.name.value == "stateful":
        return
    if meta.is_negative_at(ParameterLocation.PATH):
        return
    # The same case meets the same things when it is sent again.
    chance = random.Random(repr((path, case.method, case.path_parameters, case.query, str(case.body))))
    if chance.random() < 0.1:
        return
    method = case.method.upper()
    names = case.path_parameters
    record = chance.choice(HOUSEHOLD.records["human"] + HOUSEHOLD.records["animal"])
    if method == "PATCH":
        record = chance.choice(HOUSEHOLD.records[subject(case.body)])
    elif (path, method) == ("/v1/records/{record}", "DELETE") or path.endswith(("/erase", "/transfer")):
        record = HOUSEHOLD.made("human")
    elif path.endswith("/receipt") and chance.random() < 0.7:
        record = chance.choice(HOUSEHOLD.erased)
    if "record" in names:
        names["record"] = record
    if "entry" in names:
        kind = path.split("/")[5]
        if method == "DELETE" or path.endswith("/restore"):
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
    if path.endswith("/transfer") and isinstance(case.body, dict) and "to" in case.body:
        if not meta.is_negative_at(ParameterLocation.BODY):
            case.body = {**case.body, "to": chance.choice(ACCOUNTS)}
    state(case, method, chance)


def keep_own(case, path):
    """Nobody takes the run's own account, token or records away."""
    names = case.path_parameters or {}
    own = names.get("account") == HOUSEHOLD.account
    if own and (path.endswith("/password") or "token" in names or "/owners/" in path):
        names["account"] = ACCOUNTS[0]
    # A tool's token may only append, an auditor's not: every scope goes with a person's account.
    if path.endswith("/tokens") and case.method.upper() == "POST" and names.get("account") not in ACCOUNTS:
        if not case.meta.is_negative_at(ParameterLocation.PATH):
            names["account"] = ACCOUNTS[0]


def quote(case):
    """Gives tags their quotes back: schemathesis' coverage phase takes the tag "0" for the JSON number, and sends 0."""
    tag = str((case.headers or {}).get("If-Match", ""))
    meant = case.meta.generation.mode.is_positive or not case.meta.is_negative_at(ParameterLocation.HEADER)
    if meant and tag.isdigit():
        case.headers["If-Match"] = f'"{tag}"'


def subject(body):
    """The subject whose record takes a patch."""
    profile = body.get("profile") if isinstance(body, dict) else None
    return "animal" if isinstance(profile, dict) and ANIMAL_ONLY & set(profile) else "human"


def state(case, method, chance):
    """Names the state that there is in half of the conditions."""
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


# What JSON Schema has no words for, and the service looks at: such a request is neither one that must be taken nor one
# that must be refused, so it is not made. Whatever else fits the description has to be taken.

LINE, FAR = 1_000, timedelta(days=50 * 365)
BOUNDS = {"value": (Decimal(0), Decimal(1_000_000)), "amount": (Decimal(-(10**12)), Decimal(10**12))}


@schemathesis.hook
def filter_case(context, case):
    if case.meta is not None and case.meta.is_negative_at(ParameterLocation.BODY):
        return True
    if case.operation.path == "/v1/events":
        events = case.body if isinstance(case.body, list) else [case.body]
        return all(on_calendar(event.get("time")) for event in events if isinstance(event, dict))
    return not isinstance(case.body, dict) or sayable(case.body, case.operation.path)


def on_calendar(text):
    """A day that there was or will be; of a batch one bad event is a bad batch."""
    try:
        return not text or bool(date.fromisoformat(text[:10]))
    except ValueError:
        return False


# Lines come and go as they are: there is none that must be refused.


@schemathesis.serializer("application/x-ndjson", "application/ndjson")
def lines(context, value):
    return value if isinstance(value, bytes) else (value if isinstance(value, str) else json.dumps(value)).encode()


@schemathesis.deserializer("application/x-ndjson", "text/event-stream")
def text(context, response):
    return response.content.decode()


# Files are bytes of any kind: there is nothing to hold them against.


@schemathesis.deserializer(
    "application/octet-stream", "application/pdf", "image/gif", "image/jpeg", "image/png", "image/webp"
)
def file_bytes(context, response):
    return response.content.decode("latin-1")


def sayable(body, path):
    if "/entries/weight" in path or "/entries/cost" in path:
        for name, bounds in BOUNDS.items():
            if not storable(body.get(name), bounds):
                return False
    if body.get("from") and body.get("until") and body["from"] > body["until"]:
        return False
    if body.get("until") and body["until"] < datetime.now(timezone.utc).date().isoformat():
        return False
    # White space does not explain an emergency.
    if path.endswith("/emergency-access") and len(" ".join((body.get("reason") or "").split())) < 10:
        return False
    if path.endswith("/tokens") and body.get("expires") and body["expires"] < datetime.now(timezone.utc).isoformat():
        return False
    profile = body.get("profile") or {}
    dates = [body.get("date"), profile.get("birthdate"), body.get("from"), body.get("until")]
    return all(taken(text) for text in dates) and short(body)


def storable(value, bounds):
    """At most 18 digits, and 30 behind the point, within bounds."""
    if value is None or isinstance(value, bool):
        return True
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        # No number, or one with an exponent beyond all reason.
        return False
    sign, digits, exponent = number.as_tuple()
    zeros = max(exponent, 0)
    return len(str(int("".join(map(str, digits)))) ) + zeros <= 18 and -exponent <= 30 and bounds[0] <= number <= bounds[1]


def taken(text):
    """A day that the calendar has, from 1900 on and not far ahead."""
    if not text:
        return True
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        return False
    return date(1900, 1, 2) <= day <= date.today() + FAR - timedelta(days=30)


def short(value):
    """Limits of texts are counted in bytes."""
    if isinstance(value, str):
        return len(value) == len(value.encode()) or len(value.encode()) <= 100
    if isinstance(value, dict):
        return all(short(name) and short(item) for name, item in value.items())
    if isinstance(value, list):
        return all(map(short, value))
    return True
