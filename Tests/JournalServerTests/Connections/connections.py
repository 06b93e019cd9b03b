"""Opens connections that behave badly, one case per run: connections.py CASE PORT [SECONDS]."""

import socket
import ssl
import struct
import sys
import time

case, port = sys.argv[1], int(sys.argv[2])
limit = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
GET = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"


def connect(**options):
    peer = socket.socket()
    for option, value in options.items():
        peer.setsockopt(socket.SOL_SOCKET, getattr(socket, option), value)
    peer.settimeout(30)
    peer.connect(("127.0.0.1", port))
    return peer


def secure(*protocols):
    context = ssl._create_unverified_context()
    context.set_alpn_protocols(list(protocols))
    return context.wrap_socket(connect())


def is_closed(peer, seconds):
    """Reports whether the service closes the connection within `seconds`. Data that arrives until then is discarded."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        peer.settimeout(max(0.01, end - time.monotonic()))
        try:
            if not peer.recv(65536):
                return True
        except (TimeoutError, ssl.SSLWantReadError):
            return False
        except OSError:
            return True
    return False


def answer(peer, seconds=30):
    """Returns the start of a response; empty if the connection is closed first, or silent for `seconds`."""
    peer.settimeout(seconds)
    try:
        return peer.recv(65536)
    except OSError:
        return b""


def busy():
    """Opens a connection and sends a request whose body stays incomplete."""
    peer = connect()
    peer.sendall(b"POST /v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{")
    return peer


def closes(peer, low, high):
    start = time.monotonic()
    assert is_closed(peer, high), f"still open after {high} s"
    assert time.monotonic() - start > low, f"closed after {time.monotonic() - start} s already"


def frame(kind, flags, stream, payload=b""):
    return struct.pack("!I", len(payload))[1:] + bytes([kind, flags]) + struct.pack("!I", stream) + payload


def preface():
    peer = secure("h2")
    assert peer.selected_alpn_protocol() == "h2"
    peer.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0))
    return peer


if case == "silent":
    closes(connect(), limit / 2, limit * 4)
elif case == "slow-head":
    peer = connect()
    start = time.monotonic()
    closed = False
    for byte in (GET % b"/health/live" + b"X" * 500):
        try:
            peer.sendall(bytes([byte]) if time.monotonic() - start > 0 and byte != 10 else b"a")
        except OSError:
            closed = True
            break
        time.sleep(0.05)
    assert closed, "a head that never ends was waited for"
elif case == "idle":
    peer = connect()
    peer.sendall(GET % b"/health/live")
    assert b" 200 " in answer(peer)
    closes(peer, limit / 2, limit * 4)
elif case == "handshake":
    # Silence in the middle of a handshake: only the header of a TLS record is sent.
    peer = connect()
    peer.sendall(b"\x16\x03\x01\x02\x00")
    closes(peer, limit / 2, limit * 4)
elif case == "http2-silent":
    closes(secure("h2"), limit / 2, limit * 4)
elif case == "http2-pings":
    peer = preface()
    start = time.monotonic()
    while time.monotonic() - start < limit * 5:
        try:
            peer.sendall(frame(6, 0, 0, b"\0" * 8))
        except OSError:
            sys.exit(0)
        if is_closed(peer, 0.3):
            sys.exit(0)
    raise AssertionError("pings kept the connection open")
elif case == "stalled":
    # Sends far more requests than the buffers hold responses for, and reads none of them.
    peer = connect(SO_RCVBUF=4096)
    start = time.monotonic()
    try:
        for _ in range(2000):
            peer.settimeout(limit * 8)
            peer.sendall(GET % b"/openapi.json")
    except OSError:
        pass
    time.sleep(max(0, limit * 4 - (time.monotonic() - start)))
    assert is_closed(peer, 30), "an answer that nobody reads is still being sent"
elif case == "slow-reader":
    # Reads for longer than the limit in total, but takes each piece of 64 KiB within the limit, also on a busy machine.
    peer = connect(SO_RCVBUF=4096)
    count = 12
    for _ in range(count):
        peer.sendall(GET % b"/openapi.json")
    start, received = time.monotonic(), b""
    # A status line may arrive in two parts, so all that was received is searched.
    while (answers := received.count(b"HTTP/1.1 200 ")) < count:
        got = answer(peer)
        assert got, f"closed or silent after {time.monotonic() - start:.1f} s and {answers} answers"
        received += got
        time.sleep(0.005)
    assert time.monotonic() - start > limit, "the test reads too fast to be conclusive"
elif case == "crowd":
    # Three connections may be open, and two more for health checks.
    silent = []
    for _ in range(3):
        silent.append(connect())
        time.sleep(0.2)
    late = connect()
    late.sendall(GET % b"/v1/session")
    assert b" 401 " in answer(late), "nobody made room"
    assert is_closed(silent[0], 5), "the oldest silent connection is the one that makes room"
    # Two silent connections and one idle one are left. They are closed for three connections with an unfinished
    # request.
    taken = []
    for _ in range(3):
        taken.append(busy())
        time.sleep(0.2)
    assert all(is_closed(one, 5) for one in silent[1:] + [late])
    check = connect()
    check.sendall(GET % b"/health/live")
    assert b" 200 " in answer(check), "no room for a health check"
    check.close()
    time.sleep(0.2)
    other = connect()
    other.sendall(GET % b"/v1/session")
    got = answer(other)
    assert b" 503 " in got and b"retry-after" in got.lower(), got
    assert not any(is_closed(one, 0.1) for one in taken), "a request under way was cut off"
elif case == "one-address":
    taken = [busy() for _ in range(4)]
    time.sleep(0.3)
    assert is_closed(connect(), 5), "a fifth connection of one address was accepted"
    assert not any(is_closed(one, 0.1) for one in taken)
    taken[0].close()
    time.sleep(0.3)
    late = connect()
    late.sendall(GET % b"/health/live")
    assert b" 200 " in answer(late)
elif case == "hold":
    # The connections are silent until the service closes them.
    held = [connect() for _ in range(20)]
    print("open", flush=True)
    assert all(is_closed(one, 30) for one in held)
else:
    raise SystemExit(f"no such case: {case}")
