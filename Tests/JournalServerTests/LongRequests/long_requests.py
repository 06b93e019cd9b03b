"""Sends imports and searches that take long, and health checks to a service whose threads are blocked.

long_requests.py imports|searches PORT TOKEN…
long_requests.py busy PORT FOLDER
"""

import http.client
import json
import socket
import sys
import threading
import time
from pathlib import Path

case, port, tokens = sys.argv[1], int(sys.argv[2]), sys.argv[3:]


def bundle(count, host="h"):
    """A document of a Patient, who is another one for each host, and of a number of values."""
    def entry(resource):
        return {"fullUrl": f"http://{host}/{resource['resourceType']}/{resource['id']}", "resource": resource}

    values = [
        {"resourceType": "Observation", "id": str(number), "status": "final", "effectiveDateTime": f"20{10 + number % 15}-01-01",
         "code": {"text": f"value {number % 50}"}, "subject": {"reference": f"http://{host}/Patient/p"},
         "valueQuantity": {"value": number, "unit": "kg"}}
        for number in range(count)
    ]
    patient = {"resourceType": "Patient", "id": "p", "name": [{"family": "A"}], "birthDate": "1980-01-01"}
    entries = [entry(patient)] + [entry(value) for value in values]
    return json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}).encode()


def ask(token, method, path, body=None, seconds=120):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        headers["Content-Type"] = "application/json"
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def begin_import(token, body, sent):
    """Starts an import: sends the request's head and only the first `sent` bytes of its body."""
    peer = socket.create_connection(("127.0.0.1", port), timeout=60)
    head = ["POST /v1/imports HTTP/1.1", "Host: x", f"Authorization: Bearer {token}", "Content-Type: application/json",
            f"Content-Length: {len(body)}", "", ""]
    peer.sendall("\r\n".join(head).encode() + body[:sent])
    return peer


if case == "imports":
    small = bundle(3)
    # A second import of the account is refused, on whichever way it comes; another account's is taken.
    held = begin_import(tokens[0], small, 10)
    time.sleep(0.5)
    status, headers, _ = ask(tokens[0], "POST", "/v1/imports", small)
    assert status == 429 and headers["Retry-After"], (status, headers)
    assert ask(tokens[1], "POST", "/v1/imports", bundle(3, "other"))[0] == 200
    held.sendall(small[10:])
    assert held.recv(65536).startswith(b"HTTP/1.1 200 ")
    # Three accounts import at once, again and again.
    slowest, answers = 0.0, []
    end = time.monotonic() + 6

    def imports(token):
        large = bundle(1500, token[-8:])
        while time.monotonic() < end:
            answers.append(ask(token, "POST", "/v1/imports?dryRun=true", large)[0])

    threads = [threading.Thread(target=imports, args=(token,)) for token in tokens for _ in range(2)]
    for thread in threads:
        thread.start()
    while time.monotonic() < end:
        start = time.monotonic()
        assert ask(None, "GET", "/health/live", seconds=20)[0] == 200
        slowest = max(slowest, time.monotonic() - start)
        time.sleep(0.02)
    for thread in threads:
        thread.join()
    assert answers.count(200) >= 3 and set(answers) <= {200, 429}, answers
    # The promise is 100 ms; the machine that runs the tests may be busy with other tests as well.
    assert slowest < 1, f"a health check took {slowest:.1f} s"
elif case == "searches":
    token = tokens[0]
    status, _, body = ask(token, "POST", "/v1/imports", bundle(1200))
    assert status == 200, body
    record = json.loads(body)["imports"][0]["record"]

    def path(code):
        return f"/fhir/Observation?patient={record}&code={code}&_sort=-date"

    start = time.monotonic()
    assert ask(token, "GET", path("x"))[0] == 200
    one = time.monotonic() - start
    for number in range(30):
        peer = socket.create_connection(("127.0.0.1", port))
        peer.sendall(f"GET {path(f'y{number}')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        peer.close()
    start = time.monotonic()
    while (status := ask(token, "GET", path("z"))[0]) == 429:
        time.sleep(0.05)
    taken = time.monotonic() - start
    assert status == 200
    assert taken < 8 * one + 0.5, f"{taken:.1f} s instead of {one:.1f} s after searches that nobody waits for"
    # Many searches at once wait for each other, and too many are refused.
    statuses = []
    threads = [threading.Thread(target=lambda n=n: statuses.append(ask(token, "GET", path(f"w{n}"))[0])) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 12, statuses
elif case == "busy":
    # The service needs a thread of the pool to begin with a connection, so these are opened before the pool is blocked.
    folder = Path(tokens[0])
    try:
        checks, other = (http.client.HTTPConnection("127.0.0.1", port, timeout=20) for _ in range(2))

        def status(connection, path):
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            return answer.status

        assert [status(connection, "/health/live") for connection in (checks, other)] == [200, 200]
        (folder / "connected").touch()
        # Anything else is not answered once the pool is blocked.
        other.sock.settimeout(2)
        try:
            while status(other, "/v1/records"):
                pass
        except TimeoutError:
            pass
        for path in ["/health/live", "/health/ready"] * 10:
            assert status(checks, path) == 200
    finally:
        (folder / "over").touch()
else:
    raise SystemExit(f"no such case: {case}")
