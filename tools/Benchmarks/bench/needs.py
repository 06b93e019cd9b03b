"""Installs what a run needs from Debian and PyPI, with the project's own scripts."""

from pathlib import Path

from .options import BUILD, PROJECT
from .programs import Failed, run
from .results import Results

PYTHON_PACKAGES = (
    "eventsourcing>=9.5,<9.6", "fhir.resources>=8.3,<9", "matplotlib>=3.10,<4", "python-dateutil>=2.9,<3",
    "psycopg[binary]>=3.2,<4",
)


def install(*packages: str) -> None:
    run(PROJECT / "tools/install-needs", *packages)


def python(results: Results) -> Path | None:
    """Returns the Python that has the packages from PyPI, which the Python peer and the figures need."""
    folder = (BUILD / "python").relative_to(PROJECT)
    try:
        return Path(run(PROJECT / "tools/python-packages", str(folder), *PYTHON_PACKAGES).strip())
    except Failed as error:
        results.missing["eventsourcing, python-dateutil, and matplotlib for the figures"] = reason(error)
        return None


def reason(error: Failed) -> str:
    """Returns the end of a failed script's message, which usually states the cause."""
    return " ".join(str(error).split())[-300:]
