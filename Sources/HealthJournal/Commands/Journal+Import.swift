internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import Interchange
internal import JournalEvents
internal import MedicalRecords

extension Journal {
    /// Imports a document, all of it or nothing.
    ///
    /// Entries with the same content in the journal are left as they are. A document that this journal exported is
    /// merged: what was changed here after its export stays, and is listed in the report. A value that was changed here
    /// since a document last contained it stays as well.
    ///
    /// A cost without a currency gets `currency`, or else the one that all other costs of the record have; it is marked
    /// as inferred. With `isTrial` nothing is appended, and the report describes what an import would do.
    package func take(
        _ document: ImportedRecord,
        currency: String? = nil,
        isTrial: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> ImportReport {
        let reports = try await take([document], currency: currency, isTrial: isTrial, caller)
        guard let report = reports.first else { throw JournalError(.failed, "the import has no report") }
        return report
    }

    /// Imports several documents, all of them or none; returns a report for each.
    package func take(
        _ documents: [ImportedRecord],
        currency: String? = nil,
        isTrial: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> [ImportReport] {
        let reports = try await retrying {
            try await admit(caller, to: .importRecords)
            var change = try Change(self, caller)
            var reports: [ImportReport] = []
            var attachments: [(bytes: [UInt8], record: UUID)] = []
            var ids: Set<UUID> = []
            for document in documents {
                let count = change.events.count
                var report = try await take(document, currency, isTrial: isTrial, &change, caller)
                if change.events.count > count { report.position = 0 }
                reports.append(report)
                for (id, path) in [(document.id, "id")] + document.entries.map({ ($0.id, $0.path + ".id") }) {
                    guard ids.insert(id).inserted else {
                        throw ModelError(.invalid, field: path, "is also the id of something else in this document")
                    }
                }
                for entry in document.entries {
                    // The file of an entry that was erased here is not stored again.
                    guard let bytes = entry.attachment, try !isErased(entry: entry.id, of: document.id) else {
                        continue
                    }
                    attachments.append((bytes, document.id))
                }
            }
            guard !isTrial, !change.isEmpty else {
                for index in reports.indices { reports[index].position = nil }
                return reports
            }
            // Stored only after everything has been decided, and before the events that refer to them.
            for (bytes, record) in attachments { _ = try log.blobs.put(bytes, subject: record) }
            let last = try await change.commit()?.last
            try storeRemoved(attachments)
            for index in reports.indices where reports[index].position != nil { reports[index].position = last }
            return reports
        }
        if !isTrial { await checkAfterChanges(in: Set(reports.map(\.record)), caller) }
        return reports
    }

    /// Decides on one document, and adds its events to the change.
    ///
    /// A new record belongs to `owner`, or to the caller if it is nil. If it is given, the caller was authorized to import
    /// for that account, and a record of that account needs no other right.
    func take(
        _ document: ImportedRecord,
        _ currency: String?,
        for owner: UUID? = nil,
        isTrial: Bool,
        _ change: inout Change,
        _ caller: Caller
    ) async throws -> ImportReport {
        let version = try log.version(of: document.id)
        let before = try records.record(document.id, asOf: log.head())
        let summary = ImportedRecordSummary(
            id: document.id,
            displayName: document.profile.displayName,
            unrepresented: document.unrepresented,
            contradictions: document.contradictions
        )
        var report = ImportReport(summary, isNewRecord: before == nil)
        var base: RecordState?
        if let before {
            let isOfOwner = owner.map(before.owners.contains) ?? false
            if !isOfOwner { _ = try await admit(caller, to: .manage, on: before.id) }
            base = try exportedState(of: document)
            try update(before, since: base, to: document.profile, isTrial: isTrial, &change, &report)
        } else {
            // A document does not bring back an erased record; the answer is the same as for any request for it.
            if try tombstone(of: document.id) != nil { _ = try await admit(caller, to: .manage, on: document.id) }
            if version > 0 { throw JournalError.idInUse }
            try create(document, owner ?? caller.account, &change)
        }
        change.expect(document.id, .exact(version))
        let currency = currency?.uppercased() ?? Journal.sharedCurrency(of: document, before)
        let added = Dictionary(document.entries.map { ($0.id, $0.content.kind) }) { first, _ in first }
        let then = Dictionary((base?.entries ?? []).map { ($0.id, $0) }) { first, _ in first }
        for entry in document.entries.map({ $0.guessing(currency) }) {
            let changed = try take(entry, into: document.id, before, since: then[entry.id], added, &change, &report)
            if let changed, isTrial || changed.what == .kept { report.changes.append(changed) }
        }
        return report
    }

    /// Returns the record as this journal knew it when it exported a document.
    ///
    /// Returns nil for a document that another journal or no journal exported. A position alone could be any journal's:
    /// the recorded time of its event identifies the journal.
    private func exportedState(of document: ImportedRecord) throws -> RecordState? {
        guard let exported = document.exported, exported.position > 0, try exported.position <= log.head(),
            try stamp(at: exported.position).recordedAt == exported.recordedAt
        else { return nil }
        return try records.record(document.id, asOf: exported.position)
    }

    private func create(_ document: ImportedRecord, _ owner: UUID, _ change: inout Change) throws {
        try requireZones(of: document.profile)
        for event in try decide(.create(document.profile, owner: owner), nil, now: now) {
            try change.add(event, stream: document.id, subject: document.id, expecting: .empty)
        }
        try claim(document.profile, instead: nil, of: document.id, &change)
    }

    private func update(
        _ before: RecordState,
        since base: RecordState?,
        to profile: RecordProfile,
        isTrial: Bool,
        _ change: inout Change,
        _ report: inout ImportReport
    ) throws {
        guard !before.profile.hasSameContent(as: profile) else { return }
        let isOurs = base.map { !$0.profile.hasSameContent(as: before.profile) } ?? false
        let fields = profile.changes(from: before.profile)
        if try isOurs || base == nil && isOutdated(before.id, { $0.profile?.hasSameContent(as: profile) ?? false }) {
            report.kept += 1
            report.changes.append(ImportChange(what: .kept, fields: fields))
            return
        }
        if isTrial { report.changes.append(ImportChange(what: .corrected, fields: fields)) }
        try requireZones(of: profile)
        for event in try decide(.change(profile), before, now: now) {
            try change.add(event, stream: before.id, subject: before.id)
            report.isProfileChanged = true
        }
        if report.isProfileChanged { try claim(profile, instead: before.profile, of: before.id, &change) }
    }

    /// Imports an entry, and returns the change; nil if nothing changes.
    ///
    /// `base` is the entry as it was when this journal exported the document.
    private func take(
        _ entry: ImportedEntry,
        into record: UUID,
        _ before: RecordState?,
        since base: EntryState?,
        _ added: [UUID: Kind],
        _ change: inout Change,
        _ report: inout ImportReport
    ) throws -> ImportChange? {
        let content = entry.attachment.map(entry.content.naming) ?? entry.content
        // A document does not bring back an erased entry.
        if try isErased(entry: entry.id, of: record) {
            report.kept += 1
            return ImportChange(what: .kept, entry: entry.id, kind: content.kind, fields: [])
        }
        do {
            let known = before?.entry(entry.id)
            try requireReferences(of: content, besides: known?.content, added: added, in: record)
            guard let known else {
                _ = try newID(of: content, in: record, given: entry.id)
                guard try log.version(of: entry.id) == 0 else {
                    throw ModelError(.conflict, "there is an entry with this id in another record")
                }
                for event in try decide(.add(content), nil, isClosed: before?.isClosed ?? false, now: now) {
                    try change.add(event, stream: entry.id, subject: record, entry: entry.id, expecting: .empty)
                }
                report.added += 1
                return ImportChange(
                    what: .added,
                    entry: entry.id,
                    kind: content.kind,
                    fields: content.changes(from: nil).withoutOriginals
                )
            }
            let fields = content.changes(from: known.content).withoutOriginals
            if known.content.hasSameContent(as: content), base.map({ $0.isRetracted == known.isRetracted }) ?? true {
                report.unchanged += 1
                return nil
            }
            // A change that was made here after the export is newer than the document, whatever the document contains.
            let isOurs = base.map { $0.latest.position != known.latest.position } ?? false
            if try isOurs
                || base == nil && !known.isRetracted
                    && isOutdated(known.id, { $0.content?.hasSameContent(as: content) ?? false })
            {
                report.kept += 1
                return ImportChange(what: .kept, entry: entry.id, kind: content.kind, fields: fields)
            }
            // An entry that was retracted here stays retracted: a document without the retraction does not restore it.
            if known.isRetracted {
                report.unchanged += 1
                return nil
            }
            // The decision is based on `before`; if the entry has changed since, the import is retried.
            guard let newest = try log.newest(of: entry.id), newest.position == known.latest.position else {
                throw EventLogError(.versionConflict, "an entry was changed in the meantime; import again")
            }
            let version = newest.streamPosition
            for event in try decide(.correct(content), known, isClosed: before?.isClosed ?? false, now: now) {
                try change.add(event, stream: entry.id, subject: record, entry: entry.id, expecting: .exact(version))
            }
            report.corrected += 1
            return ImportChange(what: .corrected, entry: entry.id, kind: content.kind, fields: fields)
        } catch let error as ModelError {
            let field = [entry.path, error.field].compactMap(\.self).joined(separator: ".")
            throw ModelError(error.code, field: field, error.message)
        }
    }

    /// Reports whether a document contains a value that was replaced here, so that the later correction stays.
    ///
    /// A value that an import replaced is not such a one: the app from which the documents come may have returned to it.
    private func isOutdated(_ stream: UUID, _ isSame: (JournalEvent) -> Bool) throws -> Bool {
        var (wasSaid, isReplacedHere) = (false, false)
        var version: UInt64 = 1
        while case let page = try log.events(of: stream, from: version), !page.isEmpty {
            for event in page {
                let recorded = try log.recorded(event).event
                guard recorded.content != nil || recorded.profile != nil else { continue }
                isReplacedHere = event.header.source != EventSource.import.rawValue
                wasSaid = wasSaid || isSame(recorded)
            }
            version += UInt64(page.count)
        }
        return wasSaid && isReplacedHere
    }

    private static func sharedCurrency(of document: ImportedRecord, _ before: RecordState?) -> String? {
        let contents = document.entries.map(\.content) + (before?.activeEntries(of: Cost.kind).map(\.content) ?? [])
        let currencies = Set(contents.compactMap { $0.kind == Cost.kind ? $0.body.text(Cost.currency) : nil })
        return currencies.count == 1 ? currencies.first : nil
    }
}

extension [FieldChange] {
    /// The changes without those of the originals that are kept beside the values they became.
    fileprivate var withoutOriginals: [FieldChange] { filter { !$0.path.hasPrefix(MangoDocument.originals) } }
}

extension ImportedEntry {
    /// Returns the entry with a currency, if it is a cost without one.
    fileprivate func guessing(_ currency: String?) -> ImportedEntry {
        guard let currency, content.kind == Cost.kind, content.body[Cost.currency] == nil else { return self }
        var entry = self
        entry.content.body[Cost.currency] = .text(currency)
        entry.content.inferred.append(Cost.currency.name)
        return entry
    }
}
