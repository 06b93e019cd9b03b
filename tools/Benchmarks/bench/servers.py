"""Starts private servers on Unix sockets, with their data on the journals' disk, and stops them even after errors."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .programs import Failed, run

PATIENCE = 30.0


@contextmanager
def _sockets() -> Iterator[Path]:
    # A socket path has at most 107 bytes, which one in a clone may exceed; its location does not affect the results.
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        yield Path(folder)


@contextmanager
def _process(command: list[str], user: str | None, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as output:
        # In a session of its own, so that Ctrl-C reaches only this process, which then stops the server.
        process = subprocess.Popen(
            command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, user=user, cwd="/", start_new_session=True
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await(process: subprocess.Popen[bytes], log: Path, ask: list[str]) -> None:
    """Waits until the command `ask`, which sends the server a request, succeeds."""
    end = time.monotonic() + PATIENCE
    while subprocess.run(ask, capture_output=True, check=False).returncode:
        if process.poll() is not None or time.monotonic() > end:
            raise Failed(f"{ask[0]} got no answer: {log.read_text(errors='replace')[-500:]}")
        time.sleep(0.05)


@contextmanager
def redis(folder: Path) -> Iterator[tuple[str, int]]:
    """Runs a Redis that answers after its sync and does not rewrite its log; yields its socket and process id."""
    folder.mkdir(parents=True)
    with _sockets() as sockets:
        socket, log = sockets / "redis", folder / "log"
        command = ["redis-server", "--port", "0", "--unixsocket", str(socket), "--dir", str(folder), "--save", ""]
        command += ["--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0"]
        with _process(command, None, log) as process:
            _await(process, log, ["redis-cli", "-e", "-s", str(socket), "ping"])
            yield str(socket), process.pid


# Enough memory and WAL space that no checkpoint occurs during a run. The durability settings are PostgreSQL's defaults:
# fsync, synchronous_commit and full_page_writes are on.
POSTGRES_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "300",
    "shared_buffers": "1GB",
    "max_wal_size": "8GB",
    "checkpoint_timeout": "1h",
}


def postgres_program(name: str) -> str:
    """Returns the path of a PostgreSQL program. Debian keeps them outside the PATH, in one folder per version."""
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name), reverse=True
    )
    for path in [*(str(folder) for folder in folders), os.environ.get("PATH", "")]:
        if found := shutil.which(name, path=path):
            return found
    raise Failed(f"there is no {name}")


def _may_enter(user: str, folder: Path) -> bool:
    check = subprocess.run(["test", "-x", str(folder)], user=user, stderr=subprocess.DEVNULL, check=False)
    return check.returncode == 0


def _data_folder(user: str | None, folder: Path) -> Path:
    """Returns a folder on the journals' filesystem that the server's user may enter, unlike a clone below /root."""
    if user is None:
        return folder
    device = folder.parent.stat().st_dev
    for base in (folder.parent, Path("/var/lib/postgresql"), Path("/var/tmp"), Path("/tmp")):
        if base.is_dir() and base.stat().st_dev == device and _may_enter(user, base):
            return Path(tempfile.mkdtemp(prefix="bench-postgres-", dir=base))
    raise Failed(f"the user {user} may not enter {folder.parent}; give another --folder")


@contextmanager
def postgres(folder: Path) -> Iterator[tuple[str, int]]:
    """Runs a private PostgreSQL server; yields its connection string and process id.

    PostgreSQL refuses to run as root, so for root it runs as the user postgres.
    """
    user = "postgres" if os.geteuid() == 0 else None
    folder.parent.mkdir(parents=True, exist_ok=True)
    data = _data_folder(user, folder)
    name = user or pwd.getpwuid(os.geteuid()).pw_name
    try:
        with _sockets() as sockets:
            if user:
                shutil.chown(data, user)
                shutil.chown(sockets, user)
            initialize = [postgres_program("initdb"), "-D", str(data / "data"), "-A", "trust", "-U", name, "-E", "UTF8"]
            made = subprocess.run([*initialize, "--locale=C"], user=user, capture_output=True, text=True, cwd="/")
            if made.returncode:
                raise Failed(f"initdb: {made.stderr.strip()}")
            command = [postgres_program("postgres"), "-D", str(data / "data"), "-k", str(sockets)]
            for setting, value in POSTGRES_SETTINGS.items():
                command += ["-c", f"{setting}={value}"]
            log = data / "log"
            with _process(command, user, log) as process:
                _await(process, log, [postgres_program("pg_isready"), "-q", "-h", str(sockets)])
                yield f"host={sockets} user={name} dbname=postgres", process.pid
    finally:
        shutil.rmtree(data, ignore_errors=True)


def tidy_postgres(connection: str) -> None:
    """Drops the table of a run and writes everything to the disk, so that no writes of it occur during another run."""
    run("psql", "-q", connection, "-c", "DROP TABLE IF EXISTS events", "-c", "CHECKPOINT")
