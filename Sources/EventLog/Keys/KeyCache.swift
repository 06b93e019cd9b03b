internal import Crypto
internal import FoundationEssentials

/// The content of a key file, as far as it was read.
///
/// Opening a journal does not decrypt its keys: for each live slot, only its number is stored until its key is
/// requested.
struct KeyCache {
    private var keys: [UUID: SymmetricKey] = [:]
    /// The slot numbers of live keys that were not requested yet.
    private var unopened: [UUID: Int] = [:]
    /// Subjects whose keys are destroyed or disabled.
    private(set) var erased: Set<UUID> = []
    /// The subjects whose keys are disabled but not destroyed, with the log's head when they were disabled.
    private(set) var markedForErasure: [UUID: UInt64] = [:]
    private(set) var slotsRead = 0
    /// The slot numbers of subjects whose keys are written but not marked live.
    private(set) var unfinished: [UUID: Int] = [:]
    private(set) var damaged: Set<UUID> = []
    /// The numbers of empty, damaged or incomplete slots, which are reread by `refresh`.
    private var unreadable: Set<Int> = []

    /// Returns the key of a subject, as far as the file was read, or nil.
    mutating func key(of subject: UUID, in file: OpenKeyFile) throws(EventLogError) -> SymmetricKey? {
        if let key = keys[subject] { return key }
        guard let number = unopened[subject] else { return nil }
        let slot = try file.slot(number)
        unopened[subject] = nil
        take(slot[...], number: number, file)
        if keys[subject] == nil, !erased.contains(subject) {
            // A slot that was live and now neither opens nor is erased is damaged, whatever its state byte; it is
            // reread later.
            damaged.insert(subject)
            unopened[subject] = number
        }
        return keys[subject]
    }

    /// Opens all slots that were read, so that `damaged` is complete.
    mutating func openAll(in file: OpenKeyFile) throws(EventLogError) {
        for subject in Array(unopened.keys) { _ = try key(of: subject, in: file) }
    }

    /// Reports whether a subject has a key that is marked live.
    mutating func isLive(_ subject: UUID, in file: OpenKeyFile) throws(EventLogError) -> Bool {
        try key(of: subject, in: file) != nil && (unfinished.isEmpty || unfinished[subject] == nil)
    }

    /// Returns the key of each subject, or nil if any subject has no key that is marked live.
    mutating func liveKeys(of subjects: [UUID], in file: OpenKeyFile) throws(EventLogError) -> [SymmetricKey]? {
        var live: [SymmetricKey] = []
        live.reserveCapacity(subjects.count)
        for subject in subjects {
            guard try isLive(subject, in: file), let key = keys[subject] else { return nil }
            live.append(key)
        }
        return live
    }

    /// Reads the slots that were added since the last call, by any process, and rereads the unreadable ones.
    mutating func refresh(from file: OpenKeyFile) throws(EventLogError) {
        // A slot that did not open may have been incomplete while another process wrote it, or may have been restored
        // since. It does not keep the other slots from being read.
        damaged = []
        for number in unreadable { take(try file.slot(number)[...], number: number, file) }
        unopened.reserveCapacity(unopened.count + file.slotCount - slotsRead)
        try file.forEachSlot(from: slotsRead) { slot, number throws(EventLogError) in
            try takeNext(slot, number: number, file)
            slotsRead = number + 1
        }
    }

    /// Records that the key of a subject was marked live.
    mutating func finished(_ subject: UUID) {
        unfinished[subject] = nil
    }

    /// Adds the next slot after those that were read.
    private mutating func takeNext(
        _ slot: ArraySlice<UInt8>,
        number: Int,
        _ file: OpenKeyFile
    ) throws(EventLogError) {
        let subject = KeyFile.subject(of: slot)
        guard KeyFile.isLive(slot), keys[subject] == nil, !erased.contains(subject), !damaged.contains(subject) else {
            return take(slot, number: number, file)
        }
        // If two slots have the same subject, both are opened immediately, to find out which one is valid.
        if let earlier = unopened.updateValue(number, forKey: subject) {
            unopened[subject] = earlier
            _ = try key(of: subject, in: file)
            take(slot, number: number, file)
        }
    }

    private mutating func take(_ slot: ArraySlice<UInt8>, number: Int, _ file: OpenKeyFile) {
        unreadable.remove(number)
        guard slot.count == KeyFile.slotLength else {
            unreadable.insert(number)
            return
        }
        switch KeyFile.read(slot, journal: file.journal, master: file.master) {
        case .live(let subject, let key):
            unfinished[subject] = nil
            unopened[subject] = nil
            keys[subject] = erased.contains(subject) ? nil : key
        case .unfinished(let subject, let key) where !erased.contains(subject):
            unopened[subject] = nil
            keys[subject] = key
            unfinished[subject] = number
        case .unfinished: break
        case .markedForErasure(let subject, let since):
            markedForErasure[subject] = since
            disable(subject)
        case .erased(let subject, _):
            markedForErasure[subject] = nil
            disable(subject)
        case .damaged(let subject):
            damaged.insert(subject)
            unreadable.insert(number)
        case .empty:
            unreadable.insert(number)
        }
    }

    /// Disables the subject in all its slots; one slot that is erased or marked for erasure is enough.
    private mutating func disable(_ subject: UUID) {
        erased.insert(subject)
        keys[subject] = nil
        unopened[subject] = nil
        unfinished[subject] = nil
    }
}
