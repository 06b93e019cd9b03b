"""Forwards connections to a service on this machine, and cuts the first one that has carried enough bytes.

cut.py PORT up N       cuts after N bytes from the client
cut.py PORT down N     cuts after N bytes from the service

After the cut, all further connections are refused, as when a network is lost.
"""

import socket
import socketserver
import sys
import threading

port, direction, limit = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
lock = threading.Lock()
left = limit
lost = False


class Cut(socketserver.BaseRequestHandler):
    def handle(self):
        if lost:
            return
        service = socket.create_connection(("127.0.0.1", port))
        up = threading.Thread(target=self.copy, args=(self.request, service, direction == "up"))
        up.start()
        self.copy(service, self.request, direction == "down")
        up.join()

    def copy(self, source, target, counts):
        global left, lost
        try:
            while True:
                data = source.recv(65536)
                if not data:
                    break
                if counts:
                    with lock:
                        if lost:
                            break
                        part = data[:left]
                        left -= len(part)
                        lost = len(part) < len(data) or left == 0
                    target.sendall(part)
                    if lost:
                        break
                else:
                    target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


with Server(("127.0.0.1", 0), Cut) as server:
    print(f"cut on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
