internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import Interchange
internal import JournalEvents
internal import MedicalRecords

extension Journal {
    /// Takes a document in: all of it or nothing. What the journal holds already is left as it is.
    ///
    /// A cost that names no currency gets `currency`, else the one that all other costs of the record have; it is noted as
    /// guessed. With `isTrial` nothing is appended, and the report says what would have been.
    package func take(
        _ document: ImportedRecord,
        currency: String? = nil,
        isTrial: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> ImportReport {
        try await retrying {
            guard caller.kind == .person else {
                throw JournalError(.refused, "only a person's account can import a record")
            }
            let version = try log.version(of: document.id)
            let before = try records.record(document.id, asOf: log.head())
            var change = Change(self, caller)
            var report = ImportReport(
                record: document.id,
                isNewRecord: before == nil,
                isProfileChanged: false,
                added: 0,
                corrected: 0,
                unchanged: 0,
                unrepresented: document.unrepresented
            )
            if let before {
                _ = try await admit(caller, to: .manage, on: before.id)
                try update(before, to: document.profile, &change, &report)
            } else {
                try create(document, caller, &change)
            }
            change.expect(document.id, .exact(version))
            let currency = currency?.uppercased() ?? Journal.sharedCurrency(of: document, before)
            for entry in document.entries.map({ $0.guessing(currency) }) {
                try take(entry, into: document.id, before, &change, &report)
            }
            guard !isTrial, !change.isEmpty else { return report }
            // Kept only now, when nothing can be refused any more, and before the events that name them.
            for bytes in document.entries.compactMap(\.attachment) { _ = try log.blobs.put(bytes, subject: document.id) }
            report.position = try await change.commit()?.last
            return report
        }
    }

    private func create(_ document: ImportedRecord, _ caller: Caller, _ change: inout Change) throws {
        for event in try decide(.create(document.profile, owner: caller.account), nil, now: now) {
            try change.add(event, stream: document.id, subject: document.id, expecting: .empty)
        }
        try claim(document.profile, instead: nil, of: document.id, &change)
    }

    private func update(
        _ before: RecordState,
        to profile: RecordProfile,
        _ change: inout Change,
        _ report: inout ImportReport
    ) throws {
        guard !before.profile.saysTheSame(as: profile) else { return }
        for event in try decide(.change(profile), before, now: now) {
            try change.add(event, stream: before.id, subject: before.id)
            report.isProfileChanged = true
        }
        if report.isProfileChanged { try claim(profile, instead: before.profile, of: before.id, &change) }
    }

    private func take(
        _ entry: ImportedEntry,
        into record: UUID,
        _ before: RecordState?,
        _ change: inout Change,
        _ report: inout ImportReport
    ) throws {
        let content = entry.attachment.map(entry.content.naming) ?? entry.content
        do {
            guard let known = before?.entry(entry.id) else {
                guard try log.version(of: entry.id) == 0 else {
                    throw ModelError(.conflict, "there is an entry of this id in another record")
                }
                for event in try decide(.add(content), nil, isClosed: before?.isClosed ?? false, now: now) {
                    try change.add(event, stream: entry.id, subject: record, entry: entry.id, expecting: .empty)
                }
                report.added += 1
                return
            }
            // What was retracted here stays so: a document that does not know of it does not bring it back.
            if known.isRetracted || known.content.saysTheSame(as: content) {
                report.unchanged += 1
                return
            }
            let version = try log.version(of: entry.id)
            for event in try decide(.correct(content), known, isClosed: before?.isClosed ?? false, now: now) {
                try change.add(event, stream: entry.id, subject: record, entry: entry.id, expecting: .exact(version))
            }
            report.corrected += 1
        } catch let error as ModelError {
            let field = [entry.path, error.field].compactMap(\.self).joined(separator: ".")
            throw ModelError(error.code, field: field, error.message)
        }
    }

    private static func sharedCurrency(of document: ImportedRecord, _ before: RecordState?) -> String? {
        let contents = document.entries.map(\.content) + (before?.activeEntries(of: Cost.kind).map(\.content) ?? [])
        let currencies = Set(contents.compactMap { $0.kind == Cost.kind ? $0.body.text(Cost.currency) : nil })
        return currencies.count == 1 ? currencies.first : nil
    }
}

extension ImportedEntry {
    /// The entry with a currency, if it is a cost that names none.
    fileprivate func guessing(_ currency: String?) -> ImportedEntry {
        guard let currency, content.kind == Cost.kind, content.body[Cost.currency] == nil else { return self }
        var entry = self
        entry.content.body[Cost.currency] = .text(currency)
        entry.content.inferred.append(Cost.currency.name)
        return entry
    }
}
