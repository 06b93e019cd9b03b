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
            let found = try file.numbers(of: subjects)
            // The state byte is written first: if a crash interrupts the rest, the slot already counts as erased.
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

    /// Returns what interrupted erasures left: disabled keys, and erased subjects whose slots still contain remains of
    /// a key.
    func interruptedErasures() throws(EventLogError) -> (markedForErasure: [MarkedKey], remains: Set<UUID>) {
        try withState("") { _, file throws(EventLogError) in
            var markedForErasure: [MarkedKey] = []
            var remains: Set<UUID> = []
            try file.forEachSlot { slot, _ in
                guard slot.first == KeyFile.State.markedForErasure || slot.first == KeyFile.State.erased else { return }
                switch KeyFile.read(slot, journal: file.journal, master: file.master) {
                case .markedForErasure(let subject, let since):
                    markedForErasure.append(MarkedKey(subject: subject, since: since))
                case .erased(let subject, let isClean) where !isClean: remains.insert(subject)
                default: break
                }
            }
            return (markedForErasure, remains)
        }
    }

    /// Runs `body` with exclusive write access to the file, and makes all processes reread it, even if `body` throws.
    private func changing(
        _ body: (OpenKeyFile) throws -> Void
    ) throws(EventLogError) {
        try changing("nothing can be erased without the master key") { file in
            defer { noteChange(of: file) }
            try body(file)
        }
    }
}
