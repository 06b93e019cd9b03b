internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// A correction of all entries of a kind that have some values.
package struct Corrections: Hashable, Sendable {
    package var kind: Kind
    /// The values that an entry must have to be corrected, as texts; an empty text matches an absent value.
    package var conditions: [Assignment]
    /// The corrected values, as texts; an empty text clears a field.
    package var values: [Assignment]
    /// Only entries that happened in these days.
    package var period: Period

    package struct Assignment: Hashable, Sendable {
        package var name: String
        package var text: String

        package init(_ name: String, _ text: String) {
            (self.name, self.text) = (name, text)
        }
    }

    /// The maximum number of entries that are corrected at once.
    package static let maximum = 1_000

    package init(
        of kind: Kind,
        where conditions: [Assignment],
        set values: [Assignment],
        during period: Period = Period()
    ) {
        (self.kind, self.conditions, self.values, self.period) = (kind, conditions, values, period)
    }

    /// Throws `invalid` if a field does not exist, or a value is not one of its type, or if nothing is to be corrected.
    func check() throws(ModelError) {
        guard !values.isEmpty else { throw ModelError(.invalid, field: "set", "names no field to correct") }
        for assignment in conditions + values {
            var content = EntryContent(kind: kind)
            try content.set(assignment.name, text: assignment.text)
        }
    }

    func applies(to content: EntryContent) throws(ModelError) -> Bool {
        if !period.contains(content.happened) { return false }
        for condition in conditions {
            var same = content
            try same.set(condition.name, text: condition.text)
            // A value that was guessed is the same value.
            same.inferred = content.inferred
            if same != content { return false }
        }
        return true
    }

    func corrected(_ content: EntryContent, _ catalogue: () throws -> NameCatalogue) throws -> EntryContent {
        var corrected = content
        try corrected.set(values.map { (name: $0.name, value: $0.text) })
        try corrected.inferSubstanceAgain(after: content, from: catalogue)
        return corrected
    }
}

/// What a correction of several entries changes.
package struct CorrectedEntries: Hashable, Sendable {
    package struct Item: Hashable, Sendable {
        package var entry: UUID
        /// The values that identified the entry before the correction.
        package var title: String
        package var date: OccurredDate?
        package var changes: [FieldChange]
    }

    package var items: [Item]
    /// The result of the correction; nil for a preview.
    package var result: WriteResult?
}

extension Journal.Entries {
    /// Returns what a correction of several entries would change; the read is audited.
    package func preview(
        _ corrections: Corrections,
        in record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> CorrectedEntries {
        do {
            try corrections.check()
            let entries = try await journal.records.read(record, ReadOptions(kinds: [corrections.kind]), caller).state
                .entries
            return CorrectedEntries(items: try items(entries, corrections).map(\.item))
        } catch {
            throw JournalError(error)
        }
    }

    /// Corrects all entries of a kind that have some values, in one append.
    ///
    /// `expected` is the number of entries that the caller saw in the preview: if others are there now, throws `stale`.
    package func correct(
        _ corrections: Corrections,
        in record: UUID,
        expecting expected: Int? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> CorrectedEntries {
        var done = CorrectedEntries(items: [])
        let result = try await journal.once(caller) {
            if let replica = journal.replica {
                throw replica.onlineOnly("several entries are corrected at the service")
            }
            try corrections.check()
            let reading = try await journal.access.admit(caller, to: .read([corrections.kind], .read), on: record)
            guard let access = reading.access else { throw JournalError.noRecord }
            let head = try journal.log.head()
            let options = ReadOptions(kinds: [corrections.kind])
            let entries = try journal.records.answer(reading, options, asOf: head).state.entries
            let found = try items(entries, corrections)
            if let expected, expected != found.count { throw JournalError.stale }
            done.items = found.map(\.item)
            var change = try Change(journal, caller)
            for (state, content, _) in found {
                _ = try await journal.access.admit(caller, to: .changing(state, by: caller), on: record)
                try requireReferences(of: content, besides: state.content, in: record)
                if content.fileDigest != state.content.fileDigest { try requireFile(of: content, in: record) }
                let version = try journal.log.version(of: state.id)
                // The version must be that of the content that was read.
                guard try journal.contents(for: .decision).entry(state.id, asOf: journal.log.head()) == state else {
                    throw EventLogError(.versionConflict, JournalError.stale.message)
                }
                try change.add(
                    decide(.correct(content), state, isClosed: access.header.isClosed, now: journal.now),
                    in: .entry(state.id, of: record, state.kind),
                    expecting: .exact(version)
                )
            }
            change.expect(record, .exact(access.version))
            // The head would tell how active the whole journal is.
            let latest = entries.map(\.latest.position).max() ?? access.header.created.position
            let written = try await change.commit(answering: .existing(at: latest, record: record))
            let runs = ShownEntries.each(of: found.map(\.state))
            if !found.isEmpty {
                try await journal.access.trace(caller, reading, Shown(found.count, runs, options, reading, asOf: head))
            }
            return written
        }
        done.result = result
        await journal.entriesChanged(of: corrections.kind, in: record, by: caller)
        return done
    }

    /// Returns the entries that are to be corrected with their new content; throws `conflict` if there are too many.
    private func items(
        _ entries: [EntryState],
        _ corrections: Corrections
    ) throws -> [(state: EntryState, content: EntryContent, item: CorrectedEntries.Item)] {
        var found: [(state: EntryState, content: EntryContent, item: CorrectedEntries.Item)] = []
        for state in entries where try corrections.applies(to: state.content) {
            let content = try corrections.corrected(state.content, journal.nameCatalogue)
            guard content != state.content else { continue }
            guard found.count < Corrections.maximum else {
                throw JournalError(
                    .conflict,
                    "more than \(Corrections.maximum) entries would be corrected: narrow the condition"
                )
            }
            let item = CorrectedEntries.Item(
                entry: state.id,
                title: state.content.title,
                date: state.content.date,
                changes: content.changes(from: state.content)
            )
            found.append((state, content, item))
        }
        return found
    }
}
