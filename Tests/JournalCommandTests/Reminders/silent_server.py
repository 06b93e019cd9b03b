"""Accepts connections, and never answers. The first line is the port; then one line for each connection."""

import socket

listener = socket.create_server(("127.0.0.1", 0), backlog=100)
print(listener.getsockname()[1], flush=True)
connections = []
while True:
    connections.append(listener.accept())
    print(len(connections), flush=True)
