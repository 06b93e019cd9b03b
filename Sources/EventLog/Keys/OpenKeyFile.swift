internal import FoundationEssentials
internal import Glibc
internal import LMDB
internal import Platform

/// An open key file, with the master key that fits it.
final class OpenKeyFile {
    let path: String
    let file: DurableFile
    let journal: UUID
    let master: MasterKey
    /// The file mapped into memory, whose header all processes share.
    private let shared: MappedFile
    private let isReadOnly: Bool

    init(path: String, journal: UUID, master: MasterKey, isReadOnly: Bool) throws(EventLogError) {
        let header: [UInt8]
        do throws(StorageError) {
            file = try DurableFile(path: path, mode: isReadOnly ? .read : .readWrite)
            header = try file.read(at: 0, count: KeyFile.slotLength)
        } catch {
            throw OpenKeyFile.unreadable(path, error)
        }
        guard !header.isEmpty else {
            throw EventLogError(.damaged, "the key file \(path) is empty. \(KeyFile.remedy)")
        }
        guard header.count == KeyFile.slotLength, header.starts(with: KeyFile.magic) else {
            throw EventLogError(
                .damaged,
                "\(path) is not a key file, or its beginning is damaged. \(KeyFile.remedy)"
            )
        }
        guard KeyFile.uuid(in: header, at: 8) == journal else {
            throw EventLogError(.damaged, "\(path) is the key file of another journal. \(KeyFile.remedy)")
        }
        guard KeyFile.fingerprint(in: header) == master.fingerprint else {
            throw EventLogError(
                .masterKeyWrong,
                "this master key does not belong to this journal; name the right one with --master-key-file"
            )
        }
        do throws(StorageError) {
            shared = try MappedFile(file, isReadOnly: isReadOnly)
        } catch {
            throw EventLogError(error)
        }
        (self.path, self.journal, self.master, self.isReadOnly) = (path, journal, master, isReadOnly)
    }

    private static func unreadable(_ path: String, _ error: StorageError) -> EventLogError {
        // What says nothing about the file itself, such as a permission, a limit or a disk that fails, has its own remedy.
        let (isMissing, isOther) =
            switch error.code {
            case .other(ENOENT): (true, false)
            case .other(EISDIR), .isFolder, .notAFile, .symbolicLink: (false, true)
            default: (false, false)
            }
        guard isMissing || isOther else { return EventLogError(error) }
        let what = isMissing ? "there is no key file at \(path)" : "the key file cannot be read: \(error)"
        return EventLogError(isMissing ? .storage : .damaged, "\(what). \(KeyFile.remedy)")
    }

    /// The change counter, which every process that disables, restores or erases keys increments.
    var changes: UInt64 { shared[word: KeyFile.changesWord] }

    /// Makes all processes reread the file at each use, until `endChange`; returns the count for that call.
    func beginChange() -> UInt64 {
        let before = changes
        shared[word: KeyFile.changesWord] = KeyFile.changing
        return before
    }

    /// Makes all processes reread the file once more.
    ///
    /// This also removes the mark of an interrupted change or rotation: the caller holds the lock, so the file is current.
    func endChange(_ before: UInt64) {
        let isUnknown = before >= KeyFile.changing - 1
        // After an interruption, the last count is unknown.
        shared[word: KeyFile.changesWord] = isUnknown ? UInt64.random(in: 1..<KeyFile.changing >> 1) : before + 1
    }

    /// Makes all processes cache keys again, if a process was interrupted while it changed keys.
    ///
    /// Does nothing while a process changes keys. The caller makes sure that no other thread of this process does.
    func endInterruptedChange() {
        guard !isReadOnly else { return }
        // Keys that stay uncached cost time and nothing else; the next process that opens the file tries again.
        _ = try? file.lockedIfAvailable { if isCurrent, changes == KeyFile.changing { endChange(KeyFile.changing) } }
    }

    /// Makes all processes check whether another file has replaced this one.
    func noteSuperseded() {
        shared[word: KeyFile.changesWord] = KeyFile.superseded
    }

    /// Whether this is still the file at `path`.
    var isCurrent: Bool { DurableFile.identity(of: path) == file.identity }

    /// Runs `body` while no other process changes the file.
    func locked<Result>(_ body: () throws -> Result) throws(EventLogError) -> Result {
        do {
            return try file.locked {
                guard isCurrent else { throw OpenKeyFile.rotated }
                return try body()
            }
        } catch {
            throw EventLogError(error, "the key file cannot be written")
        }
    }

    /// The number of complete slots; a partial slot at the end does not count.
    var slotCount: Int { max(0, file.size / KeyFile.slotLength - 1) }

    /// The number of slots per read.
    private static let slotsAtOnce = 512

    /// Calls `body` with each slot, starting at the slot number `first`.
    func forEachSlot(
        from first: Int = 0,
        _ body: (_ slot: ArraySlice<UInt8>, _ number: Int) throws(EventLogError) -> Void
    ) throws(EventLogError) {
        let end = slotCount
        for number in stride(from: first, to: end, by: OpenKeyFile.slotsAtOnce) {
            let count = min(OpenKeyFile.slotsAtOnce, end - number)
            let bytes: [UInt8]
            do throws(StorageError) {
                bytes = try file.read(at: KeyFile.offset(of: number), count: count * KeyFile.slotLength)
            } catch {
                throw EventLogError(error)
            }
            for place in 0..<(bytes.count / KeyFile.slotLength) {
                let start = place * KeyFile.slotLength
                try body(bytes[start..<(start + KeyFile.slotLength)], number + place)
            }
        }
    }

    func slot(_ number: Int) throws(EventLogError) -> [UInt8] {
        do throws(StorageError) {
            return try file.read(at: KeyFile.offset(of: number), count: KeyFile.slotLength)
        } catch {
            throw EventLogError(error)
        }
    }

    /// Returns the numbers of all slots of the given subjects.
    func numbers(of subjects: Set<UUID>) throws(EventLogError) -> [(subject: UUID, slot: Int)] {
        var found: [(subject: UUID, slot: Int)] = []
        try forEachSlot { slot, number in
            let subject = KeyFile.subject(of: slot)
            if slot.first != 0, subjects.contains(subject) { found.append((subject, number)) }
        }
        return found
    }

    static var rotated: EventLogError {
        EventLogError(.masterKeyWrong, "the journal's master key was changed meanwhile; start again with the new one")
    }
}
