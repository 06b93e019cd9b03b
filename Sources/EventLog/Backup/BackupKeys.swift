internal import FoundationEssentials
internal import LMDB

/// The key file of a backup: the journal's, slot by slot, where each slot stays in its place.
struct BackupKeys {
    private(set) var added = 0
    private(set) var erasedNow = 0
    private(set) var byteCount = 0
    /// Subjects whose key is gone for good.
    private(set) var erased: Set<UUID> = []

    private static let identity = 40
    private static let chunk = KeyFile.slotLength * 8_192

    /// Brings the copy up to date with the journal's key file, of which no other process changes a slot meanwhile.
    ///
    /// `held` bytes of the copy belong to the backup as it is; what is behind them was left by a run that was cut off.
    init(
        updating path: String,
        from original: String,
        journal: UUID,
        held: Int
    ) throws(EventLogError) {
        do {
            try BackupKeys.whileUnchanged(original) { source in
                let header = try BackupKeys.header(of: source, journal)
                if let copy = try? DurableFile(path: path, mode: .readWrite),
                    try copy.read(at: 0, count: header.count) == header
                {
                    try update(copy, from: source, held: held)
                } else {
                    // The first, or one under another master key: nothing of the old one can stay.
                    let old = try? DurableFile(path: path, mode: .readWrite)
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

    private static func whileUnchanged(_ path: String, _ body: (DurableFile) throws -> Void) throws {
        while true {
            let file = try DurableFile(path: path, mode: .read)
            let isDone = try file.locked {
                // Another may have taken its place before the lock was there.
                guard DurableFile.identity(of: path) == file.identity else { return false }
                try body(file)
                return true
            }
            if isDone { return }
        }
    }

    /// The header without what changes in it.
    private static func header(of source: DurableFile, _ journal: UUID) throws -> [UInt8] {
        let header = try source.read(at: 0, count: KeyFile.slotLength)
        guard header.count == KeyFile.slotLength, header.starts(with: KeyFile.magic),
            KeyFile.uuid(in: header, at: 8) == journal
        else { throw EventLogError(.damaged, "\(source.path) is not the key file of this journal") }
        return header[..<identity] + [UInt8](repeating: 0, count: KeyFile.slotLength - identity)
    }

    private mutating func update(_ copy: DurableFile, from source: DurableFile, held: Int) throws {
        let end = source.size - source.size % KeyFile.slotLength
        guard held <= end else {
            throw EventLogError(.damaged, "the journal's key file is shorter than it was; restore it from the backup")
        }
        for start in stride(from: KeyFile.slotLength, to: end, by: BackupKeys.chunk) {
            let count = min(BackupKeys.chunk, end - start)
            let (new, old) = try (source.read(at: start, count: count), copy.read(at: start, count: count))
            guard new.count == count else { throw EventLogError(.damaged, "\(source.path) ends too early") }
            if new == old, !new.contains(erasedIn: 0..<count) { continue }
            try updateSlots(new, old, at: start, held: held, in: copy)
        }
        if copy.size > end { try copy.truncate(to: end) }
        try copy.sync()
        copy.forget()
        for start in stride(from: KeyFile.slotLength, to: end, by: BackupKeys.chunk) {
            let count = min(BackupKeys.chunk, end - start)
            guard try copy.read(at: start, count: count) == source.read(at: start, count: count).cleaned else {
                throw EventLogError(.damaged, "\(copy.path) does not keep what is written to it; use another disk")
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
                if slot[0] == KeyFile.State.erased { erasedNow += 1 }
            } else {
                added += 1
            }
            try copy.write(slot, at: start + offset, isSynced: false)
        }
    }

    /// A key that the backup has changes in one way only: it is erased.
    private static func require(_ slot: [UInt8], mayReplace known: [UInt8], at number: Int) throws(EventLogError) {
        guard known.count == KeyFile.slotLength else {
            throw EventLogError(
                .damaged,
                "the backup's key file ends before key \(number), which it had; back up into another folder"
            )
        }
        let isSame = slot[8..<84] == known[8..<84]
        let wasCutOff = known[0] == KeyFile.State.unfinished || known.allSatisfy { $0 == 0 }
        let isErased = slot[0] == KeyFile.State.erased && slot[8..<24] == known[8..<24]
        guard isErased || wasCutOff || isSame && known[0] != KeyFile.State.erased else {
            throw EventLogError(
                .damaged,
                "key \(number) of the journal is another than in the backup, so one of them is damaged; if all is well with "
                    + "the journal, back up into another folder, else put the backup's key file in its place"
            )
        }
    }
}

extension [UInt8] {
    /// Slots, with nothing left in those that were erased.
    fileprivate var cleaned: [UInt8] {
        guard contains(erasedIn: 0..<count) else { return self }
        return stride(from: 0, to: count, by: KeyFile.slotLength)
            .flatMap { start in
                let slot = Array(self[start..<Swift.min(start + KeyFile.slotLength, count)])
                guard slot.count == KeyFile.slotLength, slot[0] == KeyFile.State.erased else { return slot }
                return KeyFile.erasedSlot(subject: KeyFile.subject(of: slot[...]))
            }
    }

    fileprivate func contains(erasedIn range: Range<Int>) -> Bool {
        stride(from: range.lowerBound, to: range.upperBound, by: KeyFile.slotLength)
            .contains { self[$0] == KeyFile.State.erased }
    }
}
