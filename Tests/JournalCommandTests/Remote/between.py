"""Forwards requests from a client to a service on this machine, and interferes once, as the test specifies.

between.py PORT swallow          forwards the first change, and closes the connection instead of answering
between.py PORT drop             closes the connection at the first change without forwarding it
between.py PORT first COMMAND…   runs the command before it forwards the first change

A change is any request except GET.
"""

import http.client
import http.server
import subprocess
import sys

port, what, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
done = False


class Between(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def pass_on(self):
        global done
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        is_first = self.command != "GET" and not done
        done = done or is_first
        if is_first and what == "drop":
            return self.hang_up()
        if is_first and what == "first":
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        service = http.client.HTTPConnection("127.0.0.1", port)
        service.request(self.command, self.path, body, dict(self.headers))
        answer = service.getresponse()
        content = answer.read()
        if is_first and what == "swallow":
            return self.hang_up()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "date", "server", "transfer-encoding"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def hang_up(self):
        self.close_connection = True

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = pass_on

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Between)
print(f"between on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
