internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import Interchange
package import JournalCore
internal import JournalEvents
internal import MedicalRecords

/// A record that a caller was allowed to export, read one page of entries at a time.
///
/// All data is as of one position, even if events are appended meanwhile. An erasure is the exception: reads after it
/// fail. Entries that were read before are still delivered: the page that is being written, and the next one.
package struct ExportedRecord: Sendable {
    package let journal: Journal
    /// The record without its entries.
    package let answer: RecordAnswer
    /// The number of entries of each kind.
    package let counts: [Kind: Int]
    let position: UInt64
    /// The moment, the days and the kinds that were asked for.
    package let options: ReadOptions
    /// The account of the caller, if it is an owner of the record.
    let owner: UUID?
    let admission: Admission
    private let selection: MedicalRecordsView.Selection
    /// Whether the caller may see medications, whatever kinds were asked for.
    fileprivate let seesPlans: Bool

    /// The number of entries in a page: enough to make the look-ups cheap, and few enough for memory.
    private static let pageLength = 128

    /// The number of all entries.
    package var count: Int { counts.values.reduce(0, +) }

    /// The kinds for which the record has entries that may be shown.
    package var kinds: [Kind] { Kind.all.filter { counts[$0] != nil && answer.scope.includes($0) } }

    /// Reads the entries of a kind in the order in which they were added.
    package func forEachPage(of kind: Kind, _ body: ([EntryState]) async throws -> Void) async throws {
        try await forEachPage(of: [kind]) { _, entries in try await body(entries) }
    }

    /// Reads the entries of several kinds, one kind after the other, each in the order in which they were added.
    ///
    /// The next page is read while `body` uses this one, also if the next one is of another kind.
    package func forEachPage(
        of kinds: [Kind],
        _ body: (Kind, [EntryState]) async throws -> Void
    ) async throws {
        var missing = Dictionary(kinds.map { ($0, counts[$0, default: 0]) }) { first, _ in first }
        var page = try nextPage(from: Place(kinds: kinds[...]))
        while let current = page {
            async let following = nextPage(from: current.next)
            try await body(current.kind, current.entries)
            missing[current.kind, default: 0] -= current.entries.count
            page = try await following
        }
        // Otherwise a document without the missing entries would look complete.
        guard missing.values.allSatisfy({ $0 == 0 }) else { throw JournalError.erasedMeanwhile }
    }

    /// Returns the entry of a kind that was added first of those that fit; nil if none does.
    func first(of kind: Kind, where fits: (EntryState) -> Bool) async throws -> EntryState? {
        // Usually it is among the entries that were added first, so the first page is short.
        var place = Place(kinds: [kind], length: 8)
        while let page = try nextPage(from: place) {
            if let found = page.entries.first(where: fits) { return found }
            place = page.next
            place.length = ExportedRecord.pageLength
            await Task.yield()
        }
        return nil
    }

    /// Where a page begins: the kinds that are left, and the position after which entries of the first one were added.
    private struct Place {
        var kinds: ArraySlice<Kind>
        var after: UInt64 = 0
        var length = ExportedRecord.pageLength
    }

    /// Returns the next page with entries; nil if there are no more.
    private func nextPage(from start: Place) throws -> (kind: Kind, entries: [EntryState], next: Place)? {
        var place = start
        while let kind = place.kinds.first {
            try Task.checkCancellation()
            let page = try entries(kind, from: place)
            if page.end == nil { place.kinds.removeFirst() }
            place.after = page.end ?? 0
            if !page.found.isEmpty { return (kind, page.found, place) }
        }
        return nil
    }

    /// Reads the entries of a kind in descending order of a key, and of their addition if the keys are equal.
    ///
    /// Each entry is read twice, because the key is part of the sealed content. Only 32 bytes of each entry are kept in
    /// memory.
    package func forEachPage(
        of kind: Kind,
        descendingBy key: (EntryState) -> Int64,
        _ body: ([EntryState]) async throws -> Void
    ) async throws {
        var order: [(key: Int64, added: UInt64, entry: UUID)] = []
        order.reserveCapacity(counts[kind, default: 0])
        try await forEachPage(of: kind) { page in
            order += page.map { (key($0), $0.added.position, $0.id) }
            await Task.yield()
        }
        order.sort { ($0.key, $0.added) > ($1.key, $1.added) }
        for start in stride(from: 0, to: order.count, by: ExportedRecord.pageLength) {
            try Task.checkCancellation()
            let page = order[start..<min(order.count, start + ExportedRecord.pageLength)]
            try await body(entries(page.map(\.entry)))
        }
    }

    /// Returns the products of the medications of doses, by entry id; also of those that the export itself does not
    /// contain.
    package func planProducts(of doses: [EntryState]) throws(JournalError) -> [UUID: PlanProduct] {
        guard seesPlans else { return [:] }
        do {
            let plans = Set(doses.compactMap { $0.content.body.id(Dose.of) })
            return try journal.contents(admission).entries(plans, asOf: position)
                .filter { $0.record == answer.state.id }.planProducts
        } catch {
            throw JournalError(error)
        }
    }

    private func entries(_ kind: Kind, from place: Place) throws(JournalError) -> (found: [EntryState], end: UInt64?) {
        do {
            return try journal.contents(admission)
                .entries(
                    kind,
                    of: answer.state.id,
                    asOf: position,
                    selection,
                    after: place.after,
                    lookingAt: place.length
                )
        } catch {
            throw JournalError(error)
        }
    }

    private func entries(_ ids: [UUID]) throws(JournalError) -> [EntryState] {
        do {
            let found = try journal.contents(admission).entries(ids, asOf: position)
            guard found.count == ids.count else { throw JournalError.erasedMeanwhile }
            return found
        } catch {
            throw JournalError(error)
        }
    }
}

extension JournalError {
    static let erasedMeanwhile = JournalError(
        .erased,
        "the record, or an entry of it, was erased while it was being exported; export it again"
    )
}

extension ExportedRecord {
    /// Reads the header of the record, and counts the entries that an authorized caller may see.
    fileprivate init(
        _ journal: Journal,
        _ admission: Admission,
        _ options: ReadOptions,
        asOf position: UInt64,
        by caller: Caller
    ) async throws {
        var head = options
        head.page = .newest(0)
        let selection = journal.records.selection(admission, options)
        var answer = try journal.records.answer(admission, head, asOf: position)
        var (counts, latest) = ([Kind: Int](), UInt64(0))
        try await journal.records.forEachReferences(in: admission.record, selection, asOf: position) { kind, found in
            if !found.isEmpty { counts[kind, default: 0] += found.count }
            latest = found.reduce(latest) { max($0, $1.latest) }
        }
        if admission.right != .owner, latest > 0 {
            // The time of a change that the caller may not see must not be revealed.
            answer.state.updated = try journal.records.stamp(at: latest)
            answer.asOf = answer.state.updated
        }
        (self.journal, self.answer, self.counts, self.options) = (journal, answer, counts, options)
        (self.position, self.admission, self.selection) = (position, admission, selection)
        seesPlans = Plan.kinds.allSatisfy(admission.sees)
        owner = admission.right == .owner ? caller.account : nil
    }
}

extension Journal.Exports {
    /// Authorizes a caller to export a record; the export is in the audit log before any data is returned.
    package func export(
        _ record: UUID,
        _ options: ReadOptions = ReadOptions(),
        by caller: Caller
    ) async throws(JournalError) -> ExportedRecord {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .reading(options, .export), on: record)
            let position = try journal.log.position(asOf: options.asOf)
            return try await export(admission, options, asOf: position, by: caller)
        }
    }

    /// Returns a record for export to an authorized caller, after recording that in the audit log.
    func export(
        _ admission: Admission,
        _ options: ReadOptions,
        asOf position: UInt64,
        by caller: Caller
    ) async throws -> ExportedRecord {
        let exported = try await ExportedRecord(journal, admission, options, asOf: position, by: caller)
        var shown = Set(exported.counts.keys)
        // A print of doses names their medications.
        if shown.contains(Dose.kind), exported.seesPlans { shown.formUnion(Plan.kinds) }
        let kinds = shown.map(\.code).sorted().map { ShownEntries(kind: $0) }
        try await journal.access.trace(
            caller,
            admission,
            Shown(exported.count, kinds, options, admission, asOf: position)
        )
        return exported
    }
}

extension Journal.Exports {
    /// Returns the right by which a caller may export a record at present; a refusal is recorded and thrown.
    ///
    /// For a document that is produced before it is delivered: the right may have ended in between.
    package func exportRight(
        to record: UUID,
        _ options: ReadOptions,
        _ caller: Caller
    ) async throws(JournalError) -> AccessRight {
        try await journal.retrying {
            try await journal.access.admit(caller, to: .reading(options, .export), on: record).right
        }
    }
}
