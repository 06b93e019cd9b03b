from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from .options import Options
from .ours import Ours
from .programs import Failed
from .results import Results
from .rounds import Rounds
from .servers import postgres

Command = list[str | Path]


@dataclass
class Bench:
    """What all groups work with."""

    options: Options
    results: Results
    rounds: Rounds
    ours: Ours
    peers: dict[str, Command]
    stack: ExitStack  # what is open until the end of the group
    _postgres: tuple[str, int] | None = field(default=None)

    def postgres(self) -> tuple[str, int] | None:
        """One server for all runs of a group, as it would have long been up: its log's files are written over."""
        if self._postgres is None and "postgres" in self.peers:
            try:
                self._postgres = self.stack.enter_context(postgres(self.options.folder / "postgres"))
            except Failed as error:
                self.results.missing["postgres"] = str(error)
                del self.peers["postgres"]
        return self._postgres

    def ready(self, name: str, prepare: Callable[[], object]) -> bool:
        """Whether a peer is there, and what must come before its measurement went well."""
        return name in self.peers and self.rounds.attempt(f"preparing {name}", prepare)
