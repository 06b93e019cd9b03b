internal import EventLog
package import FoundationEssentials
package import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents
internal import MedicalRecords

/// A page of resources that a search found.
package struct FHIRPage: Sendable {
    package var resources: [JSONValue]
    /// The number of all that match, if it was asked for or this is the only page.
    package var total: Int?
    /// Where the next page begins; nil for the last one.
    package var next: FHIRSearch.Cursor?
    /// Whether the caller may not see entries of some of the kinds.
    package var isPartial = false
    /// The log position that the page reflects, for the address of the next page; nil if the caller may not know it.
    package var position: UInt64?

    package init(resources: [JSONValue] = [], total: Int? = nil, next: FHIRSearch.Cursor? = nil) {
        (self.resources, self.total, self.next) = (resources, total, next)
    }
}

/// One resource, as it was at a moment.
package struct FHIRFound: Sendable {
    /// Nil if the entry was retracted.
    package var resource: JSONValue?
    /// The position of the last change; nil if the caller may not know it.
    package var version: UInt64?
}

extension Journal.Exports {
    /// Searches the resources of a record that the caller may see; the search is audited with the entries that it shows.
    ///
    /// `render` writes the page that is served at `address`, which contains every parameter of the search. A page of the present
    /// is cached until something that it depends on changes.
    package func searchFHIR(
        _ search: FHIRSearch,
        of record: UUID,
        asOf moment: AsOf? = nil,
        at address: String,
        _ caller: Caller,
        render: (FHIRPage) -> [UInt8]
    ) async throws(JournalError) -> [UInt8] {
        try await journal.retrying {
            var options = ReadOptions(asOf: moment)
            // A read and no search for words, so that the emergency view answers it, too.
            let admission = try await journal.access.admit(caller, to: .reading(options, .read), on: record)
            options.kinds = search.kinds
            let question = QueryKey(
                form: .fhir(address: address),
                options: options,
                right: admission.right,
                scope: admission.scope
            )
            let answer: RenderedAnswer
            if let kept = try journal.records.kept(admission, options, question) {
                answer = kept
            } else {
                answer = try await found(search, admission, options, render)
                try journal.records.keep(answer, to: question, of: record)
            }
            var shown = Shown(answer.entryCount, answer.entries, options, admission, asOf: answer.position)
            shown.sections.formIntersection(admission.sections)
            try await journal.access.trace(caller, admission, shown)
            return answer.bytes
        }
    }

    /// Finds a page of resources, before the search is audited.
    private func found(
        _ search: FHIRSearch,
        _ admission: Admission,
        _ options: ReadOptions,
        _ render: (FHIRPage) -> [UInt8]
    ) async throws -> RenderedAnswer {
        let position = try journal.log.position(asOf: options.asOf)
        let reader = try FHIRReading(journal, admission, options, asOf: position)
        var page = FHIRPage()
        page.isPartial = search.kinds.contains { !admission.sees($0) }
        let isFirst = search.cursor == nil
        var patients: [JSONValue] = []
        if isFirst, search.includesPatient {
            let patient = try await reader.patient()
            let isVersioned = reader.version != nil
            if search.admits(patient: patient, reader.state, isVersioned: isVersioned) { patients = [patient] }
        }
        let found = try await reader.find(search, counting: search.wantsTotal && isFirst)
        page.resources = search.count == 0 ? [] : patients + (try reader.resources(found.entries))
        page.next = found.next
        if isFirst, search.wantsTotal || found.next == nil { page.total = found.total + patients.count }
        if admission.right == .owner { page.position = position }
        return RenderedAnswer(
            bytes: render(page),
            asOf: reader.asOf,
            version: reader.version,
            entryCount: found.entries.count,
            entries: ShownEntries.each(of: found.entries),
            position: position
        )
    }

    /// Reads the Patient of a record.
    package func patientFHIR(
        _ record: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> FHIRFound {
        try await journal.retrying {
            let options = ReadOptions(asOf: moment, page: .newest(0))
            let admission = try await journal.access.admit(caller, to: .reading(options, .read), on: record)
            let position = try journal.log.position(asOf: moment)
            let reader = try FHIRReading(journal, admission, options, asOf: position)
            let found = FHIRFound(resource: try await reader.patient(), version: reader.version)
            try await journal.access.trace(caller, admission, Shown(0, [], options, admission, asOf: position))
            return found
        }
    }

    /// Searches the Patients of the records that the caller may see.
    package func searchPatientsFHIR(
        _ search: FHIRSearch,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> FHIRPage {
        try await journal.retrying {
            let listed = try await journal.records.listRecords(asOf: moment, caller)
            let position = try journal.log.position(asOf: moment)
            let options = ReadOptions(asOf: moment, page: .newest(0))
            var found: [(resource: JSONValue, admission: Admission, values: [FHIRSortKey.Value?])] = []
            for record in listed where search.ids?.contains(record.id) ?? true {
                guard
                    case .admitted(let admission) = try journal.access.decideAdmission(
                        caller,
                        .reading(options, .read),
                        on: record.id
                    )
                else { continue }
                let reader = try FHIRReading(journal, admission, options, asOf: position)
                let patient = try await reader.patient()
                if search.admits(patient: patient, reader.state, isVersioned: reader.version != nil) {
                    let values = search.order.map { $0.value(of: reader.state, patient: patient) }
                    found.append((patient, admission, values))
                }
            }
            // Stable, because the standard library's sort is.
            found.sort { FHIRSortKey.precedes($0.values, $1.values, by: search.order) ?? false }
            let start = if case .offset(let offset)? = search.cursor { min(offset, found.count) } else { 0 }
            let shown = found[start..<min(start + search.count, found.count)]
            try await journal.access.trace(
                caller,
                shown.map { ($0.admission, Shown(0, [], options, $0.admission, asOf: position)) }
            )
            return FHIRPage(
                resources: shown.map(\.resource),
                total: found.count,
                next: shown.endIndex < found.count && search.count > 0 ? .offset(shown.endIndex) : nil
            )
        }
    }

    /// Reads the resource of an entry.
    ///
    /// An entry that the caller may not see is reported as not found.
    package func resourceFHIR(
        _ type: String,
        _ entry: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> FHIRFound {
        try await journal.retrying {
            guard let place = try journal.entries.place(ofEntry: entry), let kind = Kind.coded(place.kind) else {
                throw JournalError.noEntry
            }
            let state: EntryState
            do {
                state = try await journal.entries.entry(entry, of: kind, in: place.record, asOf: moment, caller)
            } catch let error as JournalError where error.code == .refused {
                throw JournalError.noEntry
            }
            guard FHIRTypes.type(of: state.content) == type else { throw JournalError.noEntry }
            let version = state.latest.position
            if state.isRetracted { return FHIRFound(resource: nil, version: version) }
            let options = ReadOptions(asOf: moment, page: .newest(0))
            guard
                case .admitted(let admission) = try journal.access.decideAdmission(
                    caller,
                    .reading(options, .read),
                    on: place.record
                )
            else { throw JournalError.noEntry }
            let position = try journal.log.position(asOf: moment)
            let reader = try FHIRReading(journal, admission, options, asOf: position)
            guard let resource = try reader.resources([state]).first else { throw JournalError.noEntry }
            return FHIRFound(resource: resource, version: version)
        }
    }

    /// Returns all versions of the resource of an entry, the newest first.
    package func versionsFHIR(
        _ type: String,
        _ entry: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [FHIRVersion] {
        try await journal.retrying {
            guard let place = try journal.entries.place(ofEntry: entry) else { throw JournalError.noEntry }
            let head = try journal.log.position(asOf: moment)
            let options = ReadOptions(page: .newest(0))
            let admission: Admission
            let events: [RecordedEvent]
            do {
                // Of the present: whoever may read an entry may see its history. Refused attempts are recorded.
                admission = try await journal.access.admit(caller, to: .reading(options, .read), on: place.record)
                events = try await journal.trail.history(ofEntry: entry, caller)
            } catch let error as JournalError where error.code == .refused {
                throw JournalError.noEntry
            }
            let reader = try FHIRReading(journal, admission, options, asOf: journal.log.head())
            var versions: [FHIRVersion] = []
            for event in events where event.stamp.position <= head {
                try Task.checkCancellation()
                guard let state = try journal.contents(admission).entry(entry, asOf: event.stamp.position) else {
                    continue
                }
                guard FHIRTypes.type(of: state.content) == type else { throw JournalError.noEntry }
                let resource = state.isRetracted ? nil : try reader.resources([state]).first
                versions.append(FHIRVersion(resource, event.stamp, isFirst: versions.isEmpty))
            }
            guard !versions.isEmpty else { throw JournalError.noEntry }
            return versions.reversed()
        }
    }
}

/// Reads the entries of a record as resources, for a caller who was admitted.
private struct FHIRReading {
    private let journal: Journal
    private let admission: Admission
    private let selection: MedicalRecordsView.Selection
    private let position: UInt64
    let state: RecordState
    /// The position of the record's last change; nil if the caller may not know it.
    let version: UInt64?
    /// The last event that the answer reflects, as far as the caller may know of it.
    let asOf: Stamp
    private let showsProfile: Bool

    private static let pageLength = 128

    init(_ journal: Journal, _ admission: Admission, _ options: ReadOptions, asOf position: UInt64) throws {
        var head = options
        head.page = .newest(0)
        let answer = try journal.records.answer(admission, head, asOf: position)
        (self.journal, self.admission, self.position) = (journal, admission, position)
        (state, version, asOf, showsProfile) = (answer.state, answer.version, answer.asOf, answer.showsProfile)
        selection = journal.records.selection(admission, options)
    }

    // MARK: - Entries

    struct Found {
        var entries: [EntryState] = []
        var next: FHIRSearch.Cursor?
        var total = 0
    }

    private struct Match {
        var resource: JSONValue?
    }

    /// Finds a page; `counting` is whether all that match are counted.
    func find(_ search: FHIRSearch, counting: Bool) async throws -> Found {
        search.order.isEmpty ? try await findAsAdded(search, counting: counting) : try await findSorted(search)
    }

    private func findAsAdded(_ search: FHIRSearch, counting: Bool) async throws -> Found {
        var found = Found()
        var start: (kind: UInt16, added: UInt64)?
        if case .after(let kind, let added)? = search.cursor { start = (kind, added) }
        for kind in selection.kinds {
            var after: UInt64? = 0
            if let begin = start {
                guard kind.code == begin.kind || isBefore(begin.kind, kind) else { continue }
                if kind.code == begin.kind { after = begin.added }
            }
            while let from = after {
                try Task.checkCancellation()
                // Without counting, the search ends at the first match after the page, so few entries need to be opened.
                let needed = counting ? Self.pageLength : max(search.count - found.entries.count + 1, 16)
                let page = try references(kind, after: from, lookingAt: min(needed, Self.pageLength))
                for entry in try entries(search.wanted(among: page.found.map(\.entry)))
                where try match(entry, search) != nil {
                    found.total += 1
                    if found.entries.count < search.count {
                        found.entries.append(entry)
                    } else if found.next == nil, let last = found.entries.last {
                        found.next = .after(kind: last.kind.code, added: last.added.position)
                        if !counting { return found }
                    }
                }
                after = page.end
                // Lets other requests run between pages.
                await Task.yield()
            }
        }
        return found
    }

    private func isBefore(_ code: UInt16, _ kind: Kind) -> Bool {
        let codes = Kind.all.map(\.code)
        guard let first = codes.firstIndex(of: code), let second = codes.firstIndex(of: kind.code) else { return false }
        return first < second
    }

    /// Reads each entry twice, because what is sorted by is part of the sealed content; only that is kept in memory.
    private func findSorted(_ search: FHIRSearch) async throws -> Found {
        var order: [(values: [FHIRSortKey.Value?], added: UInt64, entry: UUID)] = []
        for kind in selection.kinds {
            var after: UInt64? = 0
            while let from = after {
                try Task.checkCancellation()
                let page = try references(kind, after: from)
                for entry in try entries(search.wanted(among: page.found.map(\.entry))) {
                    guard let match = try match(entry, search) else { continue }
                    let values = search.order.map { $0.value(of: entry, match.resource) }
                    order.append((values, entry.added.position, entry.id))
                }
                after = page.end
                await Task.yield()
            }
        }
        // Entries that are equal stay in the order in which they were added, on every page.
        order.sort { first, second in
            FHIRSortKey.precedes(first.values, second.values, by: search.order) ?? (first.added < second.added)
        }
        let start = if case .offset(let offset)? = search.cursor { min(offset, order.count) } else { 0 }
        let end = min(start + search.count, order.count)
        var found = Found(entries: try entries(order[start..<end].map(\.entry)), total: order.count)
        if end < order.count, search.count > 0 { found.next = .offset(end) }
        return found
    }

    /// Returns an entry that matches, with its resource if the search looks at that; nil for one that does not match.
    private func match(_ entry: EntryState, _ search: FHIRSearch) throws -> Match? {
        guard search.admits(entry) else { return nil }
        guard search.looksAtElements else { return Match() }
        guard let resource = try writer().served(entry), search.admits(resource) else { return nil }
        return Match(resource: resource)
    }

    private func references(
        _ kind: Kind,
        after start: UInt64,
        lookingAt length: Int = pageLength
    ) throws -> (found: [MedicalRecordsView.Reference], end: UInt64?) {
        try journal.medicalRecords.references(
            to: kind,
            of: state.id,
            asOf: position,
            selection,
            after: start,
            lookingAt: length
        )
    }

    private func entries(_ ids: [UUID]) throws -> [EntryState] {
        try journal.contents(admission).entries(ids, asOf: position)
    }

    // MARK: - Resources

    private func writer(_ patientEntry: EntryState? = nil) -> RecordFHIRWriter {
        RecordFHIRWriter(serving: state, patientEntry: patientEntry) { [journal] entry in
            try journal.entries.fileBytes(of: entry)
        }
    }

    /// The resources of entries, with references that lead to other entries of the record that the caller may see.
    func resources(_ entries: [EntryState]) throws -> [JSONValue] {
        let writer = writer()
        var served: [(entry: EntryState, resource: JSONValue)] = []
        for entry in entries {
            try Task.checkCancellation()
            if let resource = try writer.served(entry) { served.append((entry, resource)) }
        }
        return try led(served)
    }

    /// The Patient: as it was imported, if the caller may see all of the profile.
    func patient() async throws -> JSONValue {
        var imported: EntryState?
        if showsProfile, admission.sees(Foreign.kind) {
            var after: UInt64? = 0
            var selection = selection
            selection.kinds = [Foreign.kind]
            while imported == nil, let from = after {
                try Task.checkCancellation()
                let page = try journal.medicalRecords.references(
                    to: Foreign.kind,
                    of: state.id,
                    asOf: position,
                    selection,
                    after: from,
                    lookingAt: Self.pageLength
                )
                imported = try entries(page.found.map(\.entry)).first { RecordFHIRWriter.isPatient($0.content) }
                after = page.end
            }
        }
        let resource = try writer(imported).servedPatient(isVersioned: version != nil)
        guard let imported else { return resource }
        return try led([(imported, resource)]).first ?? resource
    }

    private func led(_ served: [(entry: EntryState, resource: JSONValue)]) throws -> [JSONValue] {
        // A grant that begins at a day reveals nothing about earlier entries.
        try FHIRReferences(
            journal: journal,
            admission: admission,
            record: state.id,
            position: position,
            sees: { admission.sees($0) && admission.scope.since[$0] == nil },
            address: { "\($0)/\($1.text)" }
        )
        .led(served)
    }
}
