"""Receives mails by SMTP, and prints each as one line of JSON. The first line is the port.

aiosmtpd is Debian's python3-aiosmtpd.
"""

import email.policy
import json
import signal
import socket

from aiosmtpd.controller import Controller


class Printer:
    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        print(
            json.dumps(
                {
                    "to": envelope.rcpt_tos,
                    "subject": message["Subject"],
                    "id": message["Message-ID"],
                    "text": message.get_content().strip(),
                    "whole": envelope.content.decode("utf-8", "replace"),
                }
            ),
            flush=True,
        )
        return "250 OK"


# The library connects to its own port, so the port must be known beforehand.
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
controller = Controller(Printer(), hostname="127.0.0.1", port=port)
controller.start()
print(port, flush=True)
signal.sigwait({signal.SIGTERM, signal.SIGINT})
