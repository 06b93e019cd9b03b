internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// What the events of one import, or of its undoing, have in common.
struct ImportRun: Hashable {
    private let correlation: UUID
    private let actor: UUID

    init(_ header: EventHeader) {
        (correlation, actor) = (header.correlation, header.actor)
    }
}

/// What the events that begin, end and undo imports state about one of them.
struct StatedImport {
    var run: ImportRun
    /// The position of the event that began it.
    var start: UInt64
    /// The mapping of a table, as JSON, if a person made it.
    var mapping: String?
    var `import`: RecordImport
    /// What the events that undid it have in common.
    var undoing: ImportRun?
}

extension Journal {
    /// Returns what the events of a record state about imports into it, the latest first.
    ///
    /// Of an import that is not complete, the number of added entries is 0.
    func statedImports(into record: UUID) throws -> [StatedImport] {
        var imports: [StatedImport] = []
        var undone: [UInt64: (position: UInt64, run: ImportRun)] = [:]
        var ended: [ImportRun: RecordImport] = [:]
        for position in try records.history(ofRecordItself: record, asOf: log.head()).reversed() {
            let event = try log.event(at: position)
            let run = ImportRun(event.header)
            switch EventType(rawValue: event.header.type) {
            case ImportUndone.type:
                guard let data = try log.recorded(event).event.data as? ImportUndone else { continue }
                undone[data.position] = (position, run)
            case ImportEnded.type:
                let recorded = try log.recorded(event)
                guard let data = recorded.event.data as? ImportEnded else { continue }
                ended[run] = RecordImport(
                    position: position,
                    recordedAt: recorded.stamp.recordedAt,
                    format: data.format,
                    added: data.added,
                    corrected: data.corrected,
                    retracted: data.retracted
                )
            case ImportBegun.type:
                let recorded = try log.recorded(event)
                guard let data = recorded.event.data as? ImportBegun else { continue }
                var item =
                    ended.removeValue(forKey: run)
                    ?? RecordImport(
                        position: position,
                        recordedAt: recorded.stamp.recordedAt,
                        format: data.format,
                        added: 0,
                        corrected: 0,
                        retracted: 0,
                        isComplete: false
                    )
                let undoing = undone[item.position]
                item.undone = undoing?.position
                imports.append(
                    StatedImport(
                        run: run,
                        start: position,
                        mapping: data.mapping,
                        import: item,
                        undoing: undoing?.run
                    )
                )
            default: break
            }
        }
        return imports.sorted { $0.import.position > $1.import.position }
    }
}

/// The undoings of imports into a record, read when they are first asked for, because few documents need them.
struct ImportUndoings {
    private let journal: Journal
    private let record: UUID
    private var runs: Set<ImportRun>?

    init(_ journal: Journal, of record: UUID) {
        (self.journal, self.record) = (journal, record)
    }

    /// Whether an event is part of the undoing of an import.
    mutating func contain(_ event: StoredEvent) throws -> Bool {
        let runs = try self.runs ?? Set(journal.statedImports(into: record).compactMap(\.undoing))
        self.runs = runs
        return runs.contains(ImportRun(event.header))
    }
}
