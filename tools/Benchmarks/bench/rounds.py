"""Measures in rounds: every system once, then every system again, so that temporary noise affects all equally."""

import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from .numbers import short
from .programs import Failed, say
from .results import Key, Results

Line = dict[str, Any]
Run = Callable[[Path], Line]


@dataclass(frozen=True)
class Figure:
    """One number from the line that a run prints."""

    work: str
    unit: str
    of: Callable[[Line], float]
    system: str = ""  # the system of the number, where one run measures two


def rate(work: str) -> Figure:
    return Figure(work, "events/s", lambda line: line["events"] / line["seconds"])


@dataclass(frozen=True)
class Case:
    """One system with one workload. `run` gets the path of a folder to create, which is removed afterwards."""

    group: str
    system: str
    figures: tuple[Figure, ...]
    run: Run
    axis: str = ""
    size: int = 0


class Rounds:
    def __init__(self, results: Results, folder: Path) -> None:
        self.results = results
        self.folder = folder
        self.numbers = count()

    def take(self, cases: Iterable[Case], rounds: int) -> None:
        left = list(cases)
        for number in range(rounds):
            if left:
                say(f"round {number + 1} of {rounds}")
            # A case that failed once is reported, and not run again.
            left = [case for case in left if self._run(case)]

    def attempt(self, what: str, work: Callable[[], Any]) -> bool:
        """Performs a step before a measurement, such as filling a database, and reports whether it succeeded."""
        try:
            work()
        except Failed as error:
            self._tell(what, error)
            return False
        return True

    def fresh(self) -> Path:
        return self.folder / str(next(self.numbers))

    def _run(self, case: Case) -> bool:
        folder = self.fresh()
        # Writes the dirty pages of the previous run to the disk, so that they do not slow this one down.
        os.sync()
        name = f"{case.figures[0].work}, {case.figures[0].system or case.system}" + (
            f" at {case.size:,} {case.axis}" if case.axis else ""
        )
        try:
            line = case.run(folder)
            values = [(figure, figure.of(line)) for figure in case.figures]
        except (Failed, KeyError, TypeError, ZeroDivisionError) as error:
            self._tell(name, error)
            return False
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        for figure, value in values:
            key = Key(case.group, figure.work, figure.system or case.system, case.axis, case.size)
            self.results.add(key, figure.unit, value, line)
        first, value = values[0]
        say(f"  {name}: {short(value)} {first.unit}")
        return True

    def _tell(self, what: str, error: Exception) -> None:
        text = f"the output does not contain {error}" if isinstance(error, KeyError) else str(error)
        say(f"  {what}: FAILED: {text}")
        self.results.failures.append(f"{what}: {text}")
