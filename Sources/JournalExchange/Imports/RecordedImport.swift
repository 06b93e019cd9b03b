internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalCore
internal import JournalEvents
internal import MedicalRecords

/// What the events of one import, or of undoing one, have in common.
struct ImportRun: Hashable {
    private let correlation: UUID
    private let actor: UUID

    init(_ header: EventHeader) {
        (correlation, actor) = (header.correlation, header.actor)
    }

    /// The run of an import to which a caller gave an id; nil without one.
    init?(_ caller: Caller) {
        guard let correlation = caller.correlation else { return nil }
        (self.correlation, actor) = (correlation, caller.account)
    }
}

/// An import, as the events that begin, end and undo it state it.
struct RecordedImport {
    let run: ImportRun
    /// The position of the event that began it.
    let start: UInt64
    /// The mapping of a table, as JSON, if a person made it.
    let mapping: String?
    var `import`: RecordImport

    /// Whether an event is of this import.
    func contains(_ event: StoredEvent) -> Bool {
        ImportRun(event.header) == run && event.header.source == EventSource.import.rawValue && event.position > start
            && (!self.import.isComplete || event.position < self.import.position)
    }
}

extension Journal.Imports {
    /// Returns the imports into a record, the latest first.
    ///
    /// Of one that is not complete, the number of added entries is 0, and it counts as undone also if it was continued since
    /// then; ``isUndone(_:in:)`` tells that apart.
    func recordedImports(into record: UUID) throws -> [RecordedImport] {
        var imports: [RecordedImport] = []
        try forEachOwnEvent(of: record) { event in
            let run = ImportRun(event.header)
            switch EventType(rawValue: event.header.type) {
            case ImportBegun.type:
                let recorded = try journal.log.recorded(event)
                guard let begun = recorded.event.data as? ImportBegun else { return }
                let item = RecordImport(
                    position: event.position,
                    recordedAt: recorded.stamp.recordedAt,
                    format: begun.format,
                    added: 0,
                    corrected: 0,
                    retracted: 0,
                    isComplete: false
                )
                imports.append(RecordedImport(run: run, start: event.position, mapping: begun.mapping, import: item))
            case ImportEnded.type:
                let recorded = try journal.log.recorded(event)
                guard let ended = recorded.event.data as? ImportEnded,
                    let index = imports.lastIndex(where: { $0.run == run && !$0.import.isComplete })
                else { return }
                imports[index].import = RecordImport(
                    position: event.position,
                    recordedAt: recorded.stamp.recordedAt,
                    format: ended.format,
                    added: ended.added,
                    corrected: ended.corrected,
                    retracted: ended.retracted
                )
            case ImportUndone.type:
                guard let data = try journal.log.recorded(event).event.data as? ImportUndone else { return }
                for index in imports.indices where imports[index].import.position == data.position {
                    imports[index].import.undone = event.position
                }
            default: break
            }
        }
        return imports.sorted { $0.import.position > $1.import.position }
    }

    /// Whether an import was undone, and not continued since then.
    func isUndone(_ recorded: RecordedImport, in record: UUID) throws -> Bool {
        guard let undone = recorded.import.undone else { return false }
        if recorded.import.isComplete { return true }
        return try !journal.medicalRecords.history(ofRecord: record, asOf: journal.log.head())
            .contains { try $0 > undone && recorded.contains(journal.log.event(at: $0)) }
    }

    /// Reads the events of a record itself, without those of its entries, in the order of the log.
    private func forEachOwnEvent(of record: UUID, _ body: (StoredEvent) throws -> Void) throws {
        var version: UInt64 = 1
        while case let page = try journal.log.events(of: record, from: version), !page.isEmpty {
            for event in page { try body(event) }
            version += UInt64(page.count)
        }
    }

    /// Returns what the events that undid imports into a record have in common.
    fileprivate func importUndos(of record: UUID) throws -> Set<ImportRun> {
        var runs: Set<ImportRun> = []
        try forEachOwnEvent(of: record) { event in
            if event.header.type == ImportUndone.type.rawValue { runs.insert(ImportRun(event.header)) }
        }
        return runs
    }
}

/// The undone imports of a record, read when they are first asked for, because few documents need them.
struct ImportUndos {
    private let journal: Journal
    private let record: UUID
    private var runs: Set<ImportRun>?

    init(_ journal: Journal, of record: UUID) {
        (self.journal, self.record) = (journal, record)
    }

    /// Whether an event is one of those that undid an import.
    mutating func contain(_ event: StoredEvent) throws -> Bool {
        let runs = try self.runs ?? journal.imports.importUndos(of: record)
        self.runs = runs
        return runs.contains(ImportRun(event.header))
    }
}
