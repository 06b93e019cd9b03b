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
    """The options, programs and results that all groups share."""

    options: Options
    results: Results
    rounds: Rounds
    ours: Ours
    peers: dict[str, Command]
    stack: ExitStack  # resources that are open until the end of the group
    _postgres: tuple[str, int] | None = field(default=None)

    def postgres(self) -> tuple[str, int] | None:
        """Returns the connection string and process id of a server that all runs of a group share.

        Like a server that has been up for long, it reuses the files of its write-ahead log. Returns None if
        PostgreSQL is unavailable.
        """
        if self._postgres is None and {"postgres", "exclusion"} & set(self.peers):
            try:
                self._postgres = self.stack.enter_context(postgres(self.options.folder / "postgres"))
            except Failed as error:
                self.results.missing["postgres"] = str(error)
                for name in ("postgres", "exclusion"):
                    self.peers.pop(name, None)
        return self._postgres

    def ready(self, name: str, prepare: Callable[[], object]) -> bool:
        """Reports whether a peer is available and the preparation of its measurement succeeded."""
        return name in self.peers and self.rounds.attempt(f"preparing {name}", prepare)
