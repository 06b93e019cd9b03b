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
        "end": event["DTEND"].dt.isoformat() if "DTEND" in event else "",
        "location": str(event.get("LOCATION", "")), "status": str(event.get("STATUS", "")), "busy": str(event.get("TRANSP", "")),
    }
}

[component] = [part for part in vobject.readOne(text).components() if part.name in ("VEVENT", "VTODO")]
found["vobject"] = {
    "kind": component.name,
    "summary": component.summary.value,
    "description": component.description.value,
    "start": component.dtstart.value.isoformat(),
    "alarms": len(component.contents["valarm"]),
    "end": component.dtend.value.isoformat() if "dtend" in component.contents else "",
    "location": component.location.value if "location" in component.contents else "",
    "status": component.status.value if "status" in component.contents else "",
    "busy": component.transp.value if "transp" in component.contents else "",
}
json.dump(found, sys.stdout)
