package import FoundationEssentials

/// Erasures that the log records although the key file does not: it is older than they are.
///
/// That happens when somebody puts a copy of the key file back.
package struct UndoneErasures: Hashable, Sendable {
    package var subjects: Set<UUID> = []
    package var entries: [ErasedEntry] = []

    package var isEmpty: Bool { subjects.isEmpty && entries.isEmpty }
    package var count: Int { subjects.count + entries.count }
}

extension EventLog {
    /// Returns the erasures that the key file lacks; none without the master key.
    ///
    /// Reads the headers of the whole log. Throws if the key file cannot be read.
    package func undoneErasures() throws(EventLogError) -> UndoneErasures {
        var undone = UndoneErasures()
        guard keys.hasMasterKey else { return undone }
        var known: Set<UUID> = []
        do {
            try forEachFrame(through: head()) { frame in
                guard let slot = EventLog.erasure(by: frame), known.insert(slot).inserted else { return true }
                if frame.type == EventLog.entryErasedType {
                    let (record, entry) = (frame.subject, frame.entry)
                    if try state({ () throws(EventLogError) in try keys.key(forEntry: entry, of: record) }) == .present
                    {
                        undone.entries.append(ErasedEntry(record: record, entry: entry, kind: frame.kind))
                    }
                } else {
                    switch try state({ () throws(EventLogError) in try keys.key(for: slot) }) {
                    case .present: undone.subjects.insert(slot)
                    // The copy was made before the subject had a key. A mirror has no key of what was erased before.
                    case .missing: if !isMirror { undone.subjects.insert(slot) }
                    case .erased: break
                    }
                }
                return true
            }
        } catch {
            throw EventLogError(error, "the erasures of the log cannot be compared with the key file")
        }
        return undone
    }

    /// Returns the subjects whose data nobody erased and nobody can read, because the key file lacks their keys; none
    /// without the master key, and none of a mirror, which has the keys of some subjects only.
    ///
    /// Reads the headers of the whole log. Throws if the key file cannot be read.
    package func subjectsWithoutKeys() throws(EventLogError) -> Set<UUID> {
        guard keys.hasMasterKey, !isMirror else { return [] }
        var (subjects, records, erased): (Set<UUID>, Set<UUID>, Set<UUID>) = ([], [], [])
        var missing: Set<UUID> = []
        do {
            try forEachFrame(through: head()) { frame in
                if frame.type == EventLog.erasedType { erased.insert(frame.entry) }
                let (subject, entry) = (frame.subject, frame.entry)
                var state = KeyState.present
                if frame.isSealedByEntry {
                    // The entries of a record share a key, unless one of them was erased.
                    guard records.insert(subject).inserted else { return true }
                    state = try self.state { () throws(EventLogError) in try keys.key(forEntry: entry, of: subject) }
                } else {
                    guard subjects.insert(subject).inserted else { return true }
                    state = try self.state { () throws(EventLogError) in try keys.key(for: subject) }
                }
                if state == .missing { missing.insert(subject) }
                return true
            }
        } catch {
            throw EventLogError(error, "the subjects of the log cannot be compared with the key file")
        }
        return missing.subtracting(erased)
    }

    private enum KeyState { case present, missing, erased }

    private func state<Key>(_ key: () throws(EventLogError) -> Key) throws(EventLogError) -> KeyState {
        do {
            _ = try key()
            return .present
        } catch {
            switch error.code {
            case .subjectErased: return .erased
            case .damaged: return .missing
            default: throw error
            }
        }
    }

    /// Repeats the erasures that the key file lacks, also of the attachments, and returns them.
    package func repeatErasures() throws(EventLogError) -> UndoneErasures {
        guard let erasures else { throw EventLogError(.readOnly, "the log was opened read-only") }
        let undone = try undoneErasures()
        // The entries are erased even if the attachments of a subject cannot be removed.
        let subjects = Result { () throws(EventLogError) in try erasures.finish(undone.subjects) }
        try destroy(undone.entries)
        try subjects.get()
        return undone
    }
}
