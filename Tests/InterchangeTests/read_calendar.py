"""Reads the one event or task of a calendar on the input with two libraries, and prints what each found as JSON."""

import json
import sys

import icalendar
import vobject

text = sys.stdin.buffer.read().decode()

calendar = icalendar.Calendar.from_ical(text)
[event] = [part for part in calendar.walk() if part.name in ("VEVENT", "VTODO")]
found = {
    "icalendar": {
        "kind": event.name,
        "summary": str(event["SUMMARY"]),
        "description": str(event["DESCRIPTION"]),
        "start": event["DTSTART"].dt.isoformat(),
        "alarms": len([part for part in event.walk() if part.name == "VALARM"]),
    }
}

[component] = [part for part in vobject.readOne(text).components() if part.name in ("VEVENT", "VTODO")]
found["vobject"] = {
    "kind": component.name,
    "summary": component.summary.value,
    "description": component.description.value,
    "start": component.dtstart.value.isoformat(),
    "alarms": len(component.contents["valarm"]),
}
json.dump(found, sys.stdout)
