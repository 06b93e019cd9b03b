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


def preface(settings=b""):
    peer = secure("h2")
    assert peer.selected_alpn_protocol() == "h2"
    peer.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, settings))
    return peer


# The setting INITIAL_WINDOW_SIZE, by which the service may send no byte of a body.
NO_WINDOW = struct.pack("!HI", 4, 0)


def field(name, value):
    """A header field as HPACK writes it without an index or a table; `name` may be an index of the static table."""
    start = bytes([name]) if isinstance(name, int) else b"\0" + bytes([len(name)]) + name
    return start + bytes([len(value)]) + value


def ask(path, stream, authority=b"localhost", more=b""):
    """The frame of a GET request."""
    named = field(1, authority) if authority is not None else b""
    return frame(1, 5, stream, b"\x82\x87" + field(4, path) + named + more)


def frames(peer, seconds):
    """Yields the kind, the stream and the payload of the frames that arrive until the peer is silent or closed."""
    buffered = b""
    peer.settimeout(seconds)
    while True:
        try:
            part = peer.recv(65536)
        except OSError:
            return
        if not part:
            return
        buffered += part
        while len(buffered) >= 9 and len(buffered) >= 9 + (size := int.from_bytes(buffered[:3], "big")):
            yield buffered[3], int.from_bytes(buffered[5:9], "big") & 0x7FFFFFFF, buffered[9 : 9 + size]
            buffered = buffered[9 + size :]


HEADERS, RESET = 1, 3


def counts(peers, seconds=1.5):
    """How many streams were answered with 200, refused with another status, and reset."""
    answered = refused = reset = 0
    for peer in peers:
        for kind, _, payload in frames(peer, seconds):
            if kind == HEADERS:
                # 0x88 is `:status: 200` in the static table; 503 is not in it.
                answered += payload[0] == 0x88
                refused += payload[0] != 0x88
            reset += kind == RESET
    return answered, refused, reset


def download(path):
    """The size of a response that is read at once."""
    peer = secure("http/1.1")
    peer.sendall(b"GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % path)
    received = b""
    while part := answer(peer):
        received += part
    assert received.startswith(b"HTTP/1.1 200 "), received[:100]
    return len(received) - received.index(b"\r\n\r\n") - 4


def status(request):
    """The status with which a request of HTTP/1 is answered, and the type of the answer."""
    peer = connect()
    peer.sendall(request)
    head = answer(peer).split(b"\r\n\r\n")[0]
    kind = [line.split(b": ")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-type: ")]
    return int(head[9:12] or 0), (kind or [b""])[0]


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
elif case == "unread":
    # Six connections ask for 600 large responses, and let none of them be sent: 4 MiB may wait for one address.
    size = download(b"/openapi.json")
    peers = []
    for _ in range(6):
        peer = preface(NO_WINDOW)
        peer.sendall(b"".join(ask(b"/openapi.json", 2 * i + 1) for i in range(100)))
        peers.append(peer)
    answered, refused, reset = counts(peers)
    assert 1 <= answered * size <= (4 << 20) + size, f"{answered} responses of {size} bytes wait for a client"
    assert answered + refused + reset == 600, (answered, refused, reset)
    late = secure("http/1.1")
    late.sendall(GET % b"/health/live")
    assert b" 200 " in answer(late), "a health check was refused"
    for peer in peers:
        peer.close()
    time.sleep(1)
    assert download(b"/openapi.json") == size, "the closed connections still count"
elif case == "unread-connection":
    # One connection may have 2 MiB, and what it has read counts no more.
    size = download(b"/openapi.json")
    peer = preface(NO_WINDOW)
    peer.sendall(b"".join(ask(b"/openapi.json", 2 * i + 1) for i in range(20)))
    answered, refused, reset = counts([peer])
    assert 1 <= answered * size <= (2 << 20) + size and refused == 20 - answered and reset == 0, (answered, refused)
    assert download(b"/openapi.json") == size, "another connection of the address was refused"
    # Opens the windows of the connection and of its streams, and reads.
    opened = [frame(8, 0, stream, struct.pack("!I", 1 << 24)) for stream in [0] + [2 * i + 1 for i in range(20)]]
    peer.sendall(b"".join(opened))
    for _ in frames(peer, 1.5):
        pass
    peer.sendall(ask(b"/health/live", 101) + frame(8, 0, 101, struct.pack("!I", 1 << 20)))
    assert counts([peer])[0] == 1
    peer.sendall(ask(b"/openapi.json", 103))
    assert counts([peer])[0] == 1, "what was read still counts"
elif case == "streams":
    # An address may have five streams.
    peers = [preface(NO_WINDOW) for _ in range(2)]
    peers[0].sendall(b"".join(ask(b"/openapi.json", 2 * i + 1) for i in range(4)))
    assert counts(peers[:1]) == (4, 0, 0)
    peers[1].sendall(b"".join(ask(b"/openapi.json", 2 * i + 1) for i in range(4)))
    assert counts(peers[1:]) == (1, 0, 3)
    peers[0].close()
    time.sleep(1)
    peers[1].sendall(b"".join(ask(b"/openapi.json", 2 * i + 11) for i in range(4)))
    assert counts(peers[1:]) == (4, 0, 0), "the streams of a closed connection still count"
elif case == "pressure":
    # The usual deadline is a minute, but more than half of what an address may leave unread waits.
    peer = preface(NO_WINDOW)
    peer.sendall(ask(b"/openapi.json", 1))
    start = time.monotonic()
    kinds = [kind for kind, _, _ in frames(peer, limit * 8)]
    assert RESET in kinds, kinds
elif case == "hosts":
    for request, expected in [
        (b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        (b"GET /health/live HTTP/1.1\r\nHost: [::1]:8420\r\n\r\n", 200),
        (b"GET /health/live HTTP/1.1\r\nHost:\r\n\r\n", 200),
        (b"GET /health/live HTTP/1.0\r\n\r\n", 200),
        (b"GET http://x/health/live HTTP/1.1\r\nHost: y\r\n\r\n", 200),
        (b"GET /health/live HTTP/1.1\r\n\r\n", 400),
        (b"GET /health/live HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        (b"GET /health/live HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n", 400),
        (b"GET /health/live HTTP/1.1\r\nHost:\r\nHost:\r\n\r\n", 400),
        (b"GET /health/live HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        (b"GET http://x/health/live HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        (b"GET http://x/health/live HTTP/1.1\r\n\r\n", 400),
        (b"GET /health/live HTTP/1.1\r\nHost: a@b\r\n\r\n", 400),
        (b"GET /health/live HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        (b"GET /health/live HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
        (b"GET /v1/none HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
    ]:
        got, kind = status(request)
        assert got == expected, (request, got)
        assert got == 200 or kind == b"application/problem+json", (request, kind)
elif case == "http2-hosts":
    stream = -1
    peer = preface()
    for authority, more, expected in [
        (b"x", b"", 0x88),
        (b"x", field(b"host", b"X"), 0x88),
        (None, field(b"host", b"x"), 0x88),
        (b"x", field(b"host", b"y"), 0x8C),
        (b"x", field(b"host", b"x") * 2, 0x8C),
        (None, field(b"host", b"x") * 2, 0x8C),
        (None, b"", 0x8C),
        (b"a@b", b"", 0x8C),
    ]:
        stream += 2
        peer.sendall(ask(b"/health/live", stream, authority, more))
        heads = [payload for kind, _, payload in frames(peer, 0.7) if kind == HEADERS]
        # 0x88 is 200 and 0x8C is 400 in the static table.
        assert heads and heads[0][0] == expected, (authority, more, heads)
elif case == "witness":
    # Ten connections may be open. Heads and bodies that never end stop nobody, and are closed at their deadlines.
    POST = b"POST /add-checkpoint HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"
    silent = [connect() for _ in range(10)]
    for peer in silent:
        peer.sendall(b"POST /add-checkpoint HTTP/1.1\r\nHost: x\r\n")
    assert status(POST + b"old 0\n\nabc")[0] == 400, "silent connections keep others out"
    unfinished = [connect() for _ in range(10)]
    for peer in unfinished:
        peer.sendall(POST + b"old")
    assert b" 408 " in answer(unfinished[0]), "a body that never ends is waited for"
    assert all(is_closed(peer, limit * 8) for peer in silent + unfinished)
    assert status(POST + b"old 0\n\nabc")[0] == 400
    assert status(POST.replace(b"10", b"99999999") + b"old 0\n\nabc")[0] == 413
    assert status(POST.replace(b"Host: x", b"Host: x\r\nHost: y"))[0] == 400
elif case == "hold":
    # The connections are silent until the service closes them.
    held = [connect() for _ in range(20)]
    print("open", flush=True)
    assert all(is_closed(one, 30) for one in held)
else:
    raise SystemExit(f"no such case: {case}")
