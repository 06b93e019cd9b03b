internal import EventLog
package import FoundationEssentials
internal import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents
internal import MedicalRecords
internal import Platform

extension Journal.Imports {
    /// Imports a document, all of it or nothing.
    ///
    /// Entries with the same content in the journal are left as they are. A document that this journal exported is
    /// merged: changes that were made here after its export stay, and are listed in the report. A value that was
    /// changed here since a document last contained it stays as well. A partial document, such as one of FHIR, replaces
    /// no value that was changed here.
    ///
    /// The events of an import lie between two of its own, ``HealthModel/ImportBegun`` and ``HealthModel/ImportEnded``, so
    /// that it can be undone as a whole. `digest` is the SHA-256 of the document in hex.
    ///
    /// A cost without a currency gets `currency`, or else the one that all other costs of the record have; it is marked
    /// as inferred. With `isTrial` nothing is appended, and the report describes what an import would do.
    package func take(
        _ document: ImportedRecord,
        currency: String? = nil,
        digest: String = "",
        isTrial: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> ImportReport {
        let reports = try await take([document], currency: currency, digest: digest, isTrial: isTrial, caller)
        guard let report = reports.first else { throw JournalError(.failed, "the import has no report") }
        return report
    }

    /// Imports several documents, all of them or none; returns a report for each.
    ///
    /// If a record itself, or an entry that they change, is changed by others meanwhile, they are decided on again. Documents
    /// of more than `AppendLimits.largeAppend` events are not kept for that, because of the memory that they need: their
    /// import fails.
    package func take(
        _ documents: consuming [ImportedRecord],
        currency: String? = nil,
        digest: String = "",
        isTrial: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> [ImportReport] {
        let ids = documents.map(\.id)
        var kept = Optional(consume documents)
        let reports = try await journal.retrying {
            if kept == nil {
                for id in ids where try journal.erasure.tombstone(of: id) != nil {
                    _ = try await journal.access.admit(caller, to: .manage, on: id)
                }
                throw JournalError(
                    .conflict,
                    "a record was changed during the import; nothing was imported: import again"
                )
            }
            var (change, reports, attachments) = try await decision(on: kept ?? [], currency, digest, isTrial, caller)
            try Task.checkCancellation()
            guard !isTrial, !change.isEmpty else {
                for index in reports.indices { reports[index].position = nil }
                return reports
            }
            // Stored only after everything has been decided, and before the events that refer to them.
            for (bytes, record) in attachments { _ = try journal.log.blobs.put(bytes, subject: record) }
            if change.events.count > AppendLimits.largeAppend {
                kept = nil
                Memory.returnFreed()
            }
            let last = try await (consume change).commit()?.last
            try journal.entries.storeRemoved(attachments)
            for index in reports.indices where reports[index].position != nil { reports[index].position = last }
            return reports
        }
        if kept == nil { Memory.returnFreed() }
        if !isTrial { await journal.entriesChanged(in: Set(reports.map(\.record)), by: caller) }
        return reports
    }

    /// Decides on documents, and returns the change, a report of each, and the files to store.
    private func decision(
        on documents: [ImportedRecord],
        _ currency: String?,
        _ digest: String,
        _ isTrial: Bool,
        _ caller: Caller
    ) async throws -> (Change, [ImportReport], [(bytes: [UInt8], record: UUID)]) {
        try await journal.access.admit(caller, to: .importRecords)
        var change = try Change(journal, caller)
        var reports: [ImportReport] = []
        var attachments: [(bytes: [UInt8], record: UUID)] = []
        var ids: Set<UUID> = []
        for document in documents {
            let count = change.events.count
            var report = try await take(document, currency, digest: digest, isTrial: isTrial, &change, caller)
            if change.events.count > count { report.position = 0 }
            reports.append(report)
            for (id, path) in [(document.id, "id")] + document.entries.map({ ($0.id, $0.path + ".id") }) {
                guard ids.insert(id).inserted else {
                    throw ModelError(.invalid, field: path, "is also the id of something else in this document")
                }
            }
            for entry in document.entries {
                // The file of an entry that was erased here is not stored again.
                guard let bytes = entry.attachment, try !journal.entries.isErased(entry: entry.id, of: document.id)
                else {
                    continue
                }
                attachments.append((bytes, document.id))
            }
        }
        return (change, reports, attachments)
    }

    /// Decides on one document, and adds its events to the change.
    ///
    /// A new record belongs to `owner`, or to the caller if it is nil. If it is given, the caller was authorized to import
    /// for that account, and a record of that account needs no other right.
    package func take(
        _ document: ImportedRecord,
        _ currency: String?,
        for owner: UUID? = nil,
        digest: String = "",
        isTrial: Bool,
        _ change: inout Change,
        _ caller: Caller
    ) async throws -> ImportReport {
        let version = try journal.log.version(of: document.id)
        let before = try state(before: document)
        let summary = ImportedRecordSummary(
            id: document.id,
            displayName: document.profile.displayName,
            unrepresented: document.unrepresented,
            contradictions: document.contradictions,
            faults: document.faults,
            skipped: document.skipped
        )
        var report = ImportReport(summary, isNewRecord: before == nil)
        var base: RecordState?
        var undos = ImportUndos(journal, of: document.id)
        let count = change.events.count
        if let before {
            let isOfOwner = owner.map(before.owners.contains) ?? false
            if !isOfOwner { _ = try await journal.access.admit(caller, to: .manage, on: before.id) }
            base = try exportedState(of: document)
            if document.hasProfile {
                // Values that a document lacks stay: it may have been written for a reader who may not see the whole
                // profile.
                let profile =
                    try document.isPartial
                    ? completed(before, by: document, &report) : document.profile.completed(by: before.profile)
                try update(
                    before,
                    since: base,
                    to: profile,
                    of: document.profile,
                    isTrial: isTrial,
                    &undos,
                    &change,
                    &report
                )
            }
        } else {
            guard document.hasProfile else { throw JournalError.noRecord }
            // A document does not bring back an erased record; the answer is the same as for any request for it.
            if try journal.erasure.tombstone(of: document.id) != nil {
                _ = try await journal.access.admit(caller, to: .manage, on: document.id)
            }
            if version > 0 { throw JournalError.idInUse }
            try create(document, owner ?? caller.account, &change)
        }
        change.expect(document.id, .exact(version))
        let currency = currency?.uppercased() ?? Self.sharedCurrency(of: document, before)
        let added = Dictionary(document.entries.map { ($0.id, $0.content.kind) }) { first, _ in first }
        let then = Dictionary((base?.entries ?? []).map { ($0.id, $0) }) { first, _ in first }
        let alike = AlikeEntries(before?.entries ?? [], besides: document.entries)
        let files = Set(document.entries.compactMap { entry in entry.attachment.map { BlobStore.digest(of: $0) } })
        var new: [EntryState] = []
        let stamp = Stamp(position: .max, recordedAt: journal.now, actor: caller.account)
        for entry in document.entries.map({ $0.guessing(currency) }) {
            // Nothing has been appended yet.
            try Task.checkCancellation()
            let changed = try take(
                entry,
                into: document.id,
                before,
                since: then[entry.id],
                of: document,
                added,
                alike,
                &undos,
                &change,
                &report
            )
            if var changed, isTrial || changed.what == .kept || changed.sameAs != nil {
                // Computed here, because most added entries are not listed.
                if changed.what == .added { changed.fields = entry.named.changes(from: nil).withoutOriginals }
                report.changes.append(changed)
            }
            if changed?.what == .added, !entry.isRetracted, entry.hasContent {
                new.append(EntryState(id: entry.id, record: document.id, content: entry.content, added: stamp))
            }
            if let digest = entry.content.fileDigest, !files.contains(digest),
                try before == nil || !journal.entries.holdsFile(digest, of: entry.id, in: document.id)
            {
                report.missingFiles.append(entry.id)
            }
            if case .date(let date)? = entry.content.date, date.firstDay != date.lastDay { report.partialDates += 1 }
            if let type = entry.content.body.text(Foreign.resourceType), entry.content.kind == Foreign.kind {
                report.foreign[type, default: 0] += 1
            }
        }
        report.doubts = Self.doubts(about: new, of: document, besides: before?.entries ?? [], today: journal.today)
        let known = Set(before?.entries.map(\.id) ?? [])
        report.unresolved = document.referencesElsewhere.count { !known.contains($0) }
        if change.events.count > count, caller.source == .import, !document.isPart {
            try enclose(from: count, of: document, report, digest: digest, &change)
        }
        return report
    }

    /// Returns which values of an import are far from those before them.
    ///
    /// Documents of this journal, and of apps that asked when the values were entered, were in doubt then.
    private static func doubts(
        about new: [EntryState],
        of document: ImportedRecord,
        besides known: [EntryState],
        today: Day
    ) -> [ImportDoubt] {
        guard document.shape != .native else { return [] }
        let paths = Dictionary(document.entries.map { ($0.id, $0.path) }) { first, _ in first }
        return SeriesDoubts(known).doubts(about: new, today: today)
            .map { ImportDoubt(entry: $0.entry, path: paths[$0.entry] ?? "", doubt: $0.doubt) }
    }

    /// Returns the record into which a document is imported; for a part of a document, only with the entries of that part.
    private func state(before document: ImportedRecord) throws -> RecordState? {
        let head = try journal.log.head()
        guard document.isPart else { return try journal.contents(for: .importing).record(document.id, asOf: head) }
        var state = try journal.contents(for: .importing).record(document.id, asOf: head, .noEntries)
        state?.entries = try journal.contents(for: .importing).entries(document.entries.map(\.id), asOf: head)
        return state
    }

    /// Encloses the events of an import, from an index on, between those that begin and end it.
    private func enclose(
        from index: Int,
        of document: ImportedRecord,
        _ report: ImportReport,
        digest: String,
        _ change: inout Change
    ) throws(ModelError) {
        let begun = ImportBegun(format: document.sourceName, digest: digest, mapping: document.mapping)
        let ended = ImportEnded(
            format: document.sourceName,
            added: report.added,
            corrected: report.corrected,
            retracted: report.retracted
        )
        // A record begins with its creation.
        let place = report.isNewRecord ? index + 1 : index
        try change.add(.importBegun(begun), in: .own(document.id), at: place)
        try change.add(.importEnded(ended), in: .own(document.id))
    }

    /// Returns the profile of a record with what a partial document adds to it.
    ///
    /// A value of the record stays, unless it is the one that an earlier document of the same Patient contained.
    private func completed(
        _ before: RecordState,
        by document: ImportedRecord,
        _ report: inout ImportReport
    ) throws(JournalError) -> RecordProfile {
        var profile = before.profile
        guard profile.subject == document.profile.subject else {
            throw JournalError(
                .conflict,
                """
                the document is about \(document.profile.subject == .human ? "a human" : "an animal"), but the record is about \
                \(profile.subject == .human ? "a human" : "an animal")
                """
            )
        }
        let earlier = document.entries.lazy.compactMap { before.entry($0.id) }
            .compactMap { FHIRDocument.profile(keptIn: $0.content) }.first
        var kept: Set<String> = []
        for field in profile.fields {
            guard let new = document.profile.values[field], new != profile.values[field] else { continue }
            if profile.values[field] == nil || profile.values[field] == earlier?.values[field] {
                profile.values[field] = new
            } else if new != earlier?.values[field] {
                kept.insert(field.name)
            }
        }
        if !kept.isEmpty {
            let fields = document.profile.changes(from: before.profile)
                .filter { change in kept.contains { change.path == $0 || change.path.hasPrefix($0 + ".") } }
            report.kept += 1
            report.changes.append(ImportChange(what: .kept, fields: fields))
        }
        return profile
    }

    /// Returns the record as this journal knew it when it exported a document.
    ///
    /// Returns nil for a document that another journal or no journal exported. A position alone could be any journal's:
    /// the recorded time of its event identifies the journal.
    private func exportedState(of document: ImportedRecord) throws -> RecordState? {
        guard let exported = document.exported, exported.position > 0, try exported.position <= journal.log.head(),
            try journal.records.stamp(at: exported.position).recordedAt == exported.recordedAt
        else { return nil }
        return try journal.contents(for: .importing).record(document.id, asOf: exported.position)
    }

    private func create(_ document: ImportedRecord, _ owner: UUID, _ change: inout Change) throws {
        try journal.entries.requireZones(of: document.profile)
        try change.add(
            decide(.create(document.profile, owner: owner), nil, now: journal.now),
            in: .own(document.id),
            expecting: .empty
        )
        try journal.claim(document.profile, instead: nil, of: document.id, &change)
    }

    private func update(
        _ before: RecordState,
        since base: RecordState?,
        to profile: RecordProfile,
        of document: RecordProfile,
        isTrial: Bool,
        _ undos: inout ImportUndos,
        _ change: inout Change,
        _ report: inout ImportReport
    ) throws {
        guard !before.profile.hasSameContent(as: profile) else { return }
        let isOurs = base.map { !$0.profile.hasSameContent(as: before.profile) } ?? false
        let fields = profile.changes(from: before.profile)
        if try isOurs
            || base == nil
                && isOutdated(
                    before.id,
                    &undos,
                    { event in event.profile.map { document.completed(by: $0).hasSameContent(as: $0) } ?? false }
                )
        {
            report.kept += 1
            report.changes.append(ImportChange(what: .kept, fields: fields))
            return
        }
        if isTrial { report.changes.append(ImportChange(what: .corrected, fields: fields)) }
        try journal.entries.requireZones(of: profile)
        for event in try decide(.change(profile), before, now: journal.now) {
            try change.add(event, in: .own(before.id))
            report.isProfileChanged = true
        }
        if report.isProfileChanged { try journal.claim(profile, instead: before.profile, of: before.id, &change) }
    }

    /// Imports an entry, and returns the change, without the fields of an added entry; nil if nothing changes.
    ///
    /// `base` is the entry as it was when this journal exported the document.
    private func take(
        _ entry: ImportedEntry,
        into record: UUID,
        _ before: RecordState?,
        since base: EntryState?,
        of document: ImportedRecord,
        _ added: [UUID: Kind],
        _ alike: AlikeEntries,
        _ undos: inout ImportUndos,
        _ change: inout Change,
        _ report: inout ImportReport
    ) throws -> ImportChange? {
        let content = document.shape == .fhir ? entry.named : entry.named.withoutMark
        // A document does not bring back an erased entry; a new record has none.
        if try before != nil && journal.entries.isErased(entry: entry.id, of: record) {
            report.kept += 1
            return ImportChange(what: .kept, entry: entry.id, kind: content.kind, fields: [])
        }
        do {
            let known = before?.entry(entry.id)
            guard entry.hasContent else {
                guard let known, !known.isRetracted else {
                    report.unchanged += 1
                    return nil
                }
                return try retract(known, in: before, &change, &report)
            }
            try journal.entries.requireReferences(of: content, besides: known?.content, added: added, in: record)
            if let former = entry.replaces.lazy.compactMap({ before?.entry($0) }).first(where: { !$0.isRetracted }) {
                if isOlder(entry, than: former, in: document) {
                    report.older += 1
                    return nil
                }
                // What a person here made of the former entry stays, whatever kind its source gives it now.
                if try isOutdated(former.id, &undos, { _ in true }) {
                    report.kept += 1
                    return ImportChange(what: .kept, entry: former.id, kind: former.kind, fields: [])
                }
            }
            let replaced = entry.replaces.compactMap { before?.entry($0) }.filter { !$0.isRetracted }
            for former in replaced { _ = try retract(former, in: before, &change, &report) }
            guard let known else {
                _ = try journal.entries.newID(of: content, in: record, given: entry.id)
                guard try journal.log.version(of: entry.id) == 0 else {
                    throw ModelError(.conflict, "there is an entry with this id in another record")
                }
                try change.add(
                    decide(.add(content), nil, isClosed: before?.isClosed ?? false, now: journal.now),
                    in: .entry(entry.id, of: record),
                    expecting: .empty
                )
                report.added += 1
                if entry.isRetracted {
                    try change.add(.entryRetracted, in: .entry(entry.id, of: record, content.kind))
                }
                let same = entry.isRetracted ? nil : alike.entry(alike: content)
                if same != nil { report.possibleDuplicates += 1 }
                return ImportChange(what: .added, entry: entry.id, kind: content.kind, fields: [], sameAs: same)
            }
            if known.isRetracted, !entry.isRetracted, base == nil, entry.seen == nil,
                try !replaced.isEmpty || isOfUndo(known, &undos)
            {
                return try restore(known, as: content, in: before, &change, &report)
            }
            if known.content.hasSameContent(as: content), base.map({ $0.isRetracted == known.isRetracted }) ?? true {
                if document.isPartial, entry.isRetracted, !known.isRetracted {
                    return try retract(known, in: before, &change, &report)
                }
                report.unchanged += 1
                return nil
            }
            if isOlder(entry, than: known, in: document) {
                report.older += 1
                return nil
            }
            // A summary of fewer values is of an older export.
            if document.shape == .appleHealth, let new = content.body.integer(MeasuredValue.count),
                let held = known.content.body.integer(MeasuredValue.count), new < held
            {
                report.older += 1
                return nil
            }
            let fields = content.changes(from: known.content).withoutOriginals
            // A change that was made here after the export is newer than the document, whatever the document contains.
            let seen = entry.seen ?? base?.latest.position
            let isOurs = try seen.map { try $0 != known.latest.position && !isOfUndo(known, &undos) } ?? false
            if try isOurs
                || seen == nil && !known.isRetracted
                    && isOutdated(
                        known.id,
                        &undos,
                        { document.isPartial || $0.content?.hasSameContent(as: content) ?? false }
                    )
            {
                report.kept += 1
                return ImportChange(what: .kept, entry: entry.id, kind: content.kind, fields: fields)
            }
            // An entry that was retracted here stays retracted: a document without the retraction does not restore it.
            if known.isRetracted {
                report.unchanged += 1
                return nil
            }
            if document.isPartial, entry.isRetracted { return try retract(known, in: before, &change, &report) }
            let version = try unchangedVersion(of: known)
            try change.add(
                decide(.correct(content), known, isClosed: before?.isClosed ?? false, now: journal.now),
                in: .entry(entry.id, of: record),
                expecting: .exact(version)
            )
            report.corrected += 1
            return ImportChange(what: .corrected, entry: entry.id, kind: content.kind, fields: fields)
        } catch let error as ModelError {
            // A document that is one resource has no path.
            let parts = [entry.path, error.field].compactMap(\.self).filter { !$0.isEmpty }
            throw ModelError(error.code, field: parts.isEmpty ? nil : parts.joined(separator: "."), error.text)
        }
    }

    /// Restores an entry that undoing an import retracted, with the content that the document has now.
    private func restore(
        _ known: EntryState,
        as content: EntryContent,
        in before: RecordState?,
        _ change: inout Change,
        _ report: inout ImportReport
    ) throws -> ImportChange {
        let isClosed = before?.isClosed ?? false
        var events = try decide(.restore, known, isClosed: isClosed, now: journal.now)
        if !known.content.hasSameContent(as: content) {
            var active = known
            active.retracted = nil
            events += try decide(.correct(content), active, isClosed: isClosed, now: journal.now)
        }
        try add(events, to: known, &change)
        report.added += 1
        return ImportChange(what: .added, entry: known.id, kind: known.kind, fields: [])
    }

    /// Retracts an entry because the document does so.
    private func retract(
        _ known: EntryState,
        in before: RecordState?,
        _ change: inout Change,
        _ report: inout ImportReport
    ) throws -> ImportChange {
        try add(decide(.retract, known, isClosed: before?.isClosed ?? false, now: journal.now), to: known, &change)
        report.retracted += 1
        return ImportChange(what: .retracted, entry: known.id, kind: known.kind, fields: [])
    }

    /// Adds events of a known entry, which must not have changed since its state was read.
    private func add(_ events: [JournalEvent], to known: EntryState, _ change: inout Change) throws {
        let version = try unchangedVersion(of: known)
        for (index, event) in events.enumerated() {
            try change.add(
                event,
                in: .entry(known.id, of: known.record, known.kind),
                expecting: index == 0 ? .exact(version) : nil
            )
        }
    }

    /// Returns the version of an entry's stream; throws if the entry has changed since its state was read.
    ///
    /// The decision is based on that state, so the import is retried then.
    private func unchangedVersion(of known: EntryState) throws -> UInt64 {
        guard let newest = try journal.log.newest(of: known.id), newest.position == known.latest.position else {
            throw EventLogError(.versionConflict, "an entry was changed in the meantime; import again")
        }
        return newest.streamPosition
    }

    /// Reports whether a document contains a value that was replaced here, so that the later correction stays.
    ///
    /// A value that an import replaced is not such a one: the app from which the documents come may have returned to it.
    /// What undoing an import brought back counts as it did before that import, whose values were never said then.
    private func isOutdated(
        _ stream: UUID,
        _ undos: inout ImportUndos,
        _ isSame: (JournalEvent) -> Bool
    ) throws -> Bool {
        var said: [(event: JournalEvent, isReplacedHere: Bool)] = []
        var version: UInt64 = 1
        while case let page = try journal.log.events(of: stream, from: version), !page.isEmpty {
            for event in page {
                let recorded = try journal.log.recorded(event).event
                guard recorded.content != nil || recorded.profile != nil else { continue }
                if try undos.contain(event), let before = said.lastIndex(where: { $0.event.says(recorded) }) {
                    said.removeSubrange((before + 1)...)
                } else {
                    said.append((recorded, event.header.source != EventSource.import.rawValue))
                }
            }
            version += UInt64(page.count)
        }
        return said.last?.isReplacedHere == true && said.contains { isSame($0.event) }
    }

    /// Whether a document has an earlier version of an entry than the journal, which must not replace it.
    private func isOlder(_ entry: ImportedEntry, than known: EntryState, in document: ImportedRecord) -> Bool {
        guard !document.takesOlder, let updated = entry.updated, let held = FHIRDocument.updated(known.content) else {
            return false
        }
        return updated < held
    }

    /// Whether the latest change of an entry undid an import.
    private func isOfUndo(_ known: EntryState, _ undos: inout ImportUndos) throws -> Bool {
        guard let newest = try journal.log.newest(of: known.id) else { return false }
        return try undos.contain(newest)
    }

    private static func sharedCurrency(of document: ImportedRecord, _ before: RecordState?) -> String? {
        let contents = document.entries.map(\.content) + (before?.activeEntries(of: Cost.kind).map(\.content) ?? [])
        let currencies = Set(contents.compactMap { $0.kind == Cost.kind ? $0.body.text(Cost.currency) : nil })
        return currencies.count == 1 ? currencies.first : nil
    }
}

extension MedicalRecordsView.Selection {
    /// Selects nothing, so that only the record itself is read.
    static var noEntries: Self {
        var selection = Self()
        selection.kinds = []
        return selection
    }
}

extension ImportedEntry {
    /// The content, with the name of its file.
    fileprivate var named: EntryContent { attachment.map(content.naming) ?? content }

    /// Returns the entry with a currency, if it is a cost without one.
    fileprivate func guessing(_ currency: String?) -> ImportedEntry {
        guard let currency, content.kind == Cost.kind, content.body[Cost.currency] == nil else { return self }
        var entry = self
        entry.content.body[Cost.currency] = .text(currency)
        entry.content.inferred.append(Cost.currency.name)
        return entry
    }
}

extension JournalEvent {
    /// Whether another event sets the same content of an entry, or the same profile.
    fileprivate func says(_ other: JournalEvent) -> Bool {
        if let content, let same = other.content { return content.hasSameContent(as: same) }
        if let profile, let same = other.profile { return profile.hasSameContent(as: same) }
        return false
    }
}
