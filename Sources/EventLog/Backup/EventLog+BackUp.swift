package import FoundationEssentials
internal import LMDB
internal import Platform

/// Whether an attachment of a subject, by the name of its file, is as it was stored; true if that is not known.
package typealias AttachmentCheck = (_ subject: UUID, _ name: String) -> Bool

extension EventLog {
    /// Returns the path, without symbolic links, of a folder for a backup of this journal; creates it if needed.
    ///
    /// With `trustsTarget`, the folder may belong to another user or be accessible to others.
    package func prepareBackup(in path: String, trustsTarget: Bool = false) throws(EventLogError) -> String {
        let place = try BackupTarget(path, of: folder, isTrusted: trustsTarget)
        _ = try heldBackup(in: place)
        return place.path
    }

    /// Updates a folder to a backup of this journal while the journal is in use; creates the folder if needed.
    ///
    /// Only new data is copied, and each copy is read back. If a run is interrupted, the previous backup can still be
    /// restored, and the next run continues. `progress` receives the number of copied events and their total.
    /// `isIntact` is asked about attachments that are new or have changed.
    package func backUp(
        to path: String,
        trustsTarget: Bool = false,
        isIntact: @escaping AttachmentCheck = { _, _ in true },
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
    ) throws(EventLogError) -> BackupReport {
        try backUp(to: path, trustsTarget: trustsTarget, isIntact: isIntact, progress: progress) { _ in }
    }

    func backUp(
        to path: String,
        trustsTarget: Bool = false,
        isIntact: @escaping AttachmentCheck = { _, _ in true },
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in },
        step: (BackupStep) throws(EventLogError) -> Void
    ) throws(EventLogError) -> BackupReport {
        do throws(EventLogError) {
            return try backUp(into: BackupTarget(path, of: folder, isTrusted: trustsTarget), isIntact, progress, step)
        } catch {
            guard error.code == .diskFull else { throw error }
            throw EventLogError(
                .diskFull,
                "no space is left in \(path); what was backed up there before is still usable (\(error.message))"
            )
        }
    }

    private func backUp(
        into place: BackupTarget,
        _ isIntact: @escaping AttachmentCheck,
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
                "log/ does not match its Merkle tree; nothing was backed up; run: healthjournal-replay verify"
            )
        }
        (report.events, report.byteCount) = (end - head, frames.byteCount)

        // Complete the erasures whose events are in the log before keys are copied, even if another process is still
        // working on them.
        if !isReadOnly {
            try Erasures(environment: environment, tables: tables, keys: self.keys, blobs: self.blobs).settle()
        }
        // Keys and attachments are copied after the events: everything that an event needs was stored before the event.
        let keys = try BackupKeys(
            updating: place.keys,
            from: folder.keyFile,
            journal: description.id,
            held: held?.manifest.keyBytes ?? 0,
            isTrusted: place.isTrusted
        )
        (report.keys, report.keysErased) = (keys.added, keys.erasedNow)
        report.byteCount += keys.added * KeyFile.slotLength
        try step(.keysCopied)
        let attachments = try BackupBlobs(
            from: folder.blobs,
            into: place.blobs,
            held: held?.contents.blobs ?? [],
            erased: keys.erased,
            isTrusted: place.isTrusted,
            isIntact: isIntact,
            step
        )
        (report.blobs, report.blobsDamaged, report.blobsKept) = (
            attachments.copied, attachments.damaged, attachments.kept
        )
        report.byteCount += attachments.byteCount

        var contents = BackupContents()
        (contents.segments, contents.blobs) = (frames.segments, attachments.blobs)
        let manifest = try place.write(contents, self, signed, keyBytes: keys.byteCount, step)
        try place.tidy(keeping: manifest, contents)
        try step(.tidied)
        return report
    }

    /// Returns the existing backup, or nil if there is none; throws unless this log extends it.
    private func heldBackup(in place: BackupTarget) throws(EventLogError) -> ExistingBackup? {
        guard DurableFile.exists(place.manifest) else { return nil }
        let held = try ExistingBackup(in: place.path)
        guard held.manifest.journal == description.id else {
            throw EventLogError(
                .differentHistory,
                "\(place.path) contains a backup of another journal (\(held.manifest.journal.uuidString.lowercased()))"
            )
        }
        guard held.verifier == (try keys.signer(of: description.id).verifier) else {
            throw EventLogError(
                .differentHistory,
                "the backup in \(place.path) is not signed by this journal's key; back up into another folder"
            )
        }
        let (size, head) = try (held.checkpoint.checkpoint.size, head())
        guard size <= head else {
            throw EventLogError(
                .differentHistory,
                "the backup in \(place.path) goes up to position \(size), this journal only to \(head): it has lost events, "
                    + "or is an older copy; restore the backup, or back up into another folder"
            )
        }
        guard try root(ofSize: size) == held.checkpoint.checkpoint.root else {
            throw EventLogError(
                .differentHistory,
                "this journal and the backup in \(place.path) differ at or before position \(size); "
                    + "back up into another folder, and run: healthjournal-replay verify"
            )
        }
        return held
    }

    /// Returns the segments without a short last one, which is copied again together with the new events.
    private func kept(_ segments: [BackupSegment]) -> [BackupSegment] {
        guard let last = segments.last, last.byteCount < BackupLayout.foldedBytes else { return segments }
        return segments.dropLast()
    }
}

extension BackupTarget {
    /// Writes the contents list and the manifest.
    ///
    /// Replacing the manifest is the one step that makes the copied files the backup.
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
                throw EventLogError(.tooLarge, "the journal has more attachments than a backup can list")
            }
            let manifest = BackupManifest(
                journal: log.description.id,
                description: log.description.bytes,
                verifier: signer.verifier.text,
                checkpoint: signed.text,
                keyBytes: keyBytes,
                contents: BackupFiles.digest(text)
            )
            // The names of the segments must be durable before the contents list refers to them.
            try Folder.sync(segments)
            try DurableFile.replace(self.contents(manifest.contents), with: text)
            try step(.contentsWritten)
            let note = Array(try signer.note(manifest.text).utf8)
            try DurableFile.replace(self.manifest, with: note)
            guard try ExistingBackup(in: path).manifest == manifest else { throw EventLogError.notKept(self.manifest) }
            try step(.manifestPlaced)
            return manifest
        } catch {
            throw EventLogError(error, "the backup's manifest cannot be written")
        }
    }
}

/// The steps of a backup at which tests can interrupt it.
enum BackupStep: Hashable, Sendable, CaseIterable {
    case begun
    case segmentWritten
    case segmentPlaced
    case keysCopied
    case blobCopied
    case contentsWritten
    case manifestPlaced
    case tidied
}

/// The result of a backup.
package struct BackupReport: Hashable, Sendable {
    /// The path of the backup's folder, without symbolic links.
    package let place: String
    /// The position of the last event in the backup.
    package let head: UInt64
    /// The signed checkpoint whose root the backup's frames lead to.
    package let checkpoint: SignedCheckpoint
    /// What this run copied in addition to what the backup already contained.
    package var events: UInt64 = 0
    package var blobs = 0
    /// New and changed attachments that are damaged in the journal.
    package var blobsDamaged = 0
    /// The damaged attachments whose earlier copies the backup keeps.
    package var blobsKept = 0
    package var keys = 0
    /// Keys that this run overwrote because their subjects were erased.
    package var keysErased = 0
    /// Bytes of segments, keys and attachments that this run wrote.
    package var byteCount = 0

    init(place: String, checkpoint: SignedCheckpoint) {
        self.place = place
        self.checkpoint = checkpoint
        head = checkpoint.checkpoint.size
    }
}
