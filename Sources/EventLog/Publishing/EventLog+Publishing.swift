internal import Platform

/// A log is published as a checkpoint and the tiles of its tree, which anybody can verify without the events.
///
/// The published checkpoint is not that of the moment, so that its sizes do not tell when the journal is in use.
extension EventLog {
    /// The checkpoint that was published last, with its cosignatures; nil if none was published.
    ///
    /// Throws `damaged` if the log does not contain the events that were published: it was replaced by an older copy, or
    /// rewritten.
    package var publishedCheckpoint: SignedCheckpoint? {
        get throws(EventLogError) {
            guard DurableFile.exists(folder.published), let verifier else { return nil }
            do {
                let bytes = try DurableFile.read(folder.published, atMost: SignedNote.maximumBytes)
                let signed = try SignedCheckpoint(parsing: bytes[...], verifiedBy: [verifier])
                let (size, head) = (signed.checkpoint.size, try head())
                guard size <= head, try root(ofSize: size) == signed.checkpoint.root else {
                    throw EventLogError(
                        .damaged,
                        """
                        this log does not contain the \(size) events that were published: it was restored from an older \
                        copy, or changed
                        """
                    )
                }
                return signed
            } catch let error as ProofError {
                throw EventLogError(.damaged, "the published checkpoint is damaged: \(error)")
            } catch let error as StorageError {
                throw EventLogError(error)
            } catch let error as EventLogError {
                throw error
            } catch {
                throw EventLogError(.damaged, "the published checkpoint cannot be read")
            }
        }
    }

    /// Publishes a checkpoint of the log as it is now.
    @discardableResult
    package func publish() throws(EventLogError) -> SignedCheckpoint {
        let signed = try checkpoint()
        // If the log has not grown, the cosignatures are kept.
        if let old = try publishedCheckpoint, old.checkpoint == signed.checkpoint { return old }
        try store(published: signed)
        return signed
    }

    /// Stores a checkpoint as the published one, such as the present one with more signatures.
    ///
    /// Throws `versionConflict` if a larger one was published in the meantime: it must not become smaller again.
    package func store(published signed: SignedCheckpoint) throws(EventLogError) {
        if let now = try publishedCheckpoint, now.checkpoint.size > signed.checkpoint.size {
            throw EventLogError(.versionConflict, "a later checkpoint was published in the meantime")
        }
        do throws(StorageError) {
            try DurableFile.replace(folder.published, with: Array(signed.text.utf8))
        } catch {
            throw EventLogError(error)
        }
    }

    /// Writes the tiles of the published log into a folder that any web server can serve, and the checkpoint last.
    ///
    /// Existing tiles of the same log are kept: full tiles are written once. Returns the number of files that were
    /// written. Throws if the folder contains another log, or a longer one, or a link in place of a folder of tiles:
    /// the link's target is not changed.
    package func write(_ signed: SignedCheckpoint, to folder: String) throws(EventLogError) -> Int {
        do {
            try DurableFile.makeFolder(folder, isPublic: true)
            let old = try checkpoint(in: folder, before: signed)
            var count = 0
            for tile in LogTile.all(ofSize: signed.checkpoint.size, since: old?.size ?? 0) {
                let path = "\(folder)/\(tile.path)"
                if DurableFile.exists(path) { continue }
                var parent = folder
                for part in tile.path.split(separator: "/").dropLast() {
                    parent += "/\(part)"
                    try Folder.makeInside(parent, isPublic: true)
                }
                try DurableFile.replace(path, with: self.tile(tile), isPublic: true)
                count += 1
            }
            try DurableFile.replace("\(folder)/checkpoint", with: Array(signed.text.utf8), isPublic: true)
            return count + 1
        } catch let error as StorageError {
            throw EventLogError(error)
        } catch let error as EventLogError {
            throw error
        } catch {
            throw EventLogError(.damaged, "the tiles could not be written")
        }
    }

    /// Returns the checkpoint that a folder contains from the last time; nil if the folder is empty.
    private func checkpoint(in folder: String, before signed: SignedCheckpoint) throws -> Checkpoint? {
        let path = "\(folder)/checkpoint"
        guard DurableFile.exists(path) else { return nil }
        let other = EventLogError(
            .versionConflict,
            "\(folder) contains something else than an earlier state of this log"
        )
        let bytes = try DurableFile.read(path, atMost: SignedNote.maximumBytes)
        guard let verifier, let old = try? SignedCheckpoint(parsing: bytes[...], verifiedBy: [verifier]).checkpoint,
            old.size <= signed.checkpoint.size, try root(ofSize: old.size) == old.root
        else { throw other }
        return old
    }
}

extension EventLog {
    /// What witnesses said against this log, a line for each; empty if they said nothing.
    package var witnessAlarms: [String] {
        guard let bytes = try? DurableFile.read(folder.witnessAlarm, atMost: 65_536) else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Remembers what witnesses said against this log, a line for each.
    package func remember(witnessAlarms: [String]) throws(EventLogError) {
        do throws(StorageError) {
            if !witnessAlarms.isEmpty {
                let lines = witnessAlarms.map { $0.replacing("\n", with: " ") + "\n" }
                try DurableFile.replace(folder.witnessAlarm, with: Array(lines.joined().utf8))
            } else if DurableFile.exists(folder.witnessAlarm) {
                try DurableFile.remove(folder.witnessAlarm)
            }
        } catch {
            throw EventLogError(error)
        }
    }
}

extension JournalFolder {
    /// What witnesses said against the log, as lines of text.
    var witnessAlarm: String { path + "/witness-alarm" }
    /// The checkpoint that was published last, a signed note.
    var published: String { path + "/published" }
}
