internal import Crypto
internal import FoundationEssentials

/// What a key file says, as far as it was read.
struct KnownKeys {
    private(set) var keys: [UUID: SymmetricKey] = [:]
    /// Subjects whose data nobody may read any more: erased, or about to be.
    private(set) var erased: Set<UUID> = []
    /// Those among them whose key is shut off and not destroyed, and where the log ended then.
    private(set) var condemned: [UUID: UInt64] = [:]
    private(set) var slotsRead = 0
    /// Subjects whose key is there, but not yet marked so: the slot's number.
    private(set) var unfinished: [UUID: Int] = [:]
    private(set) var damaged: Set<UUID> = []
    /// Slots to look at again.
    private(set) var unreadable: Set<Int> = []

    /// The key of each subject; nil if any has none that is marked live.
    func liveKeys(of subjects: [UUID]) -> [SymmetricKey]? {
        var live: [SymmetricKey] = []
        live.reserveCapacity(subjects.count)
        for subject in subjects {
            guard let key = keys[subject], unfinished.isEmpty || unfinished[subject] == nil else { return nil }
            live.append(key)
        }
        return live
    }

    /// Takes the slots behind those that were read; a part of one at the end is left.
    mutating func takeNext(_ bytes: [UInt8], journal: UUID, master: MasterKey) {
        var rest = bytes[...]
        while rest.count >= KeyFile.slotLength {
            take(rest.prefix(KeyFile.slotLength), number: slotsRead, journal: journal, master: master)
            slotsRead += 1
            rest = rest.dropFirst(KeyFile.slotLength)
        }
    }

    /// Looks again at slots that did not open.
    ///
    /// One may be just being written by another process, or may have been restored: it holds nothing else up.
    mutating func takeAgain(_ slots: [Int: [UInt8]], journal: UUID, master: MasterKey) {
        damaged = []
        for (number, slot) in slots { take(slot[...], number: number, journal: journal, master: master) }
    }

    /// A key was marked live.
    mutating func finished(_ subject: UUID) {
        unfinished[subject] = nil
    }

    private mutating func take(_ slot: ArraySlice<UInt8>, number: Int, journal: UUID, master: MasterKey) {
        unreadable.remove(number)
        guard slot.count == KeyFile.slotLength else {
            unreadable.insert(number)
            return
        }
        switch KeyFile.read(slot, journal: journal, master: master) {
        case .live(let subject, let key):
            unfinished[subject] = nil
            keys[subject] = erased.contains(subject) ? nil : key
        case .unfinished(let subject, let key) where !erased.contains(subject):
            keys[subject] = key
            unfinished[subject] = number
        case .unfinished: break
        case .condemned(let subject, let since):
            condemned[subject] = since
            erased.insert(subject)
            keys[subject] = nil
            unfinished[subject] = nil
        case .erased(let subject, _):
            condemned[subject] = nil
            // One slot that says so shuts off all that name the subject.
            erased.insert(subject)
            keys[subject] = nil
            unfinished[subject] = nil
        case .damaged(let subject):
            damaged.insert(subject)
            unreadable.insert(number)
        case .empty:
            unreadable.insert(number)
        }
    }
}
