"""Sends each line of standard input as a chunk of one request to /v1/events: send_lines.py PORT TOKEN.

Prints the response, line by line, until the service closes the connection.
"""

import socket
import sys
import threading

port, token = sys.argv[1:]
connection = socket.create_connection(("127.0.0.1", int(port)))
connection.sendall(
    b"POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
    b"Authorization: Bearer " + token.encode() + b"\r\nTransfer-Encoding: chunked\r\n\r\n"
)


def send():
    for line in sys.stdin.buffer:
        connection.sendall(b"%x\r\n%s\r\n" % (len(line), line))


# This script replaces curl, which waits for its input forever even if the service has closed the connection.
threading.Thread(target=send, daemon=True).start()
with connection.makefile("rb") as answer:
    for line in answer:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
