package import Crypto
package import FoundationEssentials
internal import LMDB

/// The data keys of a journal's subjects, opened with the master key as they are needed.
package final class KeyStore: Sendable {
    private let journal: UUID
    /// Nil without a master key: then the key file is not even looked for.
    private let unlocked: Unlocked?
    private let state: Guarded<State>

    private struct Unlocked {
        let master: MasterKey
        let file: DurableFile
    }

    private struct State {
        var keys: [UUID: SymmetricKey] = [:]
        var erased: Set<UUID> = []
        var slotsRead = 0
        /// Subjects whose key is there, but not yet marked so: the slot's number.
        var unfinished: [UUID: Int] = [:]
        var damaged: Set<UUID> = []
        /// Slots to look at again.
        var unreadable: Set<Int> = []
    }

    /// Makes the key file of a new journal, under the log's write lock.
    static func create(in folder: JournalFolder, journal: UUID, master: MasterKey) throws(EventLogError) {
        do {
            try DurableFile.makeFolder(folder.keys)
            let path = path(in: folder)
            // One without a key was left by an attempt that was cut off.
            if try hasKeys(in: folder) {
                throw EventLogError(
                    .journalExists,
                    "\(path) holds the keys of a journal whose log is gone; put its log back, or move the file away"
                )
            }
            try DurableFile.replace(path, with: KeyFile.header(journal: journal, master: master))
        } catch let error as EventLogError {
            throw error
        } catch let error as LMDBError {
            throw EventLogError(error)
        } catch {
            throw EventLogError(.storage, "the key file cannot be made")
        }
    }

    /// Whether there is a key file with the key of any subject: of a journal that may hold events.
    static func hasKeys(in folder: JournalFolder) throws(LMDBError) -> Bool {
        let path = path(in: folder)
        guard DurableFile.exists(path) else { return false }
        return try DurableFile(path: path, mode: .read).size > KeyFile.slotLength
    }

    /// Opens the key file, if there is a master key; without one nothing can be opened or sealed.
    init(folder: JournalFolder, journal: UUID, master: MasterKey?, isReadOnly: Bool) throws(EventLogError) {
        self.journal = journal
        state = Guarded(State())
        guard let master else {
            unlocked = nil
            return
        }
        let file: DurableFile
        let header: [UInt8]
        do throws(LMDBError) {
            file = try DurableFile(path: KeyStore.path(in: folder), mode: isReadOnly ? .read : .readWrite)
            header = try file.read(at: 0, count: KeyFile.slotLength)
        } catch {
            throw EventLogError(error)
        }
        guard header.count == KeyFile.slotLength, header.starts(with: KeyFile.magic),
            KeyFile.uuid(in: header, at: 8) == journal
        else {
            throw EventLogError(.damaged, "\(KeyStore.path(in: folder)) is not the key file of this journal")
        }
        if Array(header[24..<40]) != master.fingerprint {
            throw EventLogError(.masterKeyWrong, "this master key is not the one of this journal")
        }
        unlocked = Unlocked(master: master, file: file)
    }

    /// Whether payloads can be opened at all.
    package var hasMasterKey: Bool { unlocked != nil }

    /// The key of a subject.
    package func key(for subject: UUID) throws(EventLogError) -> SymmetricKey {
        guard let unlocked else {
            throw EventLogError(.masterKeyMissing, "the payloads cannot be read without the master key")
        }
        let found: Result<SymmetricKey?, EventLogError> = state.withLock { state in
            if let key = state.keys[subject] { return .success(key) }
            do throws(EventLogError) {
                try refresh(&state, unlocked)
            } catch {
                return .failure(error)
            }
            if state.erased.contains(subject) {
                return .failure(EventLogError(.subjectErased, "the data of this subject was erased"))
            }
            return .success(state.keys[subject])
        }
        guard let key = try found.get() else {
            throw EventLogError(.damaged, "the key file lacks the key of a subject; restore it from a backup")
        }
        return key
    }

    /// Makes sure that each subject has a key, with one sync for all that are new.
    func ensure(_ subjects: Set<UUID>) throws(EventLogError) {
        guard let unlocked else {
            throw EventLogError(.masterKeyMissing, "nothing can be added without the master key")
        }
        let result: Result<Void, EventLogError> = state.withLock { state in
            do throws(EventLogError) {
                if subjects.allSatisfy({ state.keys[$0] != nil && state.unfinished[$0] == nil }) { return .success(()) }
                try addMissing(subjects, &state, unlocked)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func addMissing(_ subjects: Set<UUID>, _ state: inout State, _ unlocked: Unlocked) throws(EventLogError) {
        do {
            try unlocked.file.locked {
                try refresh(&state, unlocked)
                if subjects.contains(where: state.erased.contains) {
                    throw EventLogError(
                        .subjectErased,
                        "the data of this subject was erased; nothing can be added to it"
                    )
                }
                let missing = subjects.filter { state.keys[$0] == nil }
                // A second key would not open what was sealed with the first, and would stand in the way of its return.
                guard missing.isDisjoint(with: state.damaged) else {
                    throw EventLogError(.damaged, "the key of a subject is damaged; restore the key file from a backup")
                }
                if !missing.isEmpty {
                    var bytes: [UInt8] = []
                    for subject in missing {
                        let key = SymmetricKey(size: .bits256)
                        bytes += try KeyFile.slot(subject: subject, key: key, journal: journal, master: unlocked.master)
                    }
                    // A part of a slot that a crash left at the end is overwritten.
                    try unlocked.file.write(bytes, at: offset(of: state.slotsRead), isSynced: false)
                    try refresh(&state, unlocked)
                }
                try finish(subjects, &state, unlocked.file)
            }
        } catch let error as EventLogError {
            throw error
        } catch let error as LMDBError {
            throw EventLogError(error)
        } catch {
            throw EventLogError(.storage, "the key file cannot be written")
        }
    }

    /// Marks keys live: those that were just written, and those of a process that did not come so far.
    private func finish(
        _ subjects: Set<UUID>,
        _ state: inout State,
        _ file: DurableFile
    ) throws(EventLogError) {
        let slots = subjects.compactMap { state.unfinished[$0] }.sorted()
        guard let last = slots.last else { return }
        do throws(LMDBError) {
            // Before, so that a slot which is marked is whole; after, so that the mark stays.
            try file.sync()
            for slot in slots { try file.write([KeyFile.live], at: offset(of: slot), isSynced: slot == last) }
        } catch {
            throw EventLogError(error)
        }
        for subject in subjects { state.unfinished[subject] = nil }
    }

    private func offset(of slot: Int) -> Int { (1 + slot) * KeyFile.slotLength }

    /// Reads the slots that this or another process has added since.
    private func refresh(_ state: inout State, _ unlocked: Unlocked) throws(EventLogError) {
        let start = offset(of: state.slotsRead)
        let bytes: [UInt8]
        do throws(LMDBError) {
            bytes = try unlocked.file.read(at: start, count: max(0, unlocked.file.size - start))
        } catch {
            throw EventLogError(error)
        }
        // A slot that does not open may be just being written by another process, or may have been restored: it is looked
        // at again, and holds nothing else up.
        state.damaged = []
        for number in state.unreadable {
            let slot = try read(slot: number, unlocked.file)
            take(slot[...], number, &state, unlocked.master)
        }
        var rest = bytes[...]
        while rest.count >= KeyFile.slotLength {
            take(rest.prefix(KeyFile.slotLength), state.slotsRead, &state, unlocked.master)
            state.slotsRead += 1
            rest = rest.dropFirst(KeyFile.slotLength)
        }
    }

    private func take(_ slot: ArraySlice<UInt8>, _ number: Int, _ state: inout State, _ master: MasterKey) {
        state.unreadable.remove(number)
        guard slot.count == KeyFile.slotLength else {
            state.unreadable.insert(number)
            return
        }
        switch KeyFile.read(slot, journal: journal, master: master) {
        case .live(let subject, let key):
            state.keys[subject] = key
            state.unfinished[subject] = nil
        case .unfinished(let subject, let key):
            state.keys[subject] = key
            state.unfinished[subject] = number
        case .erased(let subject):
            state.keys[subject] = nil
            state.erased.insert(subject)
        case .damaged(let subject):
            state.damaged.insert(subject)
            state.unreadable.insert(number)
        case .empty:
            state.unreadable.insert(number)
        }
    }

    private func read(slot number: Int, _ file: DurableFile) throws(EventLogError) -> [UInt8] {
        do throws(LMDBError) {
            return try file.read(at: offset(of: number), count: KeyFile.slotLength)
        } catch {
            throw EventLogError(error)
        }
    }

    private static func path(in folder: JournalFolder) -> String { folder.keys + "/subjects" }
}
