internal import Crypto
package import FoundationEssentials
internal import Platform

/// Erasure of keys: a key is first disabled, and destroyed once the log contains the erasure.
extension KeyStore {
    /// A key that is disabled but not destroyed: its subject, and the log's head when it was disabled.
    struct MarkedKey: Hashable {
        let subject: UUID
        let since: UInt64
    }

    /// Disables a subject's key immediately and for every process; `restore` undoes this.
    func markForErasure(_ subject: UUID, since head: UInt64) throws(EventLogError) {
        try changing { file in
            for (_, slot) in try file.numbers(of: [subject]) {
                let start = KeyFile.offset(of: slot)
                var position: [UInt8] = []
                position.append(littleEndian: head)
                try file.file.write(position, at: start + KeyFile.positionOffset)
                try file.file.write([KeyFile.State.markedForErasure], at: start)
            }
        }
    }

    /// Restores a subject's key that is disabled and not destroyed.
    func restore(_ subject: UUID) throws(EventLogError) {
        try changing { file in
            for (_, slot) in try file.numbers(of: [subject])
            where try file.slot(slot)[0] == KeyFile.State.markedForErasure {
                try file.file.write([KeyFile.State.live], at: KeyFile.offset(of: slot))
            }
        }
    }

    /// Overwrites the keys of subjects in place, so that the data sealed with them can never be opened again.
    ///
    /// A subject without a key is marked erased too, and never gets one.
    package func destroy(_ subjects: Set<UUID>) throws(EventLogError) {
        guard !subjects.isEmpty else { return }
        try changing { file in
            let found = try KeyStore.overwrite(subjects, KeyFile.State.erased, file)
            let missing = subjects.subtracting(found).sorted { $0.uuidString < $1.uuidString }
            let end = file.slotCount
            for (place, subject) in missing.enumerated() {
                let bytes = KeyFile.erasedSlot(subject: subject)
                try file.file.write(bytes, at: KeyFile.offset(of: end + place), isSynced: false)
            }
            try file.file.sync()
        }
    }

    /// Reports whether an entry's key has a slot of its own, or cannot be derived any more.
    func isSeparate(_ entry: UUID, of record: UUID) throws(EventLogError) -> Bool {
        try withKnown("nothing can be erased without the master key") { known, file throws(EventLogError) in
            // Without a present root, no entry shares its root with others.
            guard case .key = try known.find(known.newestRoot(idOf: record), in: file) else { return true }
            let slot = EntryKeys.slot(of: entry, in: record)
            // An erased slot does not mean that: the root may have been restored from a backup.
            return try known.newKey(of: entry, in: record, file)?.slot == slot
        }
    }

    /// Reports whether a record has, or had, a root for the keys of its entries.
    func hasEntryKeys(of record: UUID) throws(EventLogError) -> Bool {
        try withKnown("nothing can be erased without the master key") { known, file throws(EventLogError) in
            try known.hasRoot(of: record, in: file)
        }
    }

    /// Gives each of a record's entries a slot of its own, and destroys the root of their keys.
    ///
    /// Afterwards the key of one entry can be destroyed. `entries` are all entries that have events; the caller holds
    /// the log's write lock, so that no other entry gets any. Nothing else changes: the keys stay the same.
    func separate(_ entries: Set<UUID>, of record: UUID) throws(EventLogError) {
        try changing { file in
            var known = try newestState(of: file)
            let root = known.newestRoot(idOf: record)
            guard case .key(let recordKey) = try known.find(record, in: file),
                case .key = try known.find(root, in: file)
            else { throw EventLogError(.subjectErased, "the data of this subject was erased") }
            var slots: [UUID: SymmetricKey] = [:]
            for entry in entries {
                let slot = EntryKeys.slot(of: entry, in: record)
                guard !known.erased.contains(slot), let new = try known.newKey(of: entry, in: record, file),
                    new.root == root
                else { continue }
                slots[slot] = EntryKeys.masked(new.key, of: entry, recordKey)
            }
            try KeyStore.addMissing(slots, &known, file)
            _ = try KeyStore.overwrite([root], KeyFile.State.retired, file)
            try file.file.sync()
        }
    }

    /// Destroys what an interruption left of roots that are no longer used.
    func retire(_ roots: Set<UUID>) throws(EventLogError) {
        guard !roots.isEmpty else { return }
        try changing { file in
            _ = try KeyStore.overwrite(roots, KeyFile.State.retired, file)
            try file.file.sync()
        }
    }

    /// Overwrites the slots of subjects, without a sync at the end, and returns the subjects that have any.
    private static func overwrite(_ subjects: Set<UUID>, _ state: UInt8, _ file: OpenKeyFile) throws -> Set<UUID> {
        let found = try file.numbers(of: subjects)
        // The state byte is written first: if a crash interrupts the rest, the key already counts as destroyed.
        for (_, slot) in found { try file.file.write([state], at: KeyFile.offset(of: slot)) }
        for (subject, slot) in found {
            let bytes = KeyFile.destroyedSlot(state, subject: subject)
            try file.file.write(bytes, at: KeyFile.offset(of: slot), isSynced: false)
        }
        return Set(found.map(\.subject))
    }

    /// What interrupted erasures left in the key file.
    struct Interrupted {
        /// Keys that are disabled.
        var markedForErasure: [MarkedKey] = []
        /// Erased subjects whose slots still contain remains of a key.
        var remains: Set<UUID> = []
        /// Roots that are no longer used, whose slots still contain remains of a key.
        var roots: Set<UUID> = []
    }

    func interruptedErasures() throws(EventLogError) -> Interrupted {
        try withState("") { _, file throws(EventLogError) in
            var found = Interrupted()
            try file.forEachSlot { slot, _ in
                guard let state = slot.first, state == KeyFile.State.markedForErasure || KeyFile.isDestroyed(state)
                else { return }
                switch KeyFile.read(slot, journal: file.journal, master: file.master) {
                case .markedForErasure(let subject, let since):
                    found.markedForErasure.append(MarkedKey(subject: subject, since: since))
                case .erased(let subject, let isClean) where !isClean: found.remains.insert(subject)
                case .retired(let root, let isClean) where !isClean: found.roots.insert(root)
                default: break
                }
            }
            return found
        }
    }

    /// Runs `body` with exclusive write access to the file, and makes all processes reread it, even if `body` throws.
    private func changing(
        _ body: (OpenKeyFile) throws -> Void
    ) throws(EventLogError) {
        try changing("nothing can be erased without the master key", in: .reserved) { file in
            try noting(file) { try body(file) }
        }
    }
}
