internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import MedicalRecords

extension Journal.Entries {
    /// Adds an entry to a record, with the bytes of the file to which it refers, unless the journal holds them already.
    package func addEntry(
        _ content: EntryContent,
        to record: UUID,
        id: UUID? = nil,
        file: [UInt8]? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        let files = file.map { [(bytes: $0, record: record)] } ?? []
        let result = try await journal.changing(caller) { change in
            let admission = try await journal.access.admit(caller, to: .contribute(content.kind, .adding), on: record)
            guard let access = admission.access else { throw JournalError.noRecord }
            // Decided before the bytes are stored, so that a refused entry leaves none behind.
            let (id, events) = try decideNew(content, in: record, id, isClosed: access.header.isClosed)
            for (bytes, record) in files { _ = try journal.log.blobs.put(bytes, subject: record) }
            if file == nil { try requireFile(of: content, in: record) }
            try change.add(events, in: .entry(id, of: record), expecting: .empty)
            // Expects the record's version as well, so that nothing is added to a record that is being closed.
            change.expect(record, .exact(access.version))
            return .existing(at: access.position, record: record, entry: id)
        }
        // Also if the request is repeated, because the process ended before the file was stored again.
        try await journal.retrying {
            if !files.isEmpty, let entry = result.entry, try !isErased(entry: entry, of: record) {
                try storeRemoved(files)
            }
        }
        await journal.entriesChanged(of: content.kind, in: record, by: caller)
        return result
    }

    /// Adds entries of one kind without files to a record: all of them, or none.
    package func addEntries(
        _ contents: [EntryContent],
        of kind: Kind,
        to record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        let result = try await journal.changing(caller) { change in
            let admission = try await journal.access.admit(caller, to: .contribute(kind, .adding), on: record)
            guard let access = admission.access else { throw JournalError.noRecord }
            for content in contents {
                guard content.kind == kind else { throw JournalError(.invalid, field: "kind", "must be \(kind.name)") }
                let (id, events) = try decideNew(content, in: record, nil, isClosed: access.header.isClosed)
                try requireFile(of: content, in: record)
                try change.add(events, in: .entry(id, of: record), expecting: .empty)
            }
            change.expect(record, .exact(access.version))
            return .existing(at: access.position, record: record)
        }
        await journal.entriesChanged(of: kind, in: record, by: caller)
        return result
    }

    /// Decides on a new entry; returns its id, and its events.
    private func decideNew(
        _ content: EntryContent,
        in record: UUID,
        _ given: UUID?,
        isClosed: Bool
    ) throws -> (id: UUID, events: [JournalEvent]) {
        // An id that is generated here cannot be in use.
        let given = try newID(of: content, in: record, given: given)
        if let given, try journal.log.version(of: given) > 0 { throw JournalError.idInUse }
        try requireReferences(of: content, in: record)
        try content.requireSubject()
        try content.requireOriginals()
        let events = try decide(.add(content), nil, isClosed: isClosed, now: journal.now)
        return (given ?? UUID.timeOrdered(at: journal.log.now()), events)
    }

    /// Corrects an entry with a better value for the same fact; `edit` receives the present content.
    package func correctEntry(
        _ entry: UUID,
        expecting expected: ExpectedEntry = ExpectedEntry(),
        _ caller: Caller,
        _ edit: (inout EntryContent) throws(ModelError) -> Void
    ) async throws(JournalError) -> WriteResult {
        try await changeEntry(entry, expected, caller) { state in
            var content = state.content
            try edit(&content)
            try content.inferSubstanceAgain(after: state.content, from: journal.nameCatalogue)
            return [.correct(content)]
        }
    }

    /// Changes the plan of a medication or a supplement from a moment on; `edit` receives the present content.
    package func changePlan(
        _ entry: UUID,
        expecting expected: ExpectedEntry = ExpectedEntry(),
        _ caller: Caller,
        _ edit: (inout EntryContent) throws(ModelError) -> Void
    ) async throws(JournalError) -> WriteResult {
        try await changeEntry(entry, expected, caller) { state in
            var content = state.content
            try edit(&content)
            try content.inferSubstanceAgain(after: state.content, from: journal.nameCatalogue)
            return [.change(content)]
        }
    }

    /// Retracts an entry, because it was never true.
    package func retractEntry(
        _ entry: UUID,
        expecting expected: ExpectedEntry = ExpectedEntry(),
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await changeEntry(entry, expected, caller) { _ in [.retract] }
    }

    /// Restores a retracted entry.
    package func restoreEntry(
        _ entry: UUID,
        expecting expected: ExpectedEntry = ExpectedEntry(),
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await changeEntry(entry, expected, caller) { _ in [.restore] }
    }

    /// Performs commands on an entry, one after the other, in one append.
    package func changeEntry(
        _ entry: UUID,
        _ expected: ExpectedEntry,
        _ caller: Caller,
        _ commands: (EntryState) throws -> [EntryCommand]
    ) async throws(JournalError) -> WriteResult {
        var kind: Kind?
        let result = try await journal.changing(caller) { change in
            let version = try journal.log.version(of: entry)
            let head = try journal.log.head()
            guard let state = try journal.contents(for: .decision).entry(entry, asOf: head), expected.isPlace(of: state)
            else {
                throw try await absence(of: entry, caller) { .contribute($0, .changingOthers) }
            }
            kind = state.kind
            _ = try await journal.access.admit(caller, to: .changing(state, by: caller), on: state.record)
            try expected.requireSeen(state)
            let recordVersion = try journal.log.version(of: state.record)
            let header = try journal.medicalRecords.header(of: state.record, asOf: journal.log.head())
            var current = state
            for command in try commands(state) {
                if let content = command.content {
                    try content.requireSubject(replacing: current.content)
                    try content.requireOriginals(of: [current.content])
                    // An entry that was imported without its file may keep its reference.
                    if content.fileDigest != current.content.fileDigest {
                        try requireFile(of: content, in: state.record)
                    }
                    try requireReferences(of: content, besides: current.content, in: state.record)
                }
                try change.add(
                    decide(command, current, isClosed: header?.isClosed ?? false, now: journal.now),
                    in: .entry(entry, of: state.record, state.kind),
                    expecting: change.isEmpty ? .exact(version) : nil
                )
                if case .restore = command { current.retracted = nil }
                if let content = command.content { current.content = content }
            }
            change.expect(state.record, .exact(recordVersion))
            return .existing(at: state.latest.position, record: state.record, entry: entry)
        }
        if let kind, let record = result.record { await journal.entriesChanged(of: kind, in: record, by: caller) }
        return result
    }
}
