import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

extension JournalOperation where Result == WriteResult {
    static func resolve(_ finding: UUID, as resolution: Interaction.Resolution) -> Self {
        Self {
            try await $0.journal.interactionChecks.resolve(finding, as: resolution, $0.caller)
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
            try await $0.journal.interactionChecks.loadRules(bytes, $0.caller)
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
