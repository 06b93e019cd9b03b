"""Expands the same schedules as the journal's workload `due` with python-dateutil's recurrence rules.

main.py    prints the number of doses, the median time in seconds, and the sum of the moments, which must be equal
"""

import json
import statistics
import time
from datetime import UTC, datetime

from dateutil import rrule
from dateutil.tz import gettz

ZONE = gettz("Europe/Zurich")
FIRST, END = datetime(2026, 1, 1), datetime(2027, 1, 1)
PLANS = 50
TIMES = 5
# Each plan has one rule per time of day, by the clock and without a zone, as iCalendar's floating times.
SCHEDULES = (
    ({"freq": rrule.DAILY}, ((8, 0), (20, 0))),
    ({"freq": rrule.DAILY, "interval": 2}, ((8, 0),)),
    ({"freq": rrule.WEEKLY, "byweekday": (rrule.MO, rrule.WE, rrule.FR)}, ((9, 30),)),
    ({"freq": rrule.MONTHLY, "bymonthday": (1, 15)}, ((7, 0),)),
    ({"freq": rrule.DAILY}, ((8, 0), (14, 0), (20, 0))),
)


def moments() -> list[datetime]:
    found = []
    for number in range(PLANS):
        rule, times = SCHEDULES[number % len(SCHEDULES)]
        for hour, minute in times:
            start = FIRST.replace(hour=hour, minute=minute)
            for wall in rrule.rrule(**rule, dtstart=start, until=END):
                if wall < END:
                    found.append(wall.replace(tzinfo=ZONE).astimezone(UTC))
    return found


def main() -> None:
    taken = []
    found: list[datetime] = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        found = moments()
        taken.append(time.perf_counter() - begin)
    total = sum(int(moment.timestamp()) for moment in found)
    line = {
        "system": "dateutil",
        "work": "due",
        "events": len(found),
        "seconds": statistics.median(taken),
        "sum": total,
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
