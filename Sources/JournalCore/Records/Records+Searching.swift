internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// A search for words in the profiles and the entries that a caller may see.
package struct SearchRequest: Hashable, Sendable {
    package var query: SearchQuery
    /// Nil for all records of the caller.
    package var record: UUID?
    /// The moment, the kinds and the days that are searched, and the limit of the answer.
    package var options: ReadOptions
    /// What the reader's language calls each kind, beside its English name.
    package var kindNames: [Kind: String] = [:]

    /// How many entries an answer contains by default.
    package static let usualLimit = 50
    /// The maximum number of entries of an answer.
    package static let maximumLimit = 1_000

    package init(_ query: SearchQuery, in record: UUID? = nil, _ options: ReadOptions) {
        (self.query, self.record, self.options) = (query, record, options)
    }

    /// The days of the options, unless all are searched.
    fileprivate var period: Period? {
        options.period == Period() ? nil : options.period
    }
}

/// What a search found in the profiles and the entries of some records.
package struct SearchAnswer: Hashable, Sendable {
    package struct FoundRecord: Hashable, Sendable {
        package var id: UUID
        package var name: String
        package var subject: Subject
        /// Whether the profile matches, and not only entries.
        package var matches: Bool
    }

    /// The records whose profile or entries were found, in the order in which they were created.
    package var records: [FoundRecord]
    /// The entries that match, the latest first, up to the limit.
    package var entries: [EntryState]
    /// The number of entries that match, including those beyond the limit.
    package var count: Int
    /// Whether nothing matches as it was typed, so that the answer contains what matches with typing errors.
    package var isNear: Bool
    /// The number of records that were searched.
    package var searched: Int
    /// The log position that the search reflects, if a moment was asked for: the head would tell how active the journal
    /// is.
    package var position: UInt64?
}

extension Journal.Records {
    /// Searches the profiles and the entries that the caller may see, and audits the search in each searched record.
    ///
    /// All words must be found in an entry, its kind, its date, or the name of its record. If nothing matches as it was
    /// typed, one typing error is allowed in each word of four letters or more without a digit. Nothing of the texts is
    /// kept: each search opens the sealed entries, on all processors.
    package func search(_ request: SearchRequest, _ caller: Caller) async throws(JournalError) -> SearchAnswer {
        try await journal.retrying {
            let options = request.options
            let position = try journal.log.position(asOf: options.asOf)
            let searched = try await searchedRecords(request, asOf: position, caller)
            let all = try await searchEntries(of: searched, request, asOf: position)
            let isNear = all.exact.count == 0 && !searched.contains { $0.match == .exact }
            let found = isNear ? all.near : all.exact
            let admissions = Dictionary(searched.map { ($0.found.id, $0.admission) }) { first, _ in first }
            let entries = try found.latest(options.page.limit)
                .compactMap { hit -> EntryState? in
                    guard let record = try journal.medicalRecords.place(ofEntry: hit.entry)?.record,
                        let admission = admissions[record]
                    else { return nil }
                    return try unlessErased { try journal.contents(admission).entry(hit.entry, asOf: position) }
                }
            let shown = Dictionary(grouping: entries, by: \.record)
            let answer = SearchAnswer(
                records: searched.compactMap { record in
                    var found = record.found
                    found.matches = record.match == (isNear ? .near : .exact)
                    return found.matches || shown[found.id] != nil ? found : nil
                },
                entries: entries,
                count: found.count,
                isNear: isNear,
                searched: searched.count,
                position: options.asOf == nil ? nil : position
            )
            try await journal.access.trace(
                caller,
                searched.map { record in
                    let entries = shown[record.found.id] ?? []
                    let runs = ShownEntries.each(of: entries)
                    var shown = Shown(entries.count, runs, options, record.admission, asOf: position)
                    shown.sections.formIntersection(record.admission.sections)
                    return (record.admission, shown)
                }
            )
            return answer
        }
    }

    /// A record that is searched.
    private struct SearchedRecord: Sendable {
        let found: SearchAnswer.FoundRecord
        let admission: Admission
        /// The words in the name.
        let context: SearchQuery.FoundWords
        /// How well the profile matches; nil if it does not, or if the search is for some kinds or days only.
        let match: SearchQuery.Match?
    }

    private func searchedRecords(
        _ request: SearchRequest,
        asOf position: UInt64,
        _ caller: Caller
    ) async throws -> [SearchedRecord] {
        let options = request.options
        guard let only = request.record else {
            let action = Action.reading(nil, .search, ofPast: options.isOfPast)
            let permitted = try journal.access.permittedRecords(of: caller.account, asOf: journal.log.head())
                .map(\.record)
            return try journal.medicalRecords.creations(of: permitted, asOf: position)
                .compactMap { _, record in
                    guard case .admitted(let admission) = try journal.access.decideAdmission(caller, action, on: record)
                    else {
                        return nil
                    }
                    return try searchedRecord(request, admission, asOf: position)
                }
        }
        let admission = try await journal.access.admit(caller, to: .reading(options, .search), on: only)
        guard let record = try searchedRecord(request, admission, asOf: position) else {
            throw JournalError(.notFound, "the record did not exist at that time")
        }
        return [record]
    }

    private func searchedRecord(
        _ request: SearchRequest,
        _ admission: Admission,
        asOf position: UInt64
    ) throws -> SearchedRecord? {
        guard let state = try headerUnlessErased(admission.record, asOf: position) else { return nil }
        let (query, options) = (request.query, request.options)
        var text = SearchText()
        text.add(state.profile.visible(in: admission.scope))
        let isWhole = options.kinds == nil && request.period == nil
        return SearchedRecord(
            found: .init(id: state.id, name: state.displayName, subject: state.profile.subject, matches: false),
            admission: admission,
            context: query.words(in: SearchText(state.displayName)),
            match: isWhole ? query.match(query.words(in: text)) : nil
        )
    }

    /// How many entries are searched by one task, which takes some milliseconds.
    private static var searchedAtOnce: Int { 1_024 }

    /// Searches the entries of some records: in parts, each in a task, so that all processors are used and other
    /// requests get their turn in between.
    private func searchEntries(
        of searched: [SearchedRecord],
        _ request: SearchRequest,
        asOf position: UInt64
    ) async throws -> SearchHits {
        try await withThrowingTaskGroup(of: SearchHits.self) { group in
            for record in searched {
                let selection = searchSelection(record.admission, request)
                let ids = try journal.medicalRecords.ids(of: record.found.id, kinds: selection.kinds, asOf: position)
                for start in stride(from: 0, to: ids.count, by: Self.searchedAtOnce) {
                    let part = ids[start..<min(start + Self.searchedAtOnce, ids.count)]
                    group.addTask {
                        try Task.checkCancellation()
                        return try self.hits(in: part, of: record, selection, request, asOf: position)
                    }
                }
            }
            var all = SearchHits()
            for try await part in group { all.add(part, limit: request.options.page.limit) }
            return all
        }
    }

    private func searchSelection(_ admission: Admission, _ request: SearchRequest) -> MedicalRecordsView.Selection {
        var selection = selection(admission, request.options)
        (selection.happenedBy, selection.period) = (nil, request.period)
        return selection
    }

    private func hits(
        in part: ArraySlice<UUID>,
        of record: SearchedRecord,
        _ selection: MedicalRecordsView.Selection,
        _ request: SearchRequest,
        asOf position: UInt64
    ) throws -> SearchHits {
        var hits = SearchHits()
        var text = SearchText()
        let (query, limit) = (request.query, request.options.page.limit)
        _ = try unlessErased {
            try journal.contents(record.admission)
                .forEachEntry(part, asOf: position, selection) { entry in
                    text.removeAll()
                    text.add(entry.content)
                    if let name = request.kindNames[entry.kind] { text.add(name) }
                    guard let match = query.match(query.words(in: text), context: record.context) else { return }
                    let hit = SearchHit(entry)
                    switch match {
                    case .exact: hits.exact.add(hit, limit: limit)
                    case .near: hits.near.add(hit, limit: limit)
                    }
                }
        }
        return hits
    }
}

/// An entry that was found, without its content.
private struct SearchHit: Sendable {
    let entry: UUID
    /// The day on which it happened or, if it has no date, was recorded.
    let day: Day
    /// The position at which it was added.
    let added: UInt64

    init(_ entry: EntryState) {
        self.entry = entry.id
        day = entry.content.happened?.lowerBound ?? Day(of: entry.added.recordedAt)
        added = entry.added.position
    }
}

/// The latest of the entries that were found.
private struct LatestHits: Sendable {
    private(set) var count = 0
    private var hits: [SearchHit] = []

    mutating func add(_ hit: SearchHit, limit: Int) {
        count += 1
        hits.append(hit)
        if hits.count / 2 >= limit { hits = latest(limit) }
    }

    mutating func add(_ other: LatestHits, limit: Int) {
        count += other.count
        hits += other.hits
        if hits.count / 2 >= limit { hits = latest(limit) }
    }

    /// The latest ones, the latest first.
    func latest(_ limit: Int) -> [SearchHit] {
        Array(hits.sorted { ($0.day, $0.added) > ($1.day, $1.added) }.prefix(limit))
    }
}

/// The entries that match as typed, and those that match with typing errors.
private struct SearchHits: Sendable {
    var exact = LatestHits()
    var near = LatestHits()

    mutating func add(_ other: SearchHits, limit: Int) {
        exact.add(other.exact, limit: limit)
        near.add(other.near, limit: limit)
    }
}
