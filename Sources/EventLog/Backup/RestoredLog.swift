internal import FoundationEssentials
internal import LMDB
internal import Platform

/// A log that is built, with its Merkle tree, from the segments of a backup.
///
/// The initializer throws unless the root of the tree is that of the backup's checkpoint.
struct RestoredLog {
    private(set) var frontier = Frontier()
    /// The position of the first event of each subject.
    private(set) var subjects: [UUID: UInt64] = [:]
    /// Subjects and slots of entries that the log records as erased.
    private(set) var erased: Set<UUID> = []

    /// Writes all events of a backup to a new log in `folder`, and syncs it.
    init(
        in folder: JournalFolder,
        from path: String,
        _ held: ExistingBackup,
        _ options: RestoreOptions,
        _ progress: (_ done: UInt64, _ of: UInt64) -> Void
    ) throws(EventLogError) {
        do {
            var ground = EventLog.environmentOptions(options.log)
            // The log is synced once, at the end: nothing uses it before.
            ground.isSynced = false
            ground.isReadOnly = false
            let environment = try Environment(folder: folder.log, options: ground)
            let tables = try environment.write { transaction in
                let tables = try LogTables(making: transaction)
                let description = held.manifest.description
                try transaction.insert(EventLog.metaKey, description.raw, in: tables.meta)
                let hash = DescriptionRow.hash(of: description)
                try transaction.insert(Key(DescriptionRow.hashKey), hash.raw, in: tables.meta)
                return tables
            }
            for segment in held.contents.segments {
                let bytes = try RestoredLog.bytes(of: segment, in: path)
                try environment.write { transaction in
                    try BackupSegment.read(
                        bytes.raw,
                        journal: held.manifest.journal,
                        first: segment.first,
                        last: segment.last
                    ) { frame in try put(frame, tables, transaction, options) }
                }
                progress(segment.last, held.contents.head)
            }
            try environment.sync()
        } catch {
            throw EventLogError(error, "the log cannot be restored")
        }
        guard frontier.size == held.checkpoint.checkpoint.size, frontier.root == held.checkpoint.checkpoint.root else {
            throw EventLogError(
                .damaged,
                "the events of the backup do not match its signed checkpoint; use another backup"
            )
        }
    }

    private static func bytes(of segment: BackupSegment, in path: String) throws -> [UInt8] {
        let file = path + "/" + BackupLayout.segments + "/" + segment.name
        guard let status = FileStatus(of: file), status.isFile else {
            throw EventLogError.damaged("the backup segment that begins here is missing", at: segment.first)
        }
        guard status.size == segment.byteCount else {
            throw EventLogError.damaged("the backup segment that begins here is truncated", at: segment.first)
        }
        return try DurableFile.read(file, atMost: segment.byteCount)
    }

    private mutating func put(
        _ frame: Frame,
        _ tables: LogTables,
        _ transaction: borrowing WriteTransaction,
        _ options: RestoreOptions
    ) throws {
        try transaction.append(Key(frame.position), frame.bytes, to: tables.events)
        let row = TreeRow.bytes(frontier.append(.leaf(frame.bytes)))
        try transaction.append(Key(frame.position), row.raw, to: tables.tree)
        if subjects[frame.subject] == nil { subjects[frame.subject] = frame.position }
        if let subject = EventLog.erasure(by: frame) { erased.insert(subject) }
        if let known = options.checkpoint, known.size == frame.position, known.root != frontier.root {
            throw EventLogError(
                .differentHistory,
                "the backup's events up to position \(known.size) do not match the given checkpoint",
                position: known.size
            )
        }
    }
}
