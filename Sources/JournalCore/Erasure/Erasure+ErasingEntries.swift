internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords
internal import Platform

/// What the erasure of an entry would destroy, for the confirmation by the user.
package struct EntryErasurePreview: Hashable, Sendable {
    /// The entry as it is now.
    package let entry: EntryState
    /// The number of versions, including the present one.
    package let versionCount: Int
    /// Whether the entry, or an earlier version of it, has a file that no other entry of the record has.
    package let hasFile: Bool
    /// The number of the record's entries that refer to it, by kind; they stay.
    package let referring: [Kind: Int]
    /// The copies of parts of the entry in other data, which are erased with it or stay.
    package let copies: [EntryCopy]

    package init(
        entry: EntryState,
        versionCount: Int,
        hasFile: Bool,
        referring: [Kind: Int],
        copies: [EntryCopy] = []
    ) {
        (self.entry, self.versionCount) = (entry, versionCount)
        (self.hasFile, self.referring, self.copies) = (hasFile, referring, copies)
    }

    /// The copies without the entries that `referring` counts.
    private var otherCopies: [EntryCopy] { copies.filter { $0.what != .reference } }

    /// Sentences about the data that is destroyed and the data that stays, in English.
    package var sentences: [String] {
        var sentences = [
            versionCount == 1
                ? "its content will be unreadable for everyone, as of every past moment"
                : "all its \(versionCount) versions will be unreadable for everyone, as of every past moment"
        ]
        if hasFile { sentences.append("its file will be destroyed") }
        let (gone, kept) = (otherCopies.filter { $0.fate == .erased }, otherCopies.filter { $0.fate != .erased })
        sentences += gone.map { "erased with it: \($0.sentence)" } + kept.map { "stays: \($0.sentence)" }
        let others = referring.sorted { $0.key.name < $1.key.name }
            .map { "\($1) \(($1 == 1 ? $0.label : $0.plural).lowercased())" }
        if !others.isEmpty {
            sentences.append("entries that refer to it stay, and may name it: \(others.joined(separator: ", "))")
        }
        return sentences
    }
}

extension EntryCopy {
    /// What the copy is and, if it stays, why.
    fileprivate var sentence: String {
        [label + (id.map { " (\($0.text))" } ?? ""), reason].compactMap(\.self).joined(separator: "; ")
    }
}

extension Journal.Erasure {
    /// Returns what the erasure of an entry would destroy, if the caller may erase it and no hold prevents it.
    package func previewErasure(
        ofEntry entry: UUID,
        expecting expected: ExpectedEntry = ExpectedEntry(),
        _ caller: Caller
    ) async throws(JournalError) -> EntryErasurePreview {
        try await journal.retrying {
            let (state, admission) = try await erasable(entry, expected, caller)
            let contents = try contents(ofEntry: entry)
            let files = Set(contents.compactMap(\.fileDigest))
            let found = try copies(of: state, contents, caller)
            let preview = EntryErasurePreview(
                entry: state,
                versionCount: contents.count,
                hasFile: try !unshared(files, by: entry, in: state.record, through: journal.log.head()).isEmpty,
                referring: found.filter { $0.copy.what == .reference }
                    .reduce(into: [:]) { counts, found in if let kind = found.kind { counts[kind, default: 0] += 1 } },
                copies: found.map(\.copy)
            )
            try await journal.access.trace(caller, admission, Shown(state, version: state.latest.position))
            return preview
        }
    }

    /// Erases an entry: makes all its versions unreadable for good, for everyone and as of every past moment.
    ///
    /// What the journal copied from it is erased with it as far as keys and rights allow; the event names all copies.
    /// When this returns, the events are on the disk, the keys are destroyed, and the files are removed unless another
    /// entry of the record has the same.
    package func eraseEntry(
        _ entry: UUID,
        expecting expected: ExpectedEntry = ExpectedEntry(),
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try settleErasures()
        var gone: [(entry: EntryState, files: Set<String>)] = []
        let result = try await journal.once(caller) {
            let version = try journal.log.version(of: entry)
            let (state, _) = try await erasable(entry, expected, caller)
            try requireReason(caller)
            let contents = try contents(ofEntry: entry)
            let found = try copies(of: state, contents, caller)
            gone = [(state, Set(contents.compactMap(\.fileDigest)))]
            var change = try Change(journal, caller)
            try add(EntryErased(copies: found.map(\.copy)), of: state, expecting: version, &change)
            var recordVersions = [state.record: try journal.log.version(of: state.record)]
            for copy in found.compactMap(\.erased) {
                let version = try journal.log.version(of: copy.id)
                // The version is read before the state, so that the append fails if the copy changes in between.
                guard let current = try journal.contents(for: .erasure).entry(copy.id, asOf: journal.log.head()),
                    current == copy
                else {
                    throw EventLogError(.versionConflict, "a copy of the entry was changed meanwhile")
                }
                if recordVersions[copy.record] == nil {
                    recordVersions[copy.record] = try journal.log.version(of: copy.record)
                }
                gone.append((copy, try Set(self.contents(ofEntry: copy.id).compactMap(\.fileDigest))))
                let isOwn = copy.record == state.record
                try add(EntryErased(), of: copy, isOfItsSubject: isOwn, expecting: version, &change)
            }
            // Expects the versions of the records, so that no hold is set at the same time.
            for (record, version) in recordVersions { change.expect(record, .exact(version)) }
            let result = try await change.commit(
                erasing: gone.map { ErasedEntry(record: $0.entry.record, entry: $0.entry.id, kind: $0.entry.kind.code) }
            )
            return WriteResult(position: result.first, record: state.record, entry: entry)
        }
        guard let record = result.record else { return result }
        journal.cache.forget(record)
        let erased = gone
        for item in erased {
            journal.cache.forget(item.entry.record)
            // Even if this fails, no one can open the files: only the erased entry said what they contain.
            try await journal.retrying {
                try await BlockingWork.run {
                    try self.remove(item.files, of: item.entry.id, in: item.entry.record)
                }
            }
        }
        // A view that cannot be updated now is updated by the next query: the content is unreadable in any case.
        await BlockingWork.run { _ = journal.viewFindings() }
        return result
    }

    /// Adds the event that erases an entry; throws if a hold forbids it.
    private func add(
        _ erased: EntryErased,
        of state: EntryState,
        isOfItsSubject: Bool = true,
        expecting version: UInt64,
        _ change: inout Change
    ) throws {
        // The reason may be about the record of the entry that is erased, and must not outlive it in another one.
        try change.add(
            decide(.eraseEntry(erased), journal.access.header(admitted: state.record), today: journal.today),
            in: .entry(state.id, of: state.record, state.kind),
            isOfItsSubject: isOfItsSubject,
            expecting: .exact(version)
        )
    }

    /// Returns an entry that the caller may erase; throws if it cannot be erased alone.
    private func erasable(
        _ entry: UUID,
        _ expected: ExpectedEntry,
        _ caller: Caller
    ) async throws -> (state: EntryState, admission: Admission) {
        guard let state = try journal.contents(for: .erasure).entry(entry, asOf: journal.log.head()),
            expected.isPlace(of: state)
        else {
            throw try await journal.entries.absence(of: entry, caller) { _ in .erase }
        }
        let admission = try await journal.access.admit(caller, to: .erase, on: state.record)
        // The caller must be able to read the entry, to check that it is the right one.
        _ = try await journal.access.admit(caller, to: .read([state.kind], .read), on: state.record)
        try expected.requireSeen(state)
        _ = try decide(.eraseEntry(EntryErased()), journal.access.header(admitted: state.record), today: journal.today)
        guard try isSealedAlone(entry) else {
            throw JournalError(
                .conflict,
                """
                the entry was added by an earlier version of this program, without a key of its own: it can only be \
                erased with its record
                """
            )
        }
        return (state, admission)
    }

    /// Returns the contents of an entry's versions, including those that a device sent and that were kept beside.
    private func contents(ofEntry entry: UUID) throws -> [EntryContent] {
        try journal.medicalRecords.history(ofEntry: entry, asOf: journal.log.head())
            .compactMap { try journal.log.recorded(journal.log.event(at: $0)).event.keptContent }
    }

    /// Removes the files of an erased entry, except those that another entry of the record refers to.
    ///
    /// Nothing may refer to a file when it is removed: `storeRemoved` stores it again only for documents that are appended
    /// later.
    private func remove(_ digests: Set<String>, of entry: UUID, in record: UUID) throws {
        let head = try journal.log.head()
        var rest = try unshared(digests, by: entry, in: record, through: head)
        guard !rest.isEmpty else { return }
        try journal.log.withoutAppends {
            var checked = head
            while case let events = try journal.log.events(after: checked, limit: 1_000), let last = events.last {
                for event in events where event.header.subject == record {
                    try file(of: event, besides: entry).map { _ = rest.remove($0) }
                }
                checked = last.position
            }
            for digest in rest { try journal.log.blobs.remove(digest, subject: record) }
        }
    }

    /// Returns those of the files that no other entry of the record refers to, in any version.
    private func unshared(
        _ digests: Set<String>,
        by entry: UUID,
        in record: UUID,
        through head: UInt64
    ) throws -> Set<String> {
        var rest = digests
        if rest.isEmpty { return rest }
        for position in try journal.medicalRecords.history(ofRecord: record, asOf: head) {
            try file(of: journal.log.event(at: position), besides: entry).map { _ = rest.remove($0) }
        }
        return rest
    }

    /// Returns the digest of the file to which an event of another document refers, unless that one is erased.
    private func file(of event: StoredEvent, besides entry: UUID) throws -> String? {
        guard event.header.kind == Document.kind.code, event.header.entry != entry else { return nil }
        return try journal.records.unlessErased { try journal.log.recorded(event).event.keptContent?.fileDigest }
    }

    /// Returns the receipt of an entry's erasure as of now, for callers who could have erased it.
    package func receipt(ofEntry entry: UUID, in record: UUID, _ caller: Caller) async throws(JournalError) -> Receipt {
        try settleErasures()
        return try await journal.retrying {
            _ = try await journal.access.admit(caller, to: .erase, on: record)
            guard let place = try journal.entries.place(ofEntry: entry), place.record == record else {
                throw JournalError.noEntry
            }
            guard let erased = try journal.medicalRecords.erasure(ofEntry: entry) else {
                throw JournalError(.conflict, "the entry is not erased: there is no receipt")
            }
            let event = try journal.log.event(at: erased.position)
            // The entry's key follows from keys that the record has from its beginning.
            let begun = try journal.log.events(of: record, limit: 1).first?.position ?? 0
            let text = try journal.log.receipt(
                ofErasing: record,
                entry: entry,
                at: erased.position,
                on: Instant(microseconds: event.recordedAt).description,
                copies: try copies(namedBy: event),
                backups: try backups(stillHolding: begun, erasedAt: erased.position)
            )
            return Receipt(position: erased.position, text: text)
        }
    }

    /// Returns the copies that the event of an erasure names, as a receipt states them.
    private func copies(namedBy event: StoredEvent) throws -> [ErasureReceipt.Copy] {
        guard let erased = try journal.log.recorded(event).event.data as? EntryErased else { return [] }
        return erased.copies.map { ErasureReceipt.Copy(what: $0.what.name, id: $0.id, fate: $0.fate.name) }
    }
}

extension JournalEvent {
    /// The content that an event sets, or keeps beside the one that is shown.
    fileprivate var keptContent: EntryContent? { content ?? (data as? EntryDiverged)?.content }
}
