"""The measured aggregate: a record with weights, each of which is an event of about 300 bytes as stored."""

from pathlib import Path
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

NOTE = "n" * 180


class Record(Aggregate):
    @event("Opened")
    def __init__(self) -> None:
        self.weights = 0

    @event("WeightRecorded")
    def record_weight(self, value: str, unit: str, note: str) -> None:
        self.weights += 1


def record_weight(record: Record) -> None:
    record.record_weight("72.5", "kg", NOTE)


def open_application(folder: Path) -> Application[UUID]:
    database = str(folder / "events.sqlite")
    return Application(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": database})
