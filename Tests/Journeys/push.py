"""A browser that shows reminders while no page is open."""

import base64
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from people import Person


def text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class PushService:
    """The push service of a browser maker, on this machine: keeps what it receives, decrypted."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        self.messages = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                plain = http_ece.decrypt(body, private_key=service.key, auth_secret=service.secret, version="aes128gcm")
                service.messages.append(plain.decode())
                self.send_response(201)
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def subscription(self):
        public = self.key.public_key()
        point = public.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        return {"endpoint": f"http://127.0.0.1:{self.server.server_address[1]}/browser",
                "keys": {"p256dh": text(point), "auth": text(self.secret)}}


def notifications(page, count, seconds=30):
    """Waits up to `seconds` until the browser shows `count` notifications, and returns those that it shows."""
    for _ in range(seconds * 10):
        shown = page.evaluate("""async () => {
            const registration = await navigator.serviceWorker.ready;
            return (await registration.getNotifications()).map(({ title, body, data }) => [title, body, data.path]);
        }""")
        if len(shown) >= count:
            break
        page.wait_for_timeout(100)
    return shown


def reminders(journeys):
    """Subscribes the browser, and sees the test message as a notification of the service worker."""
    service = PushService()
    owner = Person(journeys, "owner", True)
    owner.context.grant_permissions(["notifications"], origin=journeys.base)
    # The browser itself would ask the push service of its maker, which a test cannot reach.
    owner.page.add_init_script(
        "PushManager.prototype.subscribe = async () => ({ toJSON: () => (%s) });" % json.dumps(service.subscription))
    owner.go("/settings/channels")
    # The form is sent once the browser has subscribed.
    subscribe = owner.page.get_by_role("button", name="Notify me on this device")
    subscribe.click()
    owner.page.wait_for_url("**/settings/channels?done=channelNew")
    owner.look()
    owner.expect("Added.")
    owner.expect("127.0.0.1")

    worker = owner.context.new_cdp_session(owner.page)
    found = []
    worker.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    worker.send("ServiceWorker.enable")
    owner.press("Send a test")
    owner.expect("A test message was sent.")
    # Doses of the other journeys may be due meanwhile.
    tests = [message for message in service.messages if "This is a test" in message]
    if len(tests) != 1:
        journeys.problem(f"the push service got {len(tests)} test messages")
    registration = next(item["registrationId"] for item in found if item["scopeURL"].startswith(journeys.base))
    worker.send("ServiceWorker.deliverPushMessage",
                {"origin": journeys.base, "registrationId": registration, "data": tests[0]})
    shown = notifications(owner.page, 1)
    if shown != [["Health journal", "This is a test: reminders of your health journal arrive here", "/"]]:
        journeys.problem(f"the browser shows {shown}")
    # A message that cannot be read is shown as well, as browsers require.
    # The browser may drop a message to a worker that is just ending, and ends a worker after 30 idle seconds.
    for _ in range(12):
        worker.send("ServiceWorker.startWorker", {"scopeURL": f"{journeys.base}/"})
        worker.send("ServiceWorker.deliverPushMessage",
                    {"origin": journeys.base, "registrationId": registration, "data": "no JSON"})
        if len(notifications(owner.page, 2, seconds=5)) >= 2:
            break
    else:
        journeys.problem("a message that cannot be read is not shown")

    # Names need the password.
    owner.page.locator("#push").get_by_label("Text", exact=True).select_option(label="With names, such as those of medications")
    owner.refused = True
    subscribe.click()
    owner.page.locator("p.wrong").first.wait_for()
    owner.refused = False
    owner.expect("Is required.")
    owner.press("Remove")
    owner.expect("Removed.")
    service.server.shutdown()
    owner.context.close()

    # Without JavaScript a browser cannot subscribe, and is not asked to.
    plain = Person(journeys, "owner", False)
    plain.go("/settings/channels")
    if plain.page.get_by_role("button", name="Notify me on this device").count():
        journeys.problem("a browser without JavaScript is asked to subscribe")
    plain.context.close()
