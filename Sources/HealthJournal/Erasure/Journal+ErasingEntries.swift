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

    package init(entry: EntryState, versionCount: Int, hasFile: Bool, referring: [Kind: Int]) {
        (self.entry, self.versionCount) = (entry, versionCount)
        (self.hasFile, self.referring) = (hasFile, referring)
    }

    /// Sentences about what is destroyed and what stays, in English.
    package var sentences: [String] {
        var sentences = [
            versionCount == 1
                ? "its content will be unreadable for everyone, as of every past moment"
                : "all its \(versionCount) versions will be unreadable for everyone, as of every past moment"
        ]
        if hasFile { sentences.append("its file will be destroyed") }
        let others = referring.sorted { $0.key.name < $1.key.name }
            .map { "\($1) \(($1 == 1 ? $0.label : $0.plural).lowercased())" }
        if !others.isEmpty {
            sentences.append("entries that refer to it stay, and may name it: \(others.joined(separator: ", "))")
        }
        return sentences
    }
}

extension Journal {
    /// Returns what the erasure of an entry would destroy, if the caller may erase it and no hold prevents it.
    package func previewErasure(
        ofEntry entry: UUID,
        expecting expected: ExpectedEntry = ExpectedEntry(),
        _ caller: Caller
    ) async throws(JournalError) -> EntryErasurePreview {
        try await retrying {
            let (state, admission) = try await erasable(entry, expected, caller)
            let contents = try contents(ofEntry: entry)
            let files = Set(contents.compactMap(\.fileDigest))
            let preview = EntryErasurePreview(
                entry: state,
                versionCount: contents.count,
                hasFile: try !unshared(files, by: entry, in: state.record, through: log.head()).isEmpty,
                referring: try referring(to: entry, in: state.record)
            )
            try await trace(caller, admission, Shown(state, version: state.latest.position))
            return preview
        }
    }

    /// Erases an entry: makes all its versions unreadable for good, for everyone and as of every past moment.
    ///
    /// When this returns, the event is on the disk, the entry's key is destroyed, and its file is removed unless another
    /// entry of the record has the same.
    package func eraseEntry(
        _ entry: UUID,
        expecting expected: ExpectedEntry = ExpectedEntry(),
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try settleErasures()
        var named: Set<String> = []
        let result = try await once(caller) {
            let version = try log.version(of: entry)
            let (state, _) = try await erasable(entry, expected, caller)
            try requireReason(caller)
            let recordVersion = try log.version(of: state.record)
            let header = try header(admitted: state.record)
            named = try Set(contents(ofEntry: entry).compactMap(\.fileDigest))
            var change = try Change(self, caller)
            for event in try decide(.eraseEntry, header, today: today) {
                try change.add(
                    event,
                    stream: entry,
                    subject: state.record,
                    entry: entry,
                    kind: state.kind,
                    expecting: .exact(version)
                )
            }
            // Expects the record's version, so that no hold is set at the same time.
            change.expect(state.record, .exact(recordVersion))
            let result = try await change.commit(erasing: entry, of: state.record)
            return WriteResult(position: result.last, record: state.record, entry: entry)
        }
        guard let record = result.record else { return result }
        cache.forget(record)
        let files = named
        // Even if this fails, nobody can open the files: only the erased entry said what they contain.
        try await retrying { try await BlockingWork.run { try self.remove(files, of: entry, in: record) } }
        // A view that cannot be updated now is updated by the next query: the content is unreadable in any case.
        await BlockingWork.run { _ = self.viewFindings() }
        return result
    }

    /// Returns an entry that the caller may erase; throws if it cannot be erased alone.
    private func erasable(
        _ entry: UUID,
        _ expected: ExpectedEntry,
        _ caller: Caller
    ) async throws -> (state: EntryState, admission: Admission) {
        guard let state = try records.entry(entry, asOf: log.head()), expected.isPlace(of: state) else {
            throw try await absence(of: entry, caller) { _ in .erase }
        }
        let admission = try await admit(caller, to: .erase, on: state.record)
        // The caller must be able to read the entry, to check that it is the right one.
        _ = try await admit(caller, to: .read([state.kind], .read), on: state.record)
        try expected.requireSeen(state)
        _ = try decide(.eraseEntry, header(admitted: state.record), today: today)
        let isSealedAlone = try records.history(ofEntry: entry, asOf: log.head())
            .allSatisfy { try log.event(at: $0).isSealedByEntry }
        guard isSealedAlone else {
            throw JournalError(
                .conflict,
                "the entry was added by an earlier version of this program, without a key of its own: "
                    + "it can only be erased with its record"
            )
        }
        return (state, admission)
    }

    /// Returns the contents of an entry's versions, including those that a device sent and that were kept beside.
    private func contents(ofEntry entry: UUID) throws -> [EntryContent] {
        try records.history(ofEntry: entry, asOf: log.head())
            .compactMap { try log.recorded(log.event(at: $0)).event.keptContent }
    }

    /// Removes the files of an erased entry, except those that another entry of the record refers to.
    ///
    /// Nothing may refer to a file when it is removed: `storeRemoved` stores it again only for documents that are appended
    /// later.
    private func remove(_ digests: Set<String>, of entry: UUID, in record: UUID) throws {
        let head = try log.head()
        var rest = try unshared(digests, by: entry, in: record, through: head)
        guard !rest.isEmpty else { return }
        try log.withoutAppends {
            var checked = head
            while case let events = try log.events(after: checked, limit: 1_000), let last = events.last {
                for event in events where event.header.subject == record {
                    try file(of: event, besides: entry).map { _ = rest.remove($0) }
                }
                checked = last.position
            }
            for digest in rest { try log.blobs.remove(digest, subject: record) }
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
        for position in try records.history(ofRecord: record, asOf: head) {
            try file(of: log.event(at: position), besides: entry).map { _ = rest.remove($0) }
        }
        return rest
    }

    /// Returns the digest of the file to which an event of another document refers, unless that one is erased.
    private func file(of event: StoredEvent, besides entry: UUID) throws -> String? {
        guard event.header.kind == Document.kind.code, event.header.entry != entry else { return nil }
        return try unlessErased { try log.recorded(event).event.keptContent?.fileDigest }
    }

    private func referring(to entry: UUID, in record: UUID) throws -> [Kind: Int] {
        let entries = try records.record(record, asOf: log.head())?.entries ?? []
        return entries.reduce(into: [:]) { counts, other in
            if other.content.references.contains(where: { $0.id == entry }) { counts[other.kind, default: 0] += 1 }
        }
    }

    /// Returns the receipt of an entry's erasure as of now, for callers who could have erased it.
    package func receipt(ofEntry entry: UUID, in record: UUID, _ caller: Caller) async throws(JournalError) -> Receipt {
        try settleErasures()
        return try await retrying {
            _ = try await admit(caller, to: .erase, on: record)
            guard let place = try place(ofEntry: entry), place.record == record else { throw JournalError.noEntry }
            guard let erased = try records.erasure(ofEntry: entry) else {
                throw JournalError(.conflict, "the entry is not erased: there is no receipt")
            }
            let event = try log.event(at: erased.position)
            // The entry's key follows from keys that the record has from its beginning.
            let begun = try log.events(of: record, limit: 1).first?.position ?? 0
            let text = try log.receipt(
                ofErasing: record,
                entry: entry,
                at: erased.position,
                on: Instant(microseconds: event.recordedAt).description,
                backups: try backups(stillHolding: begun, erasedAt: erased.position)
            )
            return Receipt(position: erased.position, text: text)
        }
    }
}

extension JournalEvent {
    /// The content that an event sets, or keeps beside the one that is shown.
    fileprivate var keptContent: EntryContent? { content ?? (data as? EntryDiverged)?.content }
}
