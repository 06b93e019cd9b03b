package import FoundationEssentials
internal import LMDB
internal import Platform

/// A backup of a journal: a folder from which the journal can be restored; `BackupLayout` describes its files.
package enum Backup {
    /// Reads the description of the backed-up journal, without any key.
    package static func description(of path: String) throws(EventLogError) -> JournalDescription {
        let bytes = try ExistingBackup(in: path).manifest.description
        return try JournalDescription(bytes.raw)
    }

    /// Reads the public key that signed a backup, as the backup itself states it.
    ///
    /// `restore` checks it against the journal's keys.
    package static func verifier(of path: String) throws(EventLogError) -> NoteVerifier {
        try ExistingBackup(in: path).verifier
    }

    /// Restores a backup into a folder that does not exist yet or is empty.
    ///
    /// The journal is built in a folder beside the target. It is renamed to the target when all events lead to the
    /// signed checkpoint, all keys that are not erased open and all attachments are those that were backed up. Before
    /// that, `finish` receives the restored log and appends the events that record the restore, among them the one with
    /// the id `options.event`.
    package static func restore(
        from path: String,
        to target: JournalFolder,
        masterKey: MasterKey,
        options: RestoreOptions,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in },
        finish: (EventLog, RestoreReport) async throws -> Void
    ) async throws -> RestoreReport {
        let lock = path + "/" + BackupLayout.lock
        let reading = try DurableFile.exists(lock) ? FileLock(of: lock, .shared) : nil
        guard reading != nil || !DurableFile.exists(lock) else {
            throw EventLogError(.busy, "a backup into \(path) is in progress; wait until it ends")
        }
        // First check everything that can be checked without writing.
        let held = try ExistingBackup(in: path)
        var keys = try RestoredKeys(
            in: path,
            manifest: held.manifest,
            master: masterKey,
            masterKeyFile: options.masterKeyFile
        )
        try requireSignature(of: held, keys, options)
        let site = try RestoreSite(for: target)
        do {
            var (report, erased) = try build(in: site.folder, from: path, held, &keys, options, progress)
            var opening = options.log
            // The clock is not checked: a backup may be years old, and a restore can be repeated.
            opening.clock.boot = nil
            if let path = options.masterKeyFile {
                opening.keep(
                    MasterKeyFile.witness(of: report.journal, restored: options.event, at: site.target, besideKey: path)
                )
            }
            let log = try EventLog(folder: site.folder, masterKey: masterKey, options: opening)
            do {
                report.entriesErasedUnrecorded = try log.eraseRestored(erased, options.erasedEntries)
                try await finish(log, report)
                try mark(log, after: report.head, options)
            } catch {
                log.close()
                throw error
            }
            log.close()
            try site.putInPlace()
            return report
        } catch {
            site.discard()
            throw error
        }
    }

    /// Writes the file that names the event which records the restore.
    private static func mark(_ log: EventLog, after head: UInt64, _ options: RestoreOptions) throws {
        for event in try log.events(after: head, limit: .max) where event.header.id == options.event {
            return try RestoredMark(event: options.event, position: event.position).write(to: log.folder)
        }
        throw EventLogError(.storage, "the restored log does not contain the event that records the restore")
    }

    /// Throws unless the backup is signed by the journal's own key, which the backup contains, sealed under the master
    /// key.
    ///
    /// Also checks the backup against the verifier and the checkpoint of the options, if they are given.
    private static func requireSignature(
        of held: ExistingBackup,
        _ keys: RestoredKeys,
        _ options: RestoreOptions
    ) throws(EventLogError) {
        guard let seed = keys.seed(of: KeyStore.checkpointSigner),
            let signer = try? NoteSigner(name: held.verifier.name, seed: seed), signer.verifier == held.verifier
        else {
            throw EventLogError(.damaged, "the backup is not signed by the key of its own journal; use another backup")
        }
        if let known = options.verifier, known != held.verifier {
            throw EventLogError(
                .differentHistory,
                "the backup is signed by the key \(held.verifier.text), not by the given key"
            )
        }
        if let known = options.checkpoint {
            guard known.origin == held.verifier.name else {
                throw EventLogError(
                    .differentHistory,
                    "the given checkpoint belongs to \(known.origin), another journal"
                )
            }
            guard known.size <= held.contents.head else {
                throw EventLogError(
                    .differentHistory,
                    "the backup ends at position \(held.contents.head), before the given checkpoint (\(known.size))"
                )
            }
        }
    }

    private static func build(
        in folder: JournalFolder,
        from path: String,
        _ held: ExistingBackup,
        _ keys: inout RestoredKeys,
        _ options: RestoreOptions,
        _ progress: (_ done: UInt64, _ of: UInt64) -> Void
    ) throws(EventLogError) -> (report: RestoreReport, erased: Set<UUID>) {
        var report = RestoreReport(held)
        let log = try RestoredLog(in: folder, from: path, held, options, progress)
        let erased = options.erased.union(log.erased)
        keys.erase(erased)
        for (subject, position) in log.subjects where !keys.live.contains(subject) && !keys.erased.contains(subject) {
            throw EventLogError.damaged("the backup lacks the key of this event's subject", at: position)
        }
        guard keys.damaged.isEmpty else {
            throw EventLogError(
                .damaged,
                "\(keys.damaged.count) keys of the backup are damaged; use another backup, or make a new backup"
            )
        }
        report.keys = keys.live.count
        report.erased = keys.erased.filter { log.subjects[$0] != nil }
        report.erasedUnrecorded = report.erased.subtracting(log.erased)
        do {
            try DurableFile(path: folder.keyFile, mode: .create).write(keys.bytes, at: 0)
            try restoreBlobs(of: held, from: path, to: folder, erased: keys.erased, &report)
            try DurableFile.replace(folder.verifierKey, with: Array((held.verifier.text + "\n").utf8))
            try DurableFile.replace(folder.checkpoint, with: Array(held.checkpoint.text.utf8))
        } catch {
            throw EventLogError(error, "the journal cannot be restored")
        }
        report.byteCount += held.contents.segments.reduce(0) { $0 + $1.byteCount }
        return (report, erased.union(keys.erased))
    }

    private static func restoreBlobs(
        of held: ExistingBackup,
        from path: String,
        to folder: JournalFolder,
        erased: Set<UUID>,
        _ report: inout RestoreReport
    ) throws {
        var last: UUID?
        for blob in held.contents.blobs {
            guard let subject = blob.subject, !erased.contains(subject) else { continue }
            if subject != last {
                if let last { try Folder.sync(folder.blobs(of: last)) }
                try Folder.makePrivate(folder.blobs(of: subject))
                last = subject
            }
            let source = path + "/" + BackupLayout.blobs + "/" + blob.path
            guard FileStatus(of: source)?.isFile == true else {
                throw EventLogError(.damaged, "the backup lacks an attachment: \(source); use another backup")
            }
            let copied = try BackupFiles.copy(source, to: folder.blobs + "/" + blob.path)
            guard copied.digest == blob.digest, copied.byteCount == blob.byteCount else {
                throw EventLogError(.damaged, "the backup's attachment \(source) is damaged; use another backup")
            }
            report.blobs += 1
            report.byteCount += copied.byteCount
        }
        if let last { try Folder.sync(folder.blobs(of: last)) }
    }
}

/// The options of a restore, including what the backup is checked against.
package struct RestoreOptions: Sendable {
    /// The options with which the restored log is opened.
    package var log = EventLog.Options()
    /// The public key of the journal's checkpoints, if it is known from another source.
    package var verifier: NoteVerifier?
    /// A checkpoint that the restored log must extend, if one is known.
    package var checkpoint: Checkpoint?
    /// Subjects that are known to have been erased since the backup: their keys and attachments are not restored.
    package var erased: Set<UUID> = []
    /// Entries that are known to have been erased since the backup.
    package var erasedEntries: Set<ErasedEntry> = []

    /// The path of the master key, beside which the restored journal keeps its newest checkpoint; nil to keep none.
    package var masterKeyFile: String?
    /// The id of the event that records the restore.
    package var event: UUID

    package init(event: UUID) {
        self.event = event
    }
}
