"""The programs of the peers.

Each folder of C sources in ../Peers is compiled into one program, together with ../Peers/common.
The others are Python.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import needs
from .options import BUILD
from .programs import Failed, run, say
from .results import Results

SOURCES = Path(__file__).resolve().parents[1] / "Peers"
WARNINGS = ("-std=c17", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra")


@dataclass(frozen=True)
class Peer:
    name: str
    packages: tuple[str, ...]  # Debian packages
    library: str  # its name in pkg-config
    compile: Callable[["Peer"], Path]


def compile_c(peer: Peer) -> Path:
    compiler = shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        raise Failed("there is neither gcc nor clang")
    sources = sorted([*SOURCES.glob("common/*.c"), *SOURCES.glob(f"{peer.name}/*.c")])
    flags = run("pkg-config", "--cflags", "--libs", peer.library).split()
    program = BUILD / "peers" / peer.name
    program.parent.mkdir(parents=True, exist_ok=True)
    run(compiler, *WARNINGS, "-o", program, *sources, *flags, "-lpthread")
    return program


PEERS = (
    Peer("lmdb", ("gcc", "libc6-dev", "liblmdb-dev"), "lmdb", compile_c),
    Peer("sqlite", ("gcc", "libc6-dev", "libsqlite3-dev"), "sqlite3", compile_c),
    Peer("postgres", ("gcc", "libc6-dev", "libpq-dev", "postgresql"), "libpq", compile_c),
    Peer("redis", ("gcc", "libc6-dev", "libhiredis-dev", "redis-server"), "hiredis", compile_c),
)


def prepare(results: Results, python: Path | None, groups: tuple[str, ...]) -> dict[str, list[str | Path]]:
    """Returns the command of each peer of the groups that is available. The results list the peers that are not."""
    commands: dict[str, list[str | Path]] = {}
    if python and "care" in groups:
        commands["dateutil"] = [python, SOURCES / "dateutil/main.py"]
    if python and "search" in groups:
        commands["sqlite fts5"] = [python, SOURCES / "fts5/main.py"]
    if python and "exchange" in groups:
        commands["json"] = [python, SOURCES / "fhir/main.py", "json"]
        commands["fhir.resources"] = [python, SOURCES / "fhir/main.py", "fhir.resources"]
        commands["fhir documents"] = [python, SOURCES / "fhir/make.py"]
        commands["expat"] = [python, SOURCES / "apple/main.py"]
        commands["apple exports"] = [python, SOURCES / "apple/make.py"]
    if python and "clinic" in groups:
        needs.install("postgresql")
        commands["exclusion"] = [python, SOURCES / "exclusion/main.py"]
    if not {"append", "read", "syncs"} & set(groups):
        return commands
    for peer in PEERS:
        say(f"preparing {peer.name}")
        try:
            needs.install(*peer.packages)
            commands[peer.name] = [peer.compile(peer)]
        except Failed as error:
            results.missing[peer.name] = needs.reason(error)
            say(f"  {peer.name} is skipped: {results.missing[peer.name]}")
    if python:
        commands["eventsourcing"] = [python, SOURCES / "eventsourcing/main.py"]
    return commands
