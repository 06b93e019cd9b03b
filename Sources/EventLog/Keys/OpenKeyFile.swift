internal import FoundationEssentials
internal import LMDB

/// A key file that is open with the master key that fits it.
final class OpenKeyFile {
    let path: String
    let file: DurableFile
    let journal: UUID
    let master: MasterKey
    /// The header as all processes share it.
    private let shared: MappedFile

    init(path: String, journal: UUID, master: MasterKey, isReadOnly: Bool) throws(EventLogError) {
        let header: [UInt8]
        do throws(LMDBError) {
            file = try DurableFile(path: path, mode: isReadOnly ? .read : .readWrite)
            header = try file.read(at: 0, count: KeyFile.slotLength)
        } catch {
            throw EventLogError(error)
        }
        guard header.count == KeyFile.slotLength, header.starts(with: KeyFile.magic),
            KeyFile.uuid(in: header, at: 8) == journal
        else {
            throw EventLogError(.damaged, "\(path) is not the key file of this journal")
        }
        guard KeyFile.fingerprint(in: header) == master.fingerprint else {
            throw EventLogError(
                .masterKeyWrong,
                "this master key is not the one of this journal; name the right one with --master-key-file"
            )
        }
        do throws(LMDBError) {
            shared = try MappedFile(file, isReadOnly: isReadOnly)
        } catch {
            throw EventLogError(error)
        }
        (self.path, self.journal, self.master) = (path, journal, master)
    }

    /// How often keys were taken away, by whichever process.
    var changes: UInt64 { shared[word: KeyFile.changesWord] }

    /// Lets all processes look again.
    func noteChange() {
        // A mark that an interrupted rotation left ends here, too: whoever holds the lock knows that the file is still this.
        shared[word: KeyFile.changesWord] = changes >= KeyFile.superseded - 1 ? 1 : changes + 1
    }

    /// Lets all processes see that another file takes this one's place.
    func noteSuperseded() {
        shared[word: KeyFile.changesWord] = KeyFile.superseded
    }

    /// Whether this is still the file of that name.
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

    /// How many whole slots there are; a part of one at the end is none.
    var slotCount: Int { max(0, file.size / KeyFile.slotLength - 1) }

    /// Slots that are read at once.
    private static let slotsAtOnce = 512

    /// Calls `body` with each slot from a number on.
    func forEachSlot(
        from first: Int = 0,
        _ body: (_ slot: ArraySlice<UInt8>, _ number: Int) throws(EventLogError) -> Void
    ) throws(EventLogError) {
        let end = slotCount
        for number in stride(from: first, to: end, by: OpenKeyFile.slotsAtOnce) {
            let count = min(OpenKeyFile.slotsAtOnce, end - number)
            let bytes: [UInt8]
            do throws(LMDBError) {
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
        do throws(LMDBError) {
            return try file.read(at: KeyFile.offset(of: number), count: KeyFile.slotLength)
        } catch {
            throw EventLogError(error)
        }
    }

    /// The numbers of all slots that name a subject.
    func numbers(of subjects: Set<UUID>) throws(EventLogError) -> [(subject: UUID, slot: Int)] {
        var found: [(subject: UUID, slot: Int)] = []
        try forEachSlot { slot, number in
            let subject = KeyFile.subject(of: slot)
            if slot.first != 0, subjects.contains(subject) { found.append((subject, number)) }
        }
        return found
    }

    static var rotated: EventLogError {
        EventLogError(.masterKeyWrong, "the journal has got a new master key meanwhile; start again with that one")
    }
}
