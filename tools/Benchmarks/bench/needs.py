"""What is installed for a run: Debian's packages and PyPI's, by the project's own scripts."""

from pathlib import Path

from .options import BUILD, PROJECT
from .programs import Failed, run
from .results import Results

PYTHON_PACKAGES = ("eventsourcing>=9.5,<9.6", "matplotlib>=3.10,<4")


def install(*packages: str) -> None:
    run(PROJECT / "tools/install-needs", *packages)


def python(results: Results) -> Path | None:
    """The Python that has the packages of PyPI, without which there is neither a Python peer nor a figure."""
    folder = (BUILD / "python").relative_to(PROJECT)
    try:
        return Path(run(PROJECT / "tools/python-packages", str(folder), *PYTHON_PACKAGES).strip())
    except Failed as error:
        results.missing["eventsourcing, and matplotlib for the figures"] = reason(error)
        return None


def reason(error: Failed) -> str:
    """The end of what a failing script said, which is where it says why."""
    return " ".join(str(error).split())[-300:]
