"""Receives POST requests, and prints each as one line of JSON. The first line is the port."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/moved":
            self.send_response(307)
            self.send_header("Location", "/elsewhere")
        else:
            self.send_response(204)
        self.end_headers()
        names = ["Content-Type", "Click", "webhook-id", "webhook-timestamp", "webhook-signature"]
        headers = {name: self.headers[name] for name in names if self.headers[name]}
        print(json.dumps({"path": self.path, "headers": headers, "body": body}), flush=True)

    def log_message(self, *arguments):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_address[1], flush=True)
server.serve_forever()
