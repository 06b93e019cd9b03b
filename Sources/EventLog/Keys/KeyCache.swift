internal import Cipher
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
    /// The roots of keys of entries that are no longer used: see `EntryKeys`.
    private(set) var retired: Set<UUID> = []
    /// The subjects and slots of entries that the log records as erased, although the file has their keys.
    private let assumed: Set<UUID>
    /// The newest root of each record whose entries were requested.
    private var roots: [UUID: Root] = [:]

    private struct Root {
        let id: UUID
        /// Whether entries of an earlier root have slots of their own.
        let hasEarlier: Bool
        /// Nil until the keys of the record and of the root were found.
        var pair: SHA256Words?
    }

    /// Creates the cache of a file that was not read yet, and whose keys in `assumed` count as erased: see
    /// `EventLog.assumeErased`.
    init(assumingErased assumed: Set<UUID> = []) {
        self.assumed = assumed
        erased = assumed
    }

    /// What a key file has for a subject or an entry.
    enum Found {
        case key(SymmetricKey)
        case erased
        case missing
    }

    /// Returns what the file has for a subject, as far as it was read.
    mutating func find(_ subject: UUID, in file: OpenKeyFile) throws(EventLogError) -> Found {
        if let key = try key(of: subject, in: file) { return .key(key) }
        return erased.contains(subject) ? .erased : .missing
    }

    /// Returns what the file has for an entry, as far as it was read.
    mutating func find(_ entry: UUID, of record: UUID, in file: OpenKeyFile) throws(EventLogError) -> Found {
        switch try newKey(of: entry, in: record, file) {
        case .some(let new): return .key(new.key)
        case nil:
            let isErased = erased.contains(record) || erased.contains(EntryKeys.slot(of: entry, in: record))
            return isErased ? .erased : .missing
        }
    }

    /// Returns the key that seals events of an entry; nil if it is erased or the file lacks one of its parts.
    mutating func newKey(
        of entry: UUID,
        in record: UUID,
        _ file: OpenKeyFile
    ) throws(EventLogError) -> Sealing.NewKey? {
        if !assumed.isEmpty {
            guard !assumed.contains(record), !assumed.contains(EntryKeys.slot(of: entry, in: record)) else {
                return nil
            }
        }
        let root = newestRoot(of: record)
        if root.hasEarlier {
            let slot = EntryKeys.slot(of: entry, in: record)
            let masked = try key(of: slot, in: file)
            // The newest root never sealed anything of an entry that has a slot, whatever became of the slot.
            guard !erased.contains(slot), !damaged.contains(slot) else { return nil }
            // A slot that an interrupted separation left unfinished may not be on the disk: the root is still there.
            if let masked, unfinished[slot] == nil {
                guard let recordKey = try key(of: record, in: file) else { return nil }
                return Sealing.NewKey(key: EntryKeys.masked(masked, of: entry, recordKey), slot: slot)
            }
        }
        if let pair = root.pair { return Sealing.NewKey(key: EntryKeys.key(of: entry, pair), root: root.id) }
        guard let recordKey = try key(of: record, in: file) else { return nil }
        guard let rootKey = try key(of: root.id, in: file) else { return nil }
        let pair = EntryKeys.pair(recordKey, rootKey)
        roots[record]?.pair = pair
        return Sealing.NewKey(key: EntryKeys.key(of: entry, pair), root: root.id)
    }

    /// Throws `subjectErased` if an entry is erased.
    func requireUnerased(_ entry: UUID, of record: UUID) throws(EventLogError) {
        guard !erased.isEmpty, erased.contains(EntryKeys.slot(of: entry, in: record)) else { return }
        throw EventLogError(.subjectErased, "this entry was erased; nothing can be added to it")
    }

    /// Reports whether a record has, or had, a root.
    mutating func hasRoot(of record: UUID, in file: OpenKeyFile) throws(EventLogError) -> Bool {
        let root = newestRoot(of: record)
        if root.hasEarlier { return true }
        return try key(of: root.id, in: file) != nil
    }

    /// Returns the id of the root from which the keys of new entries of a record are derived.
    mutating func newestRoot(idOf record: UUID) -> UUID { newestRoot(of: record).id }

    private mutating func newestRoot(of record: UUID) -> Root {
        if let known = roots[record] { return known }
        var number: UInt64 = 0
        var id = EntryKeys.root(0, of: record)
        while retired.contains(id) {
            number += 1
            id = EntryKeys.root(number, of: record)
        }
        let root = Root(id: id, hasEarlier: number > 0, pair: nil)
        roots[record] = root
        return root
    }

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

    /// Reports whether all keys that an event needs are marked live.
    mutating func hasLiveKeys(for header: EventHeader, in file: OpenKeyFile) throws(EventLogError) -> Bool {
        // The pair of a root exists only if both of its keys do.
        if Sealing.needsRoot(header), unfinished.isEmpty, newestRoot(of: header.subject).pair != nil { return true }
        guard try isLive(header.subject, in: file) else { return false }
        guard Sealing.needsRoot(header) else { return true }
        return try isLive(newestRoot(of: header.subject).id, in: file)
    }

    /// Returns the key that seals an event, or nil if any key that it needs is not marked live.
    mutating func liveKey(for header: EventHeader, in file: OpenKeyFile) throws(EventLogError) -> Sealing.NewKey? {
        guard try hasLiveKeys(for: header, in: file) else { return nil }
        if Sealing.isByEntry(header) { return try newKey(of: header.entry, in: header.subject, file) }
        return try key(of: header.subject, in: file).map { Sealing.NewKey(key: $0) }
    }

    /// Reads the slots that were added since the last call, by any process, and rereads the unreadable and the unfinished
    /// ones.
    mutating func refresh(from file: OpenKeyFile) throws(EventLogError) {
        // A slot that did not open may have been incomplete while another process wrote it, or may have been restored
        // since. It does not keep the other slots from being read.
        damaged = []
        // A slot that was unfinished may be live by now, and the root whose place it takes retired.
        for number in Array(unreadable) + Array(unfinished.values) {
            take(try file.slot(number)[...], number: number, file)
        }
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
        case .retired(let root, _):
            retired.insert(root)
            // The root that was cached is no longer the newest one.
            roots = [:]
            (keys[root], unopened[root], unfinished[root]) = (nil, nil, nil)
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
        roots[subject] = nil
    }
}
