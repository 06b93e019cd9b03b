internal import FoundationEssentials
internal import LMDB

extension EventLog {
    /// The path without links of a folder that can take a backup of this journal; makes it if need be.
    package func prepareBackup(in path: String) throws(EventLogError) -> String {
        let place = try BackupPlace(path, of: folder)
        _ = try heldBackup(in: place)
        return place.path
    }

    /// Brings a folder up to date as a backup of this journal, while it is in use; makes the folder if need be.
    ///
    /// Only what is new is copied, and what is copied is read back. Cut off at any moment it leaves the backup as it was
    /// before, and the next run goes on. `progress` is told how many events of how many are there.
    package func backUp(
        to path: String,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
    ) throws(EventLogError) -> BackupReport {
        try backUp(to: path, progress: progress) { _ in }
    }

    func backUp(
        to path: String,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in },
        step: (BackupStep) throws(EventLogError) -> Void
    ) throws(EventLogError) -> BackupReport {
        do throws(EventLogError) {
            return try backUp(into: BackupPlace(path, of: folder), progress, step)
        } catch {
            guard error.code == .diskFull else { throw error }
            throw EventLogError(
                .diskFull,
                "no space is left in \(path); what was backed up there before is still good (\(error.message))"
            )
        }
    }

    private func backUp(
        into place: BackupPlace,
        _ progress: (_ done: UInt64, _ of: UInt64) -> Void,
        _ step: (BackupStep) throws(EventLogError) -> Void
    ) throws(EventLogError) -> BackupReport {
        try step(.begun)
        let held = try heldBackup(in: place)
        let signed = try checkpoint()
        let end = signed.checkpoint.size
        var report = BackupReport(place: place.path, checkpoint: signed)

        let head = held?.contents.head ?? 0
        var frames = try BackupFrames(self, into: place.segments, behind: kept(held?.contents.segments ?? []))
        try frames.adopt(through: end, besides: held?.contents.segments ?? [])
        while frames.head < end {
            progress(frames.head, end)
            try frames.copyNext(through: end, step)
        }
        progress(end, end)
        guard frames.frontier.root == signed.checkpoint.root else {
            throw EventLogError(
                .damaged,
                "what is in log/ is not what its tree says; nothing was backed up; run: healthjournal-replay verify"
            )
        }
        (report.events, report.byteCount) = (end - head, frames.byteCount)

        // What the events say was erased is gone before keys are copied, though whoever erases it is at it still.
        if !isReadOnly {
            try Erasures(environment: environment, tables: tables, keys: self.keys, blobs: self.blobs).settle()
        }
        // Keys and attachments come behind the events: whatever an event needs was there before it.
        let keys = try BackupKeys(
            updating: place.keys,
            from: folder.keyFile,
            journal: description.id,
            held: held?.manifest.keyBytes ?? 0
        )
        (report.keys, report.keysErased) = (keys.added, keys.erasedNow)
        report.byteCount += keys.added * KeyFile.slotLength
        try step(.keysCopied)
        let attachments = try BackupBlobs(
            from: folder.blobs,
            into: place.blobs,
            held: held?.contents.blobs ?? [],
            erased: keys.erased,
            step
        )
        report.blobs = attachments.copied
        report.byteCount += attachments.byteCount

        var contents = BackupContents()
        (contents.segments, contents.blobs) = (frames.segments, attachments.blobs)
        let manifest = try place.write(contents, self, signed, keyBytes: keys.byteCount, step)
        try place.tidy(keeping: manifest, contents)
        try step(.tidied)
        return report
    }

    /// What the backup holds already, if this log is what it grew into.
    private func heldBackup(in place: BackupPlace) throws(EventLogError) -> HeldBackup? {
        guard DurableFile.exists(place.manifest) else { return nil }
        let held = try HeldBackup(in: place.path)
        guard held.manifest.journal == description.id else {
            throw EventLogError(
                .otherPast,
                "\(place.path) holds the backup of another journal (\(held.manifest.journal.uuidString.lowercased()))"
            )
        }
        guard held.verifier == (try keys.signer(of: description.id).verifier) else {
            throw EventLogError(
                .otherPast,
                "the backup in \(place.path) is not signed by this journal's key; back up into another folder"
            )
        }
        let (size, head) = try (held.checkpoint.checkpoint.size, head())
        guard size <= head else {
            throw EventLogError(
                .otherPast,
                "the backup in \(place.path) goes up to position \(size), this journal only to \(head): it has lost events, "
                    + "or is an older copy; restore the backup, or back up into another folder"
            )
        }
        guard try root(ofSize: size) == held.checkpoint.checkpoint.root else {
            throw EventLogError(
                .otherPast,
                "this journal and the backup in \(place.path) are different from a position up to \(size) on; "
                    + "back up into another folder, and run: healthjournal-replay verify"
            )
        }
        return held
    }

    /// The segments without a short last one, which is copied again with what is new.
    private func kept(_ segments: [BackupSegment]) -> [BackupSegment] {
        guard let last = segments.last, last.byteCount < BackupLayout.foldedBytes else { return segments }
        return segments.dropLast()
    }
}

extension BackupPlace {
    /// Names what was copied, the one step that makes it the backup.
    fileprivate func write(
        _ contents: BackupContents,
        _ log: EventLog,
        _ signed: SignedCheckpoint,
        keyBytes: Int,
        _ step: (BackupStep) throws(EventLogError) -> Void
    ) throws(EventLogError) -> BackupManifest {
        do {
            let signer = try log.keys.signer(of: log.description.id)
            let text = Array(contents.text.utf8)
            guard text.count <= BackupLayout.maximumContentsBytes else {
                throw EventLogError(.tooLarge, "a backup cannot list so many attachments")
            }
            let manifest = BackupManifest(
                journal: log.description.id,
                description: log.description.bytes,
                verifier: signer.verifier.text,
                checkpoint: signed.text,
                keyBytes: keyBytes,
                contents: BackupFiles.digest(text)
            )
            // The segments' names are durable before anything names them.
            try Folder.sync(segments)
            try DurableFile.replace(self.contents(manifest.contents), with: text)
            try step(.contentsWritten)
            let note = Array(try signer.note(manifest.text).utf8)
            try DurableFile.replace(self.manifest, with: note)
            guard try HeldBackup(in: path).manifest == manifest else { throw EventLogError.notKept(self.manifest) }
            try step(.manifestPlaced)
            return manifest
        } catch {
            throw EventLogError(error, "the backup's manifest cannot be written")
        }
    }
}
