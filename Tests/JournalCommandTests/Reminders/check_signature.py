"""Checks the signature of a message that http_server.py printed, with the key in the argument.

As https://www.standardwebhooks.com describes it, with Python's own library.
"""

import base64
import hashlib
import hmac
import json
import sys

key = base64.b64decode(sys.argv[1].removeprefix("whsec_"))
message = json.load(sys.stdin)
headers = message["headers"]
signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{message['body']}".encode()
version, code = headers["webhook-signature"].split(",", 1)
expected = hmac.new(key, signed, hashlib.sha256).digest()
sys.exit(0 if version == "v1" and hmac.compare_digest(expected, base64.b64decode(code)) else 1)
