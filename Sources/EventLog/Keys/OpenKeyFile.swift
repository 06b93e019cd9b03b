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

    /// The slots from a number on, and perhaps a part of one.
    func slots(from number: Int) throws(EventLogError) -> [UInt8] {
        let start = KeyFile.offset(of: number)
        do throws(LMDBError) {
            return try file.read(at: start, count: max(0, file.size - start))
        } catch {
            throw EventLogError(error)
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
        let bytes = try slots(from: 0)
        return (0..<(bytes.count / KeyFile.slotLength))
            .compactMap { number in
                let slot = Array(bytes[(number * KeyFile.slotLength)...].prefix(KeyFile.slotLength))
                guard slot[0] != 0 else { return nil }
                let subject = KeyFile.subject(of: slot)
                return subjects.contains(subject) ? (subject, number) : nil
            }
    }

    static var rotated: EventLogError {
        EventLogError(.masterKeyWrong, "the journal has got a new master key meanwhile; start again with that one")
    }
}
