import shutil
import signal
import sys
from contextlib import ExitStack
from typing import NoReturn

from . import machine, needs, ours, peers, report
from .bench import Bench, Command
from .goals import judge
from .groups.append import measure_appends
from .groups.care import measure_care
from .groups.clinic import measure_clinic
from .groups.exchange import measure_exchange
from .groups.growth import measure_growth
from .groups.http import measure_http
from .groups.read import measure_reading
from .groups.search import measure_search
from .groups.syncs import measure_syncs
from .options import Options, read_options
from .ours import Ours
from .programs import say
from .results import Results
from .rounds import Rounds

GROUPS = {
    "append": measure_appends,
    "read": measure_reading,
    "http": measure_http,
    "growth": measure_growth,
    "syncs": measure_syncs,
    "care": measure_care,
    "clinic": measure_clinic,
    "search": measure_search,
    "exchange": measure_exchange,
}


def _stop(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def main() -> int:
    options = read_options()
    # SIGTERM is handled like Ctrl-C: servers are stopped and folders removed in either case.
    signal.signal(signal.SIGTERM, _stop)
    results = Results()
    if busy := machine.busy():
        results.missing["quiet"] = busy
    python = needs.python(results)
    peer_commands = peers.prepare(results, python, options.only)
    our_programs = ours.prepare(options, results)
    options.folder.mkdir(parents=True, exist_ok=True)
    described = machine.describe(options.folder, python)
    try:
        for name in options.only:
            measure_group(name, options, results, our_programs, peer_commands)
    finally:
        if not any(options.folder.iterdir()):
            options.folder.rmdir()
    judged = judge(results, options)
    report.write(options, described, results, judged, python)
    return 1 if results.failures else 0


def measure_group(
    name: str, options: Options, results: Results, our_programs: Ours, commands: dict[str, Command]
) -> None:
    folder = options.folder / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        say(f"measuring {name}")
        GROUPS[name](Bench(options, results, Rounds(results, folder), our_programs, commands, stack))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        say("interrupted: nothing was written")
        sys.exit(130)
