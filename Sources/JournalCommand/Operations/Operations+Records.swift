import CostSummary
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalPages
import JournalServer

/// A record in a list.
struct RecordSummary {
    let id: UUID
    let displayName: String
    let subject: Subject
    let createdAt: Instant
    let updatedAt: Instant
    let closedAt: Instant?
}

/// The position, time or date at which the state of a record is read, and the days on which its entries had happened.
struct ReadMoment {
    var asOf: AsOf?
    var happenedFrom: Day?
    var happenedBy: Day?

    var options: ReadOptions { ReadOptions(asOf: asOf, happenedFrom: happenedFrom, happenedBy: happenedBy) }
}

/// A query for costs.
struct CostQuestion {
    var year: Int64?
    var currency: String?
    var asOf: AsOf?
}

/// The costs of one record, line by line.
struct CostAnswer {
    let record: UUID
    let displayName: String
    let lines: [CostSheet.Line]
}

extension JournalOperation where Result == SearchAnswer {
    static func search(_ request: SearchRequest) -> Self {
        Self {
            try await $0.journal.records.search(request, $0.caller)
        } remote: { service in
            let request = ServiceRequest.write(.post, at: ["search"], query: [], body: request.json)
            return try await service.client.send(request)
                .read { answer throws(ModelError) in try SearchAnswer(answer) }
        }
    }
}

extension JournalOperation where Result == WriteResult {
    /// Creates a record; throws `conflict` on the field `similar` if there may be one of the same person or animal,
    /// unless that is accepted.
    static func createRecord(_ profile: RecordProfile, acceptingSimilar: Bool) -> Self {
        Self {
            try await $0.journal.records.createRecord(profile, refusingSimilar: !acceptingSimilar, $0.caller)
        } remote: {
            let body = NativeProfile.creation(of: profile)
            let query =
                $0.reasonQuery + (acceptingSimilar ? [(name: Journal.Records.similarRecord, value: "true")] : [])
            return try await $0.write(.write(.post, "records", query: query, body: body))
        }
    }

    static func changeRecord(
        _ record: UUID,
        _ edit: @escaping (inout RecordProfile) throws(ModelError) -> Void
    ) -> Self {
        Self {
            try await $0.journal.records.changeRecord(record, $0.caller, edit)
        } remote: {
            let seen = try await $0.read(record, ReadMoment())
            var profile = seen.state.profile
            try edit(&profile)
            let patch = NativeProfile.patch(from: seen.state.profile, to: profile)
            var request = ServiceRequest.write(.patch, "records", record.text, query: $0.reasonQuery, body: patch)
            request.expecting = seen.version
            return try await $0.write(request)
        }
    }

    static func eraseRecord(_ record: UUID) -> Self {
        Self {
            try await $0.journal.erasure.eraseRecord(record, $0.caller)
        } remote: {
            let body: JSONValue = ["reason": .string($0.reason ?? "")]
            return try await $0.write(.write(.post, "records", record.text, "erase", body: body))
        }
    }
}

extension JournalOperation where Result == [RecordSummary] {
    static func listRecords(asOf: AsOf?) -> Self {
        Self {
            try await $0.journal.records.listRecords(asOf: asOf, $0.caller).map { RecordSummary($0) }
        } remote: {
            try await $0.listRecords(asOf: asOf)
        }
    }
}

extension JournalOperation where Result == RecordAnswer {
    static func read(_ record: UUID, _ moment: ReadMoment) -> Self {
        Self {
            try await $0.journal.records.read(record, moment.options, $0.caller)
        } remote: {
            try await $0.read(record, moment)
        }
    }
}

extension JournalOperation where Result == Void {
    /// Passes the parts of a document to `sink` as they are produced; if it throws, the parts passed so far are not a
    /// document.
    static func export(
        _ record: UUID,
        as format: ExportFormat,
        _ moment: ReadMoment,
        kinds: [Kind]?,
        in language: String?,
        to sink: @escaping ExportedRecord.Sink
    ) -> Self {
        Self {
            var options = moment.options
            options.kinds = kinds
            options.includesRetracted = format.includesRetracted
            let exported = try await $0.journal.exports.export(record, options, by: $0.caller)
            try await exported.requireContent(of: format)
            try await exported.write(
                as: format,
                in: Languages.builtIn.language(of: language.map { [$0] } ?? []),
                to: sink
            )
        } remote: {
            var request = ServiceRequest.get("records", record.text, "export", query: [("as", format.rawValue)])
            request.query += moment.parameters
            if let kinds { request.query.append(("kinds", kinds.map(\.name).joined(separator: ","))) }
            if let language { request.query.append(("language", language)) }
            try await $0.client.send(request, to: sink)
        }
    }
}

extension JournalOperation where Result == [CostAnswer] {
    /// Returns the costs of one record, or of all records whose costs the caller may see.
    static func costs(of record: UUID?, _ question: CostQuestion) -> Self {
        Self {
            try await $0.journal.records.costs(of: record, asOf: question.asOf, $0.caller)
                .map { costs in
                    let sheet = CostSheet(costs.totals, year: question.year, currency: question.currency)
                    return CostAnswer(record: costs.record, displayName: costs.displayName, lines: sheet.lines)
                }
        } remote: {
            let path = record.map { ["records", $0.text, "costs"] } ?? ["costs"]
            return try await $0.list("costs", .get(at: path, query: question.parameters)) { line throws(ModelError) in
                CostAnswer(
                    record: try line.id("record"),
                    displayName: try line.required("displayName"),
                    lines: [try CostSheet.Line(line)]
                )
            }
        }
    }
}

extension JournalOperation where Result == ErasurePreview {
    static func previewErasure(_ record: UUID) -> Self {
        Self {
            try await $0.journal.erasure.previewErasure(record, $0.caller)
        } remote: {
            let state = try await $0.read(record, ReadMoment(), retracted: true).state
            return ErasurePreview(displayName: state.displayName, entryCount: state.entries.count)
        }
    }
}

extension JournalOperation where Result == [HistoryLine] {
    static func history(ofRecord record: UUID) -> Self {
        Self {
            let journal = $0.journal
            return try await journal.trail.history(ofRecord: record, $0.caller)
                .map { event in
                    let json = NativeEvent.write(event, actorName: journal.accounts.name(of: event.stamp.actor))
                    return try HistoryLine(NativeObject(json))
                }
        } remote: {
            try await $0.pages(of: "events", ["records", record.text, "history"], query: []) {
                event throws(ModelError) in
                try HistoryLine(event)
            }
        }
    }
}

extension JournalOperation where Result == EntryErasurePreview {
    static func previewErasure(ofEntry entry: UUID) -> Self {
        Self {
            try await $0.journal.erasure.previewErasure(ofEntry: entry, $0.caller)
        } remote: {
            let seen = try await $0.found(entry)
            return try await $0.client.send(.get("records", seen.record.text, "erasures", entry.text))
                .read { answer throws(ModelError) in try EntryErasurePreview(answer) }
        }
    }
}

extension JournalOperation where Result == Receipt {
    /// Returns the receipt of a record's erasure, or of that of one of its entries.
    static func receipt(of record: UUID, entry: UUID?) -> Self {
        Self {
            guard let entry else { return try await $0.journal.erasure.receipt(of: record, $0.caller) }
            return try await $0.journal.erasure.receipt(ofEntry: entry, in: record, $0.caller)
        } remote: {
            let request: ServiceRequest =
                if let entry {
                    .get("records", record.text, "erasures", entry.text, "receipt")
                } else {
                    .get("records", record.text, "receipt")
                }
            let answer = try await $0.client.send(request)
            guard let position = answer.version else {
                throw JournalError(.failed, "the service's answer cannot be read; it may be of another version (ETag)")
            }
            return Receipt(position: position, text: answer.text)
        }
    }
}

extension RecordSummary {
    fileprivate init(_ state: RecordState) {
        self.init(
            id: state.id,
            displayName: state.displayName,
            subject: state.profile.subject,
            createdAt: state.createdAt,
            updatedAt: state.updatedAt,
            closedAt: state.closed?.recordedAt
        )
    }
}

extension CostQuestion {
    fileprivate var parameters: [(name: String, value: String?)] {
        [("year", year.map(String.init)), ("currency", currency), ("asOf", asOf?.parameterText)]
    }
}

extension CostSheet.Line {
    fileprivate init(_ line: NativeObject) throws(ModelError) {
        guard case .number(let year) = try line.member("year"), let year = Int64(year),
            let sum = ExactSum(parsing: try line.required("amount"))
        else { throw ModelError(.invalid, field: line.path.field, "is not a line of costs") }
        let isSum = line.members.contains { $0.name == "sumOfCategories" }
        self.init(
            year: year,
            currency: try line.text("currency"),
            basis: try line.required("basis"),
            category: isSum ? CostSheet.sumOfCategories : try line.text("category"),
            isSum: isSum,
            sum: sum,
            count: Int(try line.number("entries"))
        )
    }
}
