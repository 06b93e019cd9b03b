import CostSummary
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// A journal in a local folder, with the caller that acts on it.
struct LocalJournal: JournalAccess {
    let journal: Journal
    let caller: Caller

    var now: Instant { journal.now }

    func record(_ text: String) async throws -> UUID { try journal.record(text, caller) }

    func entry(_ text: String) async throws -> UUID { try journal.entry(text, caller) }

    func account(_ text: String) async throws -> UUID { try journal.accountID(text) }

    func name(of account: UUID) -> String { (try? journal.account(account).name) ?? account.beginning }
}

extension UUID {
    /// The first eight characters of an id, which usually identify it on a screen.
    var beginning: String { String(text.prefix(8)) }
}

// Records
extension LocalJournal {
    func createRecord(_ profile: RecordProfile) async throws -> WriteResult {
        try await journal.createRecord(profile, caller)
    }

    func listRecords(asOf: AsOf?) async throws -> [RecordSummary] {
        try await journal.listRecords(asOf: asOf, caller)
            .map { state in
                RecordSummary(
                    id: state.id,
                    displayName: state.displayName,
                    subject: state.profile.subject,
                    createdAt: state.createdAt,
                    updatedAt: state.updatedAt,
                    closedAt: state.closed?.recordedAt
                )
            }
    }

    func read(_ record: UUID, _ moment: Moment) async throws -> RecordAnswer {
        try await journal.read(record, ReadOptions(asOf: moment.asOf, happenedBy: moment.happenedBy), caller)
    }

    func changeRecord(
        _ record: UUID,
        _ edit: (inout RecordProfile) throws(ModelError) -> Void
    ) async throws -> WriteResult {
        try await journal.changeRecord(record, caller, edit)
    }

    func closeRecord(_ record: UUID) async throws -> WriteResult { try await journal.closeRecord(record, caller) }

    func holdRecord(_ record: UUID, until: Day) async throws -> WriteResult {
        try await journal.holdRecord(record, until: until, caller)
    }

    func export(
        _ record: UUID,
        as format: ExportFormat,
        _ moment: Moment,
        to sink: ExportedRecord.Sink
    ) async throws {
        let options = ReadOptions(asOf: moment.asOf, happenedBy: moment.happenedBy)
        try await journal.export(record, options, by: caller)
            .write(as: format, happenedBy: moment.happenedBy, to: sink)
    }

    func costs(of record: UUID?, _ question: CostQuestion) async throws -> [CostAnswer] {
        try await journal.costs(of: record, asOf: question.asOf, caller)
            .map { costs in
                let sheet = CostSheet(costs.totals, year: question.year, currency: question.currency)
                return CostAnswer(record: costs.record, displayName: costs.displayName, lines: sheet.lines)
            }
    }

    func previewErasure(_ record: UUID) async throws -> ErasurePreview {
        try await journal.previewErasure(record, caller)
    }

    func eraseRecord(_ record: UUID) async throws -> WriteResult { try await journal.eraseRecord(record, caller) }

    func receipt(of record: UUID) async throws -> Receipt { try await journal.receipt(of: record, caller) }
}

// Entries
extension LocalJournal {
    func addEntry(_ content: EntryContent, to record: UUID, id: UUID?) async throws -> WriteResult {
        try await journal.addEntry(content, to: record, id: id, caller)
    }

    func entries(of record: UUID, _ kind: Kind?, _ moment: Moment, retracted: Bool) async throws -> [EntryState] {
        let options = ReadOptions(
            asOf: moment.asOf,
            happenedBy: moment.happenedBy,
            kinds: kind.map { [$0] },
            includesRetracted: retracted
        )
        return try await journal.read(record, options, caller).state.entries
    }

    func correctEntry(
        _ entry: UUID,
        _ edit: (inout EntryContent) throws(ModelError) -> Void
    ) async throws -> WriteResult {
        try await journal.correctEntry(entry, caller, edit)
    }

    func retractEntry(_ entry: UUID) async throws -> WriteResult { try await journal.retractEntry(entry, caller) }

    func restoreEntry(_ entry: UUID) async throws -> WriteResult { try await journal.restoreEntry(entry, caller) }

    func history(ofEntry entry: UUID) async throws -> [RecordedEvent] {
        try await journal.history(ofEntry: entry, caller)
    }

    func attachDocument(_ bytes: [UInt8], _ content: EntryContent, to record: UUID) async throws -> WriteResult {
        try await journal.attachDocument(bytes, content, to: record, caller)
    }

    func document(_ entry: UUID) async throws -> [UInt8] { try await journal.document(entry, caller).bytes }
}

extension LocalJournal {
    func append(_ events: [CloudEvent], stream: String?) async throws -> [Result<IngestResult, JournalError>] {
        await journal.append(events, stream: stream, caller)
    }
}
