"""The results: for each workload and system, the values of all rounds."""

from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple


class Key(NamedTuple):
    """Identifies a measured series.

    A workload that is measured at several sizes also has an axis and a size, such as 1,000 `events`, `records` or
    `entries`.
    """

    group: str
    work: str
    system: str
    axis: str = ""
    size: int = 0


@dataclass
class Series:
    unit: str
    values: list[float] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)

    @property
    def median(self) -> float:
        return median(self.values)


@dataclass
class Results:
    series: dict[Key, Series] = field(default_factory=dict)
    # What was unavailable or failed, and why: the tables list missing systems.
    missing: dict[str, str] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def add(self, key: Key, unit: str, value: float, line: dict[str, Any]) -> None:
        series = self.series.setdefault(key, Series(unit))
        series.values.append(value)
        series.lines.append(line)

    def sizes(self, work: str, axis: str) -> list[int]:
        return sorted(key.size for key in self.series if (key.group, key.work, key.axis) == ("growth", work, axis))

    def plain(self) -> list[dict[str, Any]]:
        return [
            {
                **key._asdict(),
                "unit": series.unit,
                "median": series.median,
                "least": min(series.values),
                "most": max(series.values),
                "values": series.values,
                "lines": series.lines,
            }
            for key, series in self.series.items()
        ]
