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

    /// Returns the subjects of which something cannot be read although it was not erased: the key file lacks the key, or
    /// has another one.
    ///
    /// Nil without the master key, and for a mirror, which has the keys of some subjects only. Opens an event of each
    /// subject and of each entry. Throws if the key file cannot be read.
    package func unreadableSubjects() throws(EventLogError) -> Set<UUID>? {
        guard keys.hasMasterKey, !isMirror else { return nil }
        // By the id of the slot of its key, whose it is.
        var (tried, unreadable, erased): (Set<UUID>, [UUID: UUID], Set<UUID>) = ([], [:], [])
        do {
            try forEachFrame(through: head()) { frame in
                if let slot = EventLog.erasure(by: frame) { erased.insert(slot) }
                let subject = frame.subject
                let slot = frame.isSealedByEntry ? EntryKeys.slot(of: frame.entry, in: subject) : subject
                guard tried.insert(slot).inserted else { return true }
                do throws(EventLogError) {
                    _ = try open(frame)
                } catch {
                    switch error.code {
                    case .subjectErased: break
                    case .damaged, .keyRetired: unreadable[slot] = subject
                    default: throw error
                    }
                }
                return true
            }
        } catch {
            throw EventLogError(error, "the log cannot be compared with the key file")
        }
        return Set(unreadable.filter { !erased.contains($0.key) && !erased.contains($0.value) }.values)
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
