internal import EventLog
package import FoundationEssentials
package import HealthModel
package import MedicalRecords
internal import ProjectionKit

/// The contents of all records, which can be read only through `RecordContents`.
package struct RecordVault: Sendable {
    fileprivate let view: RecordContentsView

    init(views: ViewStore, log: EventLog) { view = RecordContentsView(views: views, log: log) }
}

/// What the journal itself reads records for.
///
/// Nothing of it is shown to a caller who was not admitted to the record.
package enum JournalWork: Sendable {
    /// To decide on a command of a caller: who added an entry determines whether the caller may change it.
    case decision
    /// To compute due doses and interactions, for admitted callers, recipients of reminders, and entries that are
    /// sealed in the record itself.
    case care
    /// To compare a document that an admitted caller imports, or that is undone, with the record.
    case importing
    /// To find all copies of what an owner erases.
    case erasure
    /// To check that the journal is complete.
    case checking
}

/// The contents of entries, as far as an admission covers them.
///
/// There is no other way to a view of contents, and only the gate makes an admission. Of another record, and of kinds that
/// the admission does not cover, nothing is found.
package struct RecordContents: Sendable {
    private let view: RecordContentsView
    /// Nil for the work of the journal itself.
    private let admission: Admission?

    fileprivate init(_ vault: RecordVault, _ admission: Admission?) { (view, self.admission) = (vault.view, admission) }

    private func admits(_ entry: EntryState) -> Bool {
        admission?.sees(entry) ?? true
    }

    /// Returns a record with the selected entries; nil if it did not exist at the position or was erased.
    package func record(
        _ id: UUID,
        asOf position: UInt64,
        _ selection: MedicalRecordsView.Selection = MedicalRecordsView.Selection()
    ) throws -> RecordState? {
        var selection = selection
        if let admission {
            guard id == admission.record else { return nil }
            selection.kinds.removeAll { !admission.sees($0) }
        }
        var found = try view.record(id, asOf: position, selection)
        found?.entries.removeAll { !admits($0) }
        return found
    }

    /// Returns the selected entries of one kind, in the order in which they were added, with pages as those of references.
    package func entries(
        _ kind: Kind,
        of id: UUID,
        asOf position: UInt64,
        _ selection: MedicalRecordsView.Selection,
        after start: UInt64,
        lookingAt limit: Int
    ) throws -> (found: [EntryState], end: UInt64?) {
        if let admission, id != admission.record || !admission.sees(kind) { return ([], nil) }
        let page = try view.entries(kind, of: id, asOf: position, selection, after: start, lookingAt: limit)
        return (page.found.filter(admits), page.end)
    }

    /// Returns the entries as known at a position, in the order of `ids`; entries that did not exist then are left out.
    package func entries(_ ids: some Collection<UUID>, asOf position: UInt64) throws -> [EntryState] {
        try view.entries(ids, asOf: position).filter(admits)
    }

    /// Calls `body` with those of the given entries that a selection admits, as known at a position.
    func forEachEntry(
        _ ids: some Collection<UUID>,
        asOf position: UInt64,
        _ selection: MedicalRecordsView.Selection,
        _ body: (EntryState) throws -> Void
    ) throws {
        try view.forEachEntry(ids, asOf: position, selection) { if admits($0) { try body($0) } }
    }

    /// Returns an entry as known at a position; nil if it did not exist then.
    package func entry(_ id: UUID, asOf position: UInt64) throws -> EntryState? {
        try view.entry(id, asOf: position).flatMap { admits($0) ? $0 : nil }
    }
}

extension Journal {
    /// Returns the contents that an admission covers.
    package func contents(_ admission: Admission) -> RecordContents { RecordContents(vault, admission) }

    /// Returns the contents of records for work of the journal itself.
    package func contents(for work: JournalWork) -> RecordContents { RecordContents(vault, nil) }
}
