"""What a reader must know to judge the figures: what each system does for an event, and what it does not."""

NOTES = {
    "all": """An append is answered when it is durable. Events are 300 bytes: with the peers that is the data of a
        row beside its keys, with HealthJournal the whole of an event as it is stored, header and seal included.""",
    "healthjournal": """Checks for each event whether its key was used before and whether the stream is at the version
        expected, seals the payload with AES-256-GCM, hashes it into a Merkle tree, and keeps streams readable. One
        writer commits what waits as a group. Two syncs a commit, as LMDB's.""",
    "lmdb": """The limit, not a peer: the same LMDB used from C, with nothing above it. It syncs twice a commit, the
        data and then the meta page. `log` is a log alone; `indexed` has an index by stream and version beside it.
        Several writers go through one committer as a group.""",
    "sqlite": """Write-ahead log, synchronous=FULL: one sync a commit. A table with unique(stream, version), a
        connection a writer; writers take turns by a lock, for SQLite's own waiting lets some starve. `grouped` puts
        all writers through one connection and a committing thread, which is this project's C and not SQLite's: it is
        told, and nothing is held against it.""",
    "postgres": """The same table, synchronous_commit=on, a connection (and so a process) a writer; commits share
        syncs as PostgreSQL lets them. A batch is one INSERT over arrays. Positions may have gaps, and are not
        committed in order.""",
    "redis": """appendfsync=always: one sync for all commands that wait. `log` appends to one list, which can only be
        read whole; `streams` keeps a list of places for each stream too. All of it is held in memory.""",
    "eventsourcing": """The library's own path over SQLite, one sync a commit: aggregates trigger events, an
        application saves them and checks their versions. It is Python, and its time goes elsewhere than to the
        disk.""",
    "the disk": """4 KiB appended and synced by fdatasync, again and again, by one process.""",
    "fold and scans": """A fold opens, decodes and applies each event; peers' scans fetch rows and decode nothing, but
        for eventsourcing's. All is in the page cache.""",
    "syncs a commit": """Counted in the kernel by strace, with one writer and single events. LMDB's second sync, a
        write through a file opened with O_DSYNC, is not in the count, nor is it in ours.""",
}
