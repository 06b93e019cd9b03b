"""Acts as a browser and its push service: prints its port, then the keys of a subscription, then each message.

Checks what the service sends with http-ece, an implementation of RFC 8188 that is not ours, and with cryptography.
"""

import base64
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import http_ece
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils


def text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def data(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


browser = ec.generate_private_key(ec.SECP256R1())
secret = os.urandom(16)


def check(headers, origin):
    """Checks the token by which the sender identifies itself (RFC 8292); returns the sender's public key."""
    scheme, parts = headers["Authorization"].split(" ", 1)
    parts = dict(part.strip().split("=", 1) for part in parts.split(","))
    head, claims, signature = parts["t"].split(".")
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data(parts["k"]))
    raw = data(signature)
    encoded = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key.verify(encoded, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    claims = json.loads(data(claims))
    assert scheme == "vapid" and json.loads(data(head))["alg"] == "ES256"
    assert claims["aud"] == origin, claims
    assert time.time() < claims["exp"] <= time.time() + 86400
    return parts["k"]


class PushService(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        told = {"path": self.path}
        try:
            told["sender"] = check(self.headers, f"http://127.0.0.1:{self.server.server_address[1]}")
            assert self.headers["Content-Encoding"] == "aes128gcm"
            plain = http_ece.decrypt(body, private_key=browser, auth_secret=secret, version="aes128gcm")
            told["message"] = json.loads(plain)
            for name in ["TTL", "Urgency", "Topic"]:
                told[name] = self.headers[name]
            told["length"] = len(body)
        except Exception as error:
            told["problem"] = repr(error)
        status = {"/gone": 410, "/missing": 404}.get(self.path, 201)
        self.send_response(status)
        self.end_headers()
        print(json.dumps(told), flush=True)

    def log_message(self, *arguments):
        pass


server = HTTPServer(("127.0.0.1", 0), PushService)
print(server.server_address[1], flush=True)
print(json.dumps({"p256dh": text(point(browser.public_key())), "auth": text(secret)}), flush=True)
server.serve_forever()
