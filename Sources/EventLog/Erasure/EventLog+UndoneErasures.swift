package import FoundationEssentials

/// Erasures that the log records although the key file does not: it is older than they are.
///
/// That happens when an older copy of the key file is put back.
package struct UndoneErasures: Hashable, Sendable {
    package var subjects: Set<UUID> = []
    package var entries: [ErasedEntry] = []

    package var isEmpty: Bool { subjects.isEmpty && entries.isEmpty }
    package var count: Int { subjects.count + entries.count }

    /// The problem, and the remedy.
    package var sentence: String {
        """
        the key file is older than \(count == 1 ? "an erasure" : "\(count) erasures"), so that what was erased can be \
        read again; run: healthjournal keys erase-again
        """
    }

    package init(subjects: Set<UUID> = [], entries: [ErasedEntry] = []) {
        (self.subjects, self.entries) = (subjects, entries)
    }
}

extension EventLog {
    /// Returns the erasures that the key file lacks; none without the master key.
    ///
    /// Reads the headers of the whole log. Throws if the key file cannot be read.
    package func undoneErasures() throws(EventLogError) -> UndoneErasures {
        guard keys.hasMasterKey else { return UndoneErasures() }
        return try undone(among: erasures(after: 0))
    }

    /// Treats the erasures that the log records as done in this process, although the key file is older than they are;
    /// returns those whose keys the key file has.
    ///
    /// `recorded` are the erasures up to a position; the ones after it are found by reading the headers of the log.
    package func assumeErased(
        _ recorded: UndoneErasures,
        upTo position: UInt64
    ) throws(EventLogError) -> UndoneErasures {
        guard keys.hasMasterKey, !isMirror else { return UndoneErasures() }
        var all = try erasures(after: position, untilDamage: true)
        all.subjects.formUnion(recorded.subjects)
        all.entries += recorded.entries
        let erased = try keys.erased()
        all.subjects.subtract(erased)
        all.entries.removeAll { erased.contains(EntryKeys.slot(of: $0.entry, in: $0.record)) }
        guard !all.isEmpty else { return all }
        let undone = try undone(among: all)
        let slots = undone.entries.map { EntryKeys.slot(of: $0.entry, in: $0.record) }
        try keys.assumeErased(undone.subjects.union(slots))
        return undone
    }

    /// Returns those of some erasures that the key file lacks now.
    package func stillUndone(_ erasures: UndoneErasures) throws(EventLogError) -> UndoneErasures {
        erasures.isEmpty ? erasures : try undone(among: erasures)
    }

    /// Returns what the events after a position erase; with `untilDamage`, only those up to an event that cannot be read.
    private func erasures(after position: UInt64, untilDamage: Bool = false) throws(EventLogError) -> UndoneErasures {
        var found = UndoneErasures()
        var entries: Set<UUID> = []
        do {
            try forEachFrame(after: position, through: head()) { frame in
                guard let slot = EventLog.erasure(by: frame) else { return true }
                if frame.type != EventLog.entryErasedType {
                    found.subjects.insert(slot)
                } else if entries.insert(slot).inserted {
                    found.entries.append(ErasedEntry(record: frame.subject, entry: frame.entry, kind: frame.kind))
                }
                return true
            }
        } catch {
            let error = EventLogError(error, "the erasures of the log cannot be compared with the key file")
            guard untilDamage, error.code == .damaged else { throw error }
        }
        return found
    }

    /// Returns those of the erasures that the key file lacks.
    private func undone(among recorded: UndoneErasures) throws(EventLogError) -> UndoneErasures {
        var (known, file) = try keys.content()
        var undone = UndoneErasures()
        for entry in recorded.entries {
            if case .key = try known.find(entry.entry, of: entry.record, in: file) { undone.entries.append(entry) }
        }
        for subject in recorded.subjects {
            switch try known.find(subject, in: file) {
            case .key: undone.subjects.insert(subject)
            // The copy was made before the subject had a key. A mirror has no keys of subjects erased before.
            case .missing: if !isMirror { undone.subjects.insert(subject) }
            case .erased: break
            }
        }
        return undone
    }

    /// Returns the subjects with data that cannot be read although it was not erased: the key file lacks the key, or
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
