"""What a reader must know to interpret the figures: what each system does, and does not do, for an event."""

NOTES = {
    "all": """An append is acknowledged when it is durable. Events have 300 bytes: for the peers that is the data of a
        row, without its keys; for HealthJournal it is the whole stored event, including header and seal.""",
    "healthjournal": """Checks for each event whether its key was used before and whether the stream has the expected
        version, seals the payload with AES-256-GCM, adds its hash to a Merkle tree, and keeps streams readable. One
        writer commits all queued appends as a group. Two syncs per commit, as in LMDB.""",
    "lmdb": """The limit, not a peer: the same LMDB, used from C, with nothing above it. It syncs twice per commit: the
        data and then the meta page. `log` has only a log; `indexed` also has an index by stream and version.
        Several writers use one committer, which commits as a group.""",
    "sqlite": """Write-ahead log, synchronous=FULL: one sync per commit. A table with unique(stream, version) and one
        connection per writer. Writers take turns with a lock, because SQLite's own waiting starves some. `grouped`
        sends all writers through one connection and a committing thread. That is C code of this project, not part of
        SQLite: it is reported, but no goal is compared with it.""",
    "postgres": """The same table, synchronous_commit=on, one connection (and so one process) per writer; commits share
        syncs as far as PostgreSQL does so by itself. A batch is one INSERT over arrays. Positions may have gaps, and
        are not committed in order.""",
    "redis": """appendfsync=always: one sync for all waiting commands. `log` appends to one Redis stream, which can
        only be read as a whole; `streams` also keeps the log positions of each event stream. All data is in memory.""",
    "eventsourcing": """The library's own API over SQLite, one sync per commit: aggregates trigger events, and an
        application saves them and checks their versions. It is written in Python, and most of its time is not spent
        on the disk.""",
    "the disk": """One process repeatedly appends 4 KiB and syncs with fdatasync.""",
    "fold and scans": """A fold opens, decodes and applies each event; the scans of the peers fetch rows and decode
        nothing, except that of eventsourcing. All data is in the page cache.""",
    "syncs a commit": """Counted in the kernel by strace, with one writer and single events. LMDB's second sync, a
        write through a file opened with O_DSYNC, is not counted, neither for LMDB nor for HealthJournal.""",
}
