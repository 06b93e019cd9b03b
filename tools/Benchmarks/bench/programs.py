"""Runs other programs. A measuring program prints one line of JSON, or fails and prints the cause on stderr."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LONGEST = 3600.0


class Failed(Exception):
    """A program could not be run, or did not do its task."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """Runs a program and returns its standard output."""
    try:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LONGEST,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(str(error)) from error
    if done.returncode:
        raise Failed(f"{Path(command[0]).name} exited with {done.returncode}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def measure(*command: str | Path) -> dict[str, Any]:
    """Runs a program and returns the JSON object in the last line of its output."""
    lines = run(*command).strip().splitlines()
    try:
        line = json.loads(lines[-1])
    except (IndexError, ValueError) as error:
        raise Failed(f"{Path(command[0]).name} did not print a line of JSON") from error
    if not isinstance(line, dict):
        raise Failed(f"{Path(command[0]).name} printed JSON that is not an object")
    return line
