"""Posts events with the unmodified Python SDK of CloudEvents: post_events.py ADDRESS TOKEN RECORD.

Prints a line of JSON for each response.
"""

import datetime
import json
import sys
from http.client import HTTPConnection

from cloudevents.core.bindings import http
from cloudevents.core.v1.event import CloudEvent


def post(message):
    # Sends the SDK's headers unchanged; urllib would add a content type.
    headers = dict(message.headers) | {"authorization": "Bearer " + token}
    connection = HTTPConnection(address.removeprefix("http://"))
    connection.request("POST", "/v1/events", message.body, headers)
    answer = connection.getresponse()
    print(json.dumps({"status": answer.status, "body": json.loads(answer.read())}), flush=True)


def event(number, value, **more):
    attributes = {
        "id": str(number),
        "source": "/python/Waage im Bad ä".replace(" ", "%20").replace("ä", "%C3%A4"),
        "type": "org.healthjournal.weight.logged",
        "subject": record,
        "time": datetime.datetime(2026, 3, 1, 7, 0, number, tzinfo=datetime.timezone.utc),
    }
    return CloudEvent(attributes=attributes | more, data={"value": value, "unit": "kg"})


address, token, record = sys.argv[1:]
post(http.to_structured_event(event(1, "72.5")))
post(http.to_binary_event(event(2, "72.4")))
post(http.to_binary_event(event(3, "72.3", datacontenttype="application/json")))
# An event that is repeated in the other mode counts as the same event.
post(http.to_binary_event(event(1, "72.5")))
post(http.to_structured_event(event(2, "72.4")))
post(http.to_structured_event(event(3, "9")))
# This event has an attribute that must be percent-encoded, and a type that the journal does not know.
post(http.to_binary_event(event(4, "1", type="com.example.measured", place="Küche \"groß\"")))
