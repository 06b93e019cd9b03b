internal import FoundationEssentials
internal import LMDB

/// A backup of a journal: a folder from which it can be restored; `BackupLayout` says what lies in it.
package enum Backup {
    /// What the backed-up journal says of itself; read without any key.
    package static func description(of path: String) throws(EventLogError) -> JournalDescription {
        let bytes = try HeldBackup(in: path).manifest.description
        return try JournalDescription(bytes.raw)
    }

    /// The key that signed a backup, by its own word; `restore` holds it against the keys.
    package static func verifier(of path: String) throws(EventLogError) -> NoteVerifier {
        try HeldBackup(in: path).verifier
    }

    /// Restores a backup into a folder that is not there yet, or empty.
    ///
    /// It is built beside, and gets its name when every event has led to the signed checkpoint, every key opens and every
    /// attachment is what was backed up. Before that `finish` is given the restored log, to append what befell it: the event
    /// of the options among it.
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
            throw EventLogError(.busy, "a backup into \(path) is under way; wait for its end")
        }
        // All that can be known without writing anything.
        let held = try HeldBackup(in: path)
        var keys = try RestoredKeys(in: path, manifest: held.manifest, master: masterKey)
        try requireSignature(of: held, keys, options)
        let site = try RestoreSite(for: target)
        do {
            let report = try build(in: site.folder, from: path, held, &keys, options, progress)
            var opening = options.log
            opening.witness = options.masterKeyFile.map {
                MasterKeyFile.witness(of: report.journal, restored: options.event, besideKey: $0)
            }
            let log = try EventLog(folder: site.folder, masterKey: masterKey, options: opening)
            do {
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

    /// Says in the folder which event tells of the restore.
    private static func mark(_ log: EventLog, after head: UInt64, _ options: RestoreOptions) throws {
        for event in try log.events(after: head, limit: .max) where event.header.id == options.event {
            return try RestoredMark(event: options.event, position: event.position).write(to: log.folder)
        }
        throw EventLogError(.storage, "the restored log was not told of the restore")
    }

    /// The backup must be signed by the journal's own key, which lies in it under the master key.
    private static func requireSignature(
        of held: HeldBackup,
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
                .otherPast,
                "the backup is signed by the key \(held.verifier.text), not by the one that was given"
            )
        }
        if let known = options.checkpoint {
            guard known.origin == held.verifier.name else {
                throw EventLogError(.otherPast, "the checkpoint that was given is of \(known.origin), another journal")
            }
            guard known.size <= held.contents.head else {
                throw EventLogError(
                    .otherPast,
                    "the backup ends at position \(held.contents.head), before the checkpoint that was given (\(known.size))"
                )
            }
        }
    }

    private static func build(
        in folder: JournalFolder,
        from path: String,
        _ held: HeldBackup,
        _ keys: inout RestoredKeys,
        _ options: RestoreOptions,
        _ progress: (_ done: UInt64, _ of: UInt64) -> Void
    ) throws(EventLogError) -> RestoreReport {
        var report = RestoreReport(held)
        let log = try RestoredLog(in: folder, from: path, held, options, progress)
        keys.erase(options.erased.union(log.erased))
        for (subject, position) in log.subjects where !keys.live.contains(subject) && !keys.erased.contains(subject) {
            throw EventLogError.damaged("the backup lacks the key of this event's subject", at: position)
        }
        guard keys.damaged.isEmpty else {
            throw EventLogError(
                .damaged,
                "\(keys.damaged.count) keys of the backup are damaged; use another backup, or back up once more"
            )
        }
        report.keys = keys.live.count
        report.erased = keys.erased.filter { log.subjects[$0] != nil }
        report.erasedUntold = report.erased.subtracting(log.erased)
        do {
            try DurableFile(path: folder.keyFile, mode: .create).write(keys.bytes, at: 0)
            try restoreBlobs(of: held, from: path, to: folder, erased: keys.erased, &report)
            try DurableFile.replace(folder.verifierKey, with: Array((held.verifier.text + "\n").utf8))
            try DurableFile.replace(folder.checkpoint, with: Array(held.checkpoint.text.utf8))
        } catch {
            throw EventLogError(error, "the journal cannot be restored")
        }
        report.byteCount += held.contents.segments.reduce(0) { $0 + $1.byteCount }
        return report
    }

    private static func restoreBlobs(
        of held: HeldBackup,
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
                try DurableFile.makeFolder(folder.blobs(of: subject))
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
