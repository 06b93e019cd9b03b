import time
from argparse import Namespace
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from journal import Record, open_application

from eventsourcing.application import Application
from eventsourcing.persistence import Notification

PAGE = 10_000


def notifications(application: Application[UUID]) -> Iterator[Notification]:
    start = 1
    while page := application.recorder.select_notifications(start=start, limit=PAGE):
        yield from page
        start = page[-1].id + 1


def decode(options: Namespace) -> dict[str, Any]:
    application = open_application(options.folder)
    begun = time.perf_counter()
    events = 0
    for notification in notifications(application):
        application.mapper.to_domain_event(notification)
        events += 1
    seconds = time.perf_counter() - begun
    application.close()
    return {"events": events, "seconds": seconds, "note": "every notification decoded to its event"}


def aggregates(options: Namespace) -> dict[str, Any]:
    application = open_application(options.folder)
    records = {notification.originator_id for notification in notifications(application)}
    begun = time.perf_counter()
    events = 0
    for identity in records:
        record: Record = application.repository.get(identity)
        events += record.version
    seconds = time.perf_counter() - begun
    application.close()
    return {"events": events, "seconds": seconds, "note": f"{len(records)} aggregates rebuilt from their events"}
