internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import Interchange
internal import JournalEvents
internal import MedicalRecords

extension Journal {
    /// Takes a document in: all of it or nothing.
    ///
    /// What the journal holds already is left as it is.
    ///
    /// A cost that names no currency gets `currency`, else the one that all other costs of the record have; it is noted as
    /// guessed. With `isTrial` nothing is appended, and the report says what would have been.
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

    /// Takes several documents in, all of them or none; a report for each.
    package func take(
        _ documents: [ImportedRecord],
        currency: String? = nil,
        isTrial: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> [ImportReport] {
        try await retrying {
            guard caller.kind == .person else {
                throw try await refusal(of: caller, .manage, because: "only a person's account can import a record")
            }
            try await requireScope(caller)
            var change = try Change(self, caller)
            var reports: [ImportReport] = []
            var attachments: [(bytes: [UInt8], record: UUID)] = []
            var ids: Set<UUID> = []
            for document in documents {
                let count = change.events.count
                var report = try await take(document, currency, &change, caller)
                if change.events.count > count { report.position = 0 }
                reports.append(report)
                for (id, path) in [(document.id, "id")] + document.entries.map({ ($0.id, $0.path + ".id") }) {
                    guard ids.insert(id).inserted else {
                        throw ModelError(.invalid, field: path, "stands for something else in this document too")
                    }
                }
                attachments += document.entries.compactMap { entry in entry.attachment.map { ($0, document.id) } }
            }
            guard !isTrial, !change.isEmpty else {
                for index in reports.indices { reports[index].position = nil }
                return reports
            }
            // Kept only now, when nothing can be refused any more, and before the events that name them.
            for (bytes, record) in attachments { _ = try log.blobs.put(bytes, subject: record) }
            let last = try await change.commit()?.last
            for index in reports.indices where reports[index].position != nil { reports[index].position = last }
            return reports
        }
    }

    private func take(
        _ document: ImportedRecord,
        _ currency: String?,
        _ change: inout Change,
        _ caller: Caller
    ) async throws -> ImportReport {
        let version = try log.version(of: document.id)
        let before = try records.record(document.id, asOf: log.head())
        var report = ImportReport(
            record: document.id,
            displayName: document.profile.displayName,
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
            // What was erased does not come back with a document, and is answered like the record that it was.
            if try tombstone(of: document.id) != nil { _ = try await admit(caller, to: .manage, on: document.id) }
            if version > 0 { throw JournalError.idInUse }
            try create(document, caller, &change)
        }
        change.expect(document.id, .exact(version))
        let currency = currency?.uppercased() ?? Journal.sharedCurrency(of: document, before)
        for entry in document.entries.map({ $0.guessing(currency) }) {
            try take(entry, into: document.id, before, &change, &report)
        }
        return report
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
        guard !before.profile.saysTheSame(as: profile), try !wasTaken(profile, for: before.id) else { return }
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
            let isTold =
                try known.isRetracted || known.content.saysTheSame(as: content) || wasTaken(content, for: known.id)
            if isTold {
                report.unchanged += 1
                return
            }
            // Decided on what `before` showed; what came since is looked at anew.
            guard let newest = try log.newest(of: entry.id), newest.position == known.latest.position else {
                throw EventLogError(.versionConflict, "an entry was changed in the meantime; import again")
            }
            let version = newest.streamPosition
            for event in try decide(.correct(content), known, isClosed: before?.isClosed ?? false, now: now) {
                try change.add(event, stream: entry.id, subject: record, entry: entry.id, expecting: .exact(version))
            }
            report.corrected += 1
        } catch let error as ModelError {
            let field = [entry.path, error.field].compactMap(\.self).joined(separator: ".")
            throw ModelError(error.code, field: field, error.message)
        }
    }

    /// Whether the document says of an entry what it said when it was last taken in: what was corrected here since then stays.
    private func wasTaken(_ content: EntryContent, for entry: UUID) throws -> Bool {
        try lastTaken(entry) { $0.content }?.saysTheSame(as: content) ?? false
    }

    private func wasTaken(_ profile: RecordProfile, for record: UUID) throws -> Bool {
        let last = try lastTaken(record) { event -> RecordProfile? in
            switch event {
            case .recordCreated(let profile, _), .recordChanged(let profile): profile
            default: nil
            }
        }
        return last?.saysTheSame(as: profile) ?? false
    }

    /// What the newest event of a stream says that came from a document.
    private func lastTaken<Value>(_ stream: UUID, _ value: (JournalEvent) -> Value?) throws -> Value? {
        var last: Value?
        var version: UInt64 = 1
        while case let page = try log.events(of: stream, from: version), !page.isEmpty {
            for event in page where event.header.source == EventSource.import.rawValue {
                last = try value(log.recorded(event).event) ?? last
            }
            version += UInt64(page.count)
        }
        return last
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
