"""What was measured: for each work and system the values of all rounds."""

from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple


class Key(NamedTuple):
    """One thing measured. What is measured at several sizes says at which: 1,000 `events`, `records` or `entries`."""

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
    # What could not be had or done, and why: a system that is missing is named in the tables.
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
