import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension JournalOperation where Result == PlannedDosesDocument {
    static func due(of record: UUID, _ question: CareQuestion) -> Self {
        Self {
            try await $0.journal.due(of: record, question, $0.caller).document
        } remote: {
            try await $0.document(.get("records", record.text, "due", query: question.parameters))
        }
    }

    /// Returns the doses of the day `from`.
    static func today(of record: UUID, _ question: CareQuestion) -> Self {
        Self {
            try await $0.journal.today(of: record, question, $0.caller).document
        } remote: {
            var query = question.parameters.filter { $0.name != "from" }
            query.append(("day", question.from?.description))
            return try await $0.document(.get("records", record.text, "today", query: query))
        }
    }
}

extension JournalOperation where Result == AdherenceDocument {
    static func adherence(of record: UUID, _ question: CareQuestion, by grouping: AdherenceGrouping) -> Self {
        Self {
            try await $0.journal.due(of: record, question, $0.caller).adherence(by: grouping)
        } remote: {
            let query = question.parameters + [("by", grouping.rawValue)]
            return try await $0.document(.get("records", record.text, "adherence", query: query))
        }
    }
}

extension JournalOperation where Result == [StockDocument] {
    static func stock(of record: UUID, _ question: CareQuestion) -> Self {
        Self {
            try await $0.journal.stock(of: record, question, $0.caller).map(\.document)
        } remote: {
            try await $0.list("stock", .get("records", record.text, "stock", query: question.parameters))
        }
    }
}

extension JournalOperation where Result == DoseResult {
    static func logDose(_ dose: DoseRequest) -> Self {
        Self {
            try await $0.journal.logDose(dose, $0.caller)
        } remote: { service in
            let record = try await service.found(dose.plan).record
            let path = ["records", record.text, "doses"]
            let request = ServiceRequest.write(.post, at: path, query: service.reasonQuery, body: dose.json)
            return try await service.client.send(request)
                .read { answer throws(ModelError) in
                    DoseResult(
                        write: try WriteResult(answer),
                        warnings: try answer.texts("warnings").compactMap(DoseWarning.init)
                    )
                }
        }
    }
}

extension CareQuestion {
    fileprivate var parameters: [(name: String, value: String?)] {
        [
            ("from", from?.description), ("to", to?.description), ("plan", plan?.text), ("asOf", asOf?.parameter),
            ("now", now?.description),
        ]
    }
}
