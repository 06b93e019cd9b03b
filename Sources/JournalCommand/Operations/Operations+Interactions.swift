import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

extension JournalOperation where Result == CheckDocument {
    static func check(_ record: UUID, asOf: AsOf?) -> Self {
        Self {
            try await $0.journal.check(record, asOf: asOf, $0.caller)
        } remote: {
            let path = ["records", record.text, "interactions", "checks"]
            if let asOf { return try await $0.document(.get(at: path, query: [("asOf", asOf.parameterText)])) }
            return try await $0.document(.write(.post, at: path, query: $0.reasonQuery, body: [:]))
        }
    }

    static func ask(_ record: UUID, _ text: String) -> Self {
        Self {
            try await $0.journal.ask(record, text, $0.caller).answer
        } remote: {
            let path = ["records", record.text, "interactions", "checks"]
            let body: JSONValue = ["queryText": .string(text)]
            return try await $0.document(.write(.post, at: path, query: $0.reasonQuery, body: body))
        }
    }
}

extension JournalOperation where Result == [FindingDocument] {
    static func findings(of record: UUID, isOpen: Bool?, asOf: AsOf?) -> Self {
        Self {
            try await $0.journal.findings(of: record, isOpen: isOpen, asOf: asOf, $0.caller)
        } remote: {
            let query = [("open", isOpen.map { String($0) }), ("asOf", asOf?.parameterText)]
            return try await $0.list("findings", .get("records", record.text, "findings", query: query))
        }
    }
}

extension JournalOperation where Result == WriteResult {
    static func resolve(_ finding: UUID, as resolution: Interaction.Resolution) -> Self {
        Self {
            try await $0.journal.resolve(finding, as: resolution, $0.caller)
        } remote: {
            let seen = try await $0.found(finding)
            let path = ["records", seen.record.text, "interactions", finding.text, "resolution"]
            let body: JSONValue = [
                "resolution": .string(resolution.rawValue), "reason": .string($0.reason ?? ""),
            ]
            var request = ServiceRequest.write(.post, at: path, body: body)
            request.expecting = seen.latest.position
            return try await $0.write(request)
        }
    }
}

extension JournalOperation where Result == (write: WriteResult, rules: LoadedRulesDocument) {
    static func loadRules(_ bytes: [UInt8]) -> Self {
        Self {
            try await $0.journal.loadRules(bytes, $0.caller)
        } remote: {
            var request = ServiceRequest.write(.post, at: ["interaction-rules"], query: $0.reasonQuery)
            request.body = ServiceRequest.Body(bytes: bytes, mediaType: "application/json")
            return try await $0.client.send(request)
                .read { answer throws(ModelError) in
                    (write: try WriteResult(answer), rules: try LoadedRulesDocument(answer.object("rules")))
                }
        }
    }
}

extension JournalOperation where Result == [LoadedRulesDocument] {
    static var loadedRules: Self {
        Self {
            try $0.journal.loadedRules()
        } remote: {
            try await $0.list("rules", .get("interaction-rules"))
        }
    }
}
