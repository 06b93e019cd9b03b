package import FoundationEssentials
internal import LMDB

/// Taking keys away: first shut off, then, when the log says so, for good.
extension KeyStore {
    /// A key that is shut off but not destroyed: whose, and where the log ended then.
    struct Condemned: Hashable {
        let subject: UUID
        let since: UInt64
    }

    /// Shuts a subject's data off, at once and for every process; `restore` takes it back.
    func condemn(_ subject: UUID, since head: UInt64) throws(EventLogError) {
        try changing { file in
            for (_, slot) in try file.numbers(of: [subject]) {
                let start = KeyFile.offset(of: slot)
                var position: [UInt8] = []
                position.append(littleEndian: head)
                try file.file.write(position, at: start + KeyFile.positionOffset)
                try file.file.write([KeyFile.State.condemned], at: start)
            }
        }
    }

    /// Takes back what no event has made final.
    func restore(_ subject: UUID) throws(EventLogError) {
        try changing { file in
            for (_, slot) in try file.numbers(of: [subject]) where try file.slot(slot)[0] == KeyFile.State.condemned {
                try file.file.write([KeyFile.State.live], at: KeyFile.offset(of: slot))
            }
        }
    }

    /// Overwrites the keys of subjects where they lie, so that nothing opens what was sealed with them.
    ///
    /// A subject that has none yet never gets one.
    package func destroy(_ subjects: Set<UUID>) throws(EventLogError) {
        guard !subjects.isEmpty else { return }
        try changing { file in
            let found = try file.numbers(of: subjects)
            // The word first: a slot that is cut off in the middle of the rest is erased all the same.
            for (_, slot) in found { try file.file.write([KeyFile.State.erased], at: KeyFile.offset(of: slot)) }
            for (subject, slot) in found {
                let bytes = KeyFile.erasedSlot(subject: subject)
                try file.file.write(bytes, at: KeyFile.offset(of: slot), isSynced: false)
            }
            let missing = subjects.subtracting(found.map(\.subject)).sorted { $0.uuidString < $1.uuidString }
            let end = file.slotCount
            for (place, subject) in missing.enumerated() {
                let bytes = KeyFile.erasedSlot(subject: subject)
                try file.file.write(bytes, at: KeyFile.offset(of: end + place), isSynced: false)
            }
            try file.file.sync()
        }
    }

    /// What an erasure that was cut off has left: keys that are shut off, and erased ones of which something is there.
    func unsettled() throws(EventLogError) -> (condemned: [Condemned], remains: Set<UUID>) {
        try withState("") { _, file throws(EventLogError) in
            var condemned: [Condemned] = []
            var remains: Set<UUID> = []
            try file.forEachSlot { slot, _ in
                guard slot.first == KeyFile.State.condemned || slot.first == KeyFile.State.erased else { return }
                switch KeyFile.read(slot, journal: file.journal, master: file.master) {
                case .condemned(let subject, let since):
                    condemned.append(Condemned(subject: subject, since: since))
                case .erased(let subject, let isClean) where !isClean: remains.insert(subject)
                default: break
                }
            }
            return (condemned, remains)
        }
    }

    /// Changes the file while nobody else does, and lets all processes look again, even when that fails midway.
    private func changing(_ body: (OpenKeyFile) throws -> Void) throws(EventLogError) {
        try withState("nothing can be erased without the master key") { _, file throws(EventLogError) in
            try file.locked {
                defer { file.noteChange() }
                try body(file)
            }
        }
    }
}
