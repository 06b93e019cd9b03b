"""Reads a calendar on the input with the library icalendar (Debian's python3-icalendar), and prints its events as JSON."""

import json
import sys

import icalendar

calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
parts = [part for part in calendar.walk() if part.name in ("VEVENT", "VTODO")]
json.dump(
    [
        {
            "kind": part.name,
            "uid": str(part["UID"]),
            "summary": str(part["SUMMARY"]),
            "start": part["DTSTART"].dt.isoformat(),
        }
        for part in parts
    ],
    sys.stdout,
)
