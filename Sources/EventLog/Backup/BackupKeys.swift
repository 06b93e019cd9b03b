internal import FoundationEssentials
internal import LMDB
internal import Platform

/// The key file of a backup: a copy of the journal's key file in which each slot keeps its position.
struct BackupKeys {
    private(set) var added = 0
    private(set) var erasedNow = 0
    private(set) var byteCount = 0
    /// Subjects whose key is permanently erased.
    private(set) var erased: Set<UUID> = []

    private static let identity = 40
    private static let chunk = KeyFile.slotLength * 8_192

    /// Updates the copy to the content that the journal's key file has at one moment.
    ///
    /// If keys are disabled, restored or erased in the meantime, the copy is updated again. The first `held` bytes of
    /// the copy belong to the existing backup; the bytes after them were left by an interrupted run.
    init(
        updating path: String,
        from original: String,
        journal: UUID,
        held: Int,
        isTrusted: Bool
    ) throws(EventLogError) {
        do {
            try BackupKeys.whileUnchanged(original) { source in
                let header = try BackupKeys.header(of: source, journal)
                let old = try BackupKeys.copy(at: path, of: source, isTrusted: isTrusted)
                if let old, try old.read(at: 0, count: header.count) == header {
                    try update(old, from: source, held: held)
                } else {
                    // There is no copy, or it is sealed under another master key: nothing of the old file may remain.
                    if let old { try BackupKeys.requireKeys(in: old, journal, isListed: held > 0) }
                    let beside = path + BackupLayout.unfinished
                    let copy = try DurableFile(path: beside, mode: .scratch)
                    try copy.write(header, at: 0, isSynced: false)
                    try update(copy, from: source, held: 0)
                    try DurableFile.rename(beside, to: path)
                    try DurableFile.syncFolder(of: path)
                    if let old { try old.write([UInt8](repeating: 0, count: old.size), at: 0) }
                }
            }
        } catch {
            throw EventLogError(error, "the key file cannot be copied")
        }
    }

    /// Opens the backup's key file; returns nil if there is none.
    ///
    /// The file is written in place, so it must belong to the backup alone. Through a symbolic link, or a second hard
    /// link to the journal's own key file, the journal would lose its keys.
    private static func copy(at path: String, of source: KeySnapshot, isTrusted: Bool) throws -> DurableFile? {
        guard FileStatus(of: path) != nil else { return nil }
        let file = try DurableFile(path: path, mode: .readWrite)
        guard let status = file.status, status.isFile, status.linkCount == 1, status.identity != source.identity,
            isTrusted || status.owner == User.effective
        else {
            throw EventLogError(
                .locationUnusable,
                "\(path) is not used by the backup alone: it has a second hard link or another owner; "
                    + "move it away, or name another folder"
            )
        }
        if !isTrusted { try file.restrict() }
        return file
    }

    /// Throws for a file that no backup wrote, because it must not be overwritten.
    ///
    /// A file is accepted if the signed manifest lists it, or if it has the header of this journal's key file.
    private static func requireKeys(in file: DurableFile, _ journal: UUID, isListed: Bool) throws {
        let header = try file.read(at: 0, count: KeyFile.slotLength)
        if isListed
            || header.count == KeyFile.slotLength && header.starts(with: KeyFile.magic)
                && KeyFile.uuid(in: header, at: 8) == journal
        {
            return
        }
        throw EventLogError(
            .locationUnusable,
            "\(file.path) is not the key file of a backup of this journal; move it away, or name another folder"
        )
    }

    /// Runs `body` on the content of the key file, and repeats this if the file was changed in the meantime.
    ///
    /// A change means that keys were disabled, restored or erased, or that the file was replaced. The file is locked
    /// only while it is read, so that other processes do not wait for a slow backup disk. After `mostPasses` passes,
    /// `body` runs under the lock.
    static func whileUnchanged(_ path: String, _ body: (KeySnapshot) throws -> Void) throws {
        var passes = 0
        while true {
            let file = try DurableFile(path: path, mode: .read)
            passes += 1
            let isLast = passes > mostPasses
            let snapshot: KeySnapshot? = try file.locked {
                // The file may have been replaced before the lock was acquired.
                guard DurableFile.identity(of: path) == file.identity else { return nil }
                let snapshot = try KeySnapshot(file)
                if isLast { try body(snapshot) }
                return snapshot
            }
            guard let snapshot else { continue }
            if isLast { return }
            try body(snapshot)
            if DurableFile.identity(of: path) == file.identity, try snapshot.hasAllErasures(of: file) { return }
        }
    }

    private static let mostPasses = 5

    /// Returns the header with zeros in place of the bytes that change.
    private static func header(of source: KeySnapshot, _ journal: UUID) throws -> [UInt8] {
        let header = source.read(at: 0, count: KeyFile.slotLength)
        guard header.count == KeyFile.slotLength, header.starts(with: KeyFile.magic),
            KeyFile.uuid(in: header, at: 8) == journal
        else { throw EventLogError(.damaged, "\(source.path) is not the key file of this journal") }
        return header[..<identity] + [UInt8](repeating: 0, count: KeyFile.slotLength - identity)
    }

    private mutating func update(_ copy: DurableFile, from source: KeySnapshot, held: Int) throws {
        let end = source.size - source.size % KeyFile.slotLength
        guard held <= end else {
            throw EventLogError(.damaged, "the journal's key file is shorter than before; restore it from the backup")
        }
        for start in stride(from: KeyFile.slotLength, to: end, by: BackupKeys.chunk) {
            let count = min(BackupKeys.chunk, end - start)
            let (new, old) = try (source.read(at: start, count: count), copy.read(at: start, count: count))
            guard new.count == count else { throw EventLogError(.damaged, "\(source.path) ends too early") }
            if new == old, !new.contains(destroyedIn: 0..<count) { continue }
            try updateSlots(new, old, at: start, held: held, in: copy)
        }
        if copy.size > end { try copy.truncate(to: end) }
        try copy.sync()
        copy.forget()
        for start in stride(from: KeyFile.slotLength, to: end, by: BackupKeys.chunk) {
            let count = min(BackupKeys.chunk, end - start)
            guard try copy.read(at: start, count: count) == source.read(at: start, count: count).cleaned else {
                throw EventLogError(.damaged, "\(copy.path) does not return what was written to it; use another disk")
            }
        }
        byteCount = end
    }

    private mutating func updateSlots(_ new: [UInt8], _ old: [UInt8], at start: Int, held: Int, in copy: DurableFile)
        throws
    {
        for offset in stride(from: 0, to: new.count, by: KeyFile.slotLength) {
            let range = offset..<(offset + KeyFile.slotLength)
            let slot = Array(new[range]).cleaned
            if slot[0] == KeyFile.State.erased { erased.insert(KeyFile.subject(of: slot[...])) }
            let known = range.upperBound <= old.count ? Array(old[range]) : []
            if slot == known { continue }
            if start + range.upperBound <= held {
                try BackupKeys.require(slot, mayReplace: known, at: (start + offset) / KeyFile.slotLength)
                if KeyFile.isDestroyed(slot[0]) { erasedNow += 1 }
            } else {
                added += 1
            }
            try copy.write(slot, at: start + offset, isSynced: false)
        }
    }

    /// Throws if a slot of the backup would get another key.
    ///
    /// A slot may become erased or change its state, unless it is erased already. A slot that is unfinished or empty
    /// may be replaced.
    private static func require(_ slot: [UInt8], mayReplace known: [UInt8], at number: Int) throws(EventLogError) {
        guard known.count == KeyFile.slotLength else {
            throw EventLogError(
                .damaged,
                "the backup's key file ends before key \(number), which it contained; back up into another folder"
            )
        }
        let isSame = slot[8..<84] == known[8..<84]
        let wasCutOff = known[0] == KeyFile.State.unfinished || known.allSatisfy { $0 == 0 }
        let isDestroyed = KeyFile.isDestroyed(slot[0]) && slot[8..<24] == known[8..<24]
        guard isDestroyed || wasCutOff || isSame && !KeyFile.isDestroyed(known[0]) else {
            throw EventLogError(
                .damaged,
                "key \(number) of the journal differs from the backup's, so one of them is damaged; if the journal is "
                    + "undamaged, back up into another folder; otherwise replace its key file with the backup's"
            )
        }
    }
}

extension [UInt8] {
    /// The slots, where one whose key is destroyed contains only its state and its subject.
    fileprivate var cleaned: [UInt8] {
        guard contains(destroyedIn: 0..<count) else { return self }
        return stride(from: 0, to: count, by: KeyFile.slotLength)
            .flatMap { start in
                let slot = Array(self[start..<Swift.min(start + KeyFile.slotLength, count)])
                guard slot.count == KeyFile.slotLength, KeyFile.isDestroyed(slot[0]) else { return slot }
                return KeyFile.destroyedSlot(slot[0], subject: KeyFile.subject(of: slot[...]))
            }
    }

    fileprivate func contains(destroyedIn range: Range<Int>) -> Bool {
        stride(from: range.lowerBound, to: range.upperBound, by: KeyFile.slotLength)
            .contains { KeyFile.isDestroyed(self[$0]) }
    }
}
