"""Describes the machine and the software versions of a run, without which its figures mean little."""

import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path

from .options import PROJECT
from .programs import Failed, run
from .servers import postgres_program


def busy() -> str:
    """Returns a warning if other processes load more than half of the cores, otherwise an empty string.

    On a busy machine a process notices the end of a sync late. This is called before the run itself causes load.
    """
    load = os.getloadavg()[0]
    return f"the machine was busy at the start (load {load:.2f})" if load > 0.5 * len(os.sched_getaffinity(0)) else ""


def _first(text: str, pattern: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1].strip() if found else "unknown"


def _version(*command: str | Path, pattern: str = r"(\d+\.\d+[\w.]*)") -> str:
    try:
        return _first(run(*command), pattern)
    except Failed:
        return "not installed"


def _postgres() -> str:
    try:
        return _version(postgres_program("postgres"), "--version")
    except Failed:
        return "not installed"


def describe(folder: Path, python: Path | None) -> dict[str, str]:
    mount = _version("findmnt", "-n", "-o", "FSTYPE,SOURCE,OPTIONS", "-T", folder, pattern=r"(.*)")
    memory = int(_first(Path("/proc/meminfo").read_text(), r"MemTotal:\s+(\d+)")) / 2**20
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": _first(Path("/proc/cpuinfo").read_text(), r"^model name\s*:\s*(.*)"),
        "cores": str(len(os.sched_getaffinity(0))),
        "memory": f"{memory:.0f} GiB",
        "kernel": platform.release(),
        "filesystem": " ".join(mount.split()),
        "commit": _version("git", "-C", PROJECT, "describe", "--always", "--dirty", pattern=r"(.*)"),
        "swift": _version("swift", "--version", pattern=r"Swift version (\S+)"),
        "gcc": _version("gcc", "-dumpfullversion"),
        "lmdb": _version("pkg-config", "--modversion", "lmdb"),
        "sqlite": _version("pkg-config", "--modversion", "sqlite3"),
        "postgres": _postgres(),
        "redis": _version("redis-server", "--version", pattern=r"v=(\S+)"),
        "eventsourcing": python_package(python, "eventsourcing"),
    }


def python_package(python: Path | None, name: str) -> str:
    if python is None:
        return "not installed"
    return _version(python, "-c", f"import importlib.metadata as m; print(m.version({name!r}))")
