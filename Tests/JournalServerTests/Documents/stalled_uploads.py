"""Leaves uploads unfinished, as a slow client or attacker would: stalled_uploads.py PORT TOKEN OTHER-TOKEN RECORD."""

import select
import socket
import sys

port, token, stranger, record = sys.argv[1:]
BODY = b'--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n1\r\n--b--\r\n'


def begin(token, sent):
    """Starts an upload: sends the request's head and only the first `sent` bytes of its body."""
    peer = socket.create_connection(("127.0.0.1", int(port)), timeout=60)
    head = [
        f"POST /v1/records/{record}/documents HTTP/1.1", "Host: x", f"Authorization: Bearer {token}",
        "Content-Type: multipart/form-data; boundary=b", f"Content-Length: {len(BODY)}", "", "",
    ]
    peer.sendall("\r\n".join(head).encode() + BODY[:sent])
    return peer


def answer(peer):
    return peer.recv(65536).decode()


refused = answer(begin(stranger, 0))
assert refused.startswith("HTTP/1.1 403 "), "the gate was asked before the body: " + refused

# Two uploads get a slot and wait for the rest of their bodies. The third of the same account is refused, in any order.
stalled = [begin(token, 10) for _ in range(3)]
answered, _, _ = select.select(stalled, [], [], 60)
assert len(answered) == 1, f"{len(answered)} were answered"
busy = answer(answered[0])
assert busy.startswith("HTTP/1.1 429 ") and "retry-after: 5" in busy.lower(), busy
stalled.remove(answered[0])

stalled[0].sendall(BODY[10:])
assert answer(stalled[0]).startswith("HTTP/1.1 201 "), "one that goes on is taken"
stalled[1].close()
while True:
    got = answer(begin(token, len(BODY)))
    if got.startswith("HTTP/1.1 201 "):
        break
    assert got.startswith("HTTP/1.1 429 "), got
