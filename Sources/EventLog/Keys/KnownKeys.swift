internal import Crypto
internal import FoundationEssentials

/// What a key file says, as far as it was read.
///
/// A journal is opened without opening its keys: of each that is marked live only its place is kept, until it is asked for.
struct KnownKeys {
    private var keys: [UUID: SymmetricKey] = [:]
    /// The slots of the keys that were not asked for yet.
    private var unopened: [UUID: Int] = [:]
    /// Subjects whose data nobody may read any more: erased, or about to be.
    private(set) var erased: Set<UUID> = []
    /// Those among them whose key is shut off and not destroyed, and where the log ended then.
    private(set) var condemned: [UUID: UInt64] = [:]
    private(set) var slotsRead = 0
    /// Subjects whose key is there, but not yet marked so: the slot's number.
    private(set) var unfinished: [UUID: Int] = [:]
    private(set) var damaged: Set<UUID> = []
    /// Slots to look at again.
    private var unreadable: Set<Int> = []

    /// The key of a subject, as far as the file was read.
    mutating func key(of subject: UUID, in file: OpenKeyFile) throws(EventLogError) -> SymmetricKey? {
        if let key = keys[subject] { return key }
        guard let number = unopened[subject] else { return nil }
        let slot = try file.slot(number)
        unopened[subject] = nil
        take(slot[...], number: number, file)
        if keys[subject] == nil, !erased.contains(subject) {
            // What was live once, and is neither that nor erased, is damaged whatever it says now, and looked at again.
            damaged.insert(subject)
            unopened[subject] = number
        }
        return keys[subject]
    }

    /// Opens all that was read, so that what is damaged is known.
    mutating func openAll(in file: OpenKeyFile) throws(EventLogError) {
        for subject in Array(unopened.keys) { _ = try key(of: subject, in: file) }
    }

    /// The key of each subject; nil if any has none that is marked live.
    mutating func liveKeys(of subjects: [UUID], in file: OpenKeyFile) throws(EventLogError) -> [SymmetricKey]? {
        var live: [SymmetricKey] = []
        live.reserveCapacity(subjects.count)
        for subject in subjects {
            guard let key = try key(of: subject, in: file), unfinished.isEmpty || unfinished[subject] == nil else {
                return nil
            }
            live.append(key)
        }
        return live
    }

    /// Reads the slots that this or another process has added since.
    mutating func refresh(from file: OpenKeyFile) throws(EventLogError) {
        // One that did not open may be just being written by another process, or may have been restored: it holds nothing
        // else up.
        damaged = []
        for number in unreadable { take(try file.slot(number)[...], number: number, file) }
        unopened.reserveCapacity(unopened.count + file.slotCount - slotsRead)
        try file.forEachSlot(from: slotsRead) { slot, number throws(EventLogError) in
            try takeNext(slot, number: number, file)
            slotsRead = number + 1
        }
    }

    /// A key was marked live.
    mutating func finished(_ subject: UUID) {
        unfinished[subject] = nil
    }

    /// Takes a slot behind those that were read.
    private mutating func takeNext(
        _ slot: ArraySlice<UInt8>,
        number: Int,
        _ file: OpenKeyFile
    ) throws(EventLogError) {
        let subject = KeyFile.subject(of: slot)
        guard KeyFile.isLive(slot), keys[subject] == nil, !erased.contains(subject), !damaged.contains(subject) else {
            return take(slot, number: number, file)
        }
        // Where two slots are of one subject, both are opened at once, to see which of them counts.
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
        case .condemned(let subject, let since):
            condemned[subject] = since
            shutOff(subject)
        case .erased(let subject, _):
            condemned[subject] = nil
            shutOff(subject)
        case .damaged(let subject):
            damaged.insert(subject)
            unreadable.insert(number)
        case .empty:
            unreadable.insert(number)
        }
    }

    /// One slot that says so shuts off all that name the subject.
    private mutating func shutOff(_ subject: UUID) {
        erased.insert(subject)
        keys[subject] = nil
        unopened[subject] = nil
        unfinished[subject] = nil
    }
}
