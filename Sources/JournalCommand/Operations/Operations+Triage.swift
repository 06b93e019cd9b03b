import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension JournalOperation where Result == WriteResult {
    static func beginTriage(_ asked: TriageRequest) -> Self {
        Self {
            try await $0.journal.beginTriage(asked, $0.caller)
        } remote: {
            let path = ["practices", asked.practice.text, "triage"]
            return try await $0.write(.write(.post, at: path, query: $0.reasonQuery, body: asked.json))
        }
    }

    static func change(triage id: UUID, _ change: TriageChange) -> Self {
        Self {
            try await $0.journal.changeTriage(id, change, $0.caller)
        } remote: {
            let (word, body) = change.request
            let path = ["triage", id.text, word.rawValue]
            return try await $0.write(.write(.post, at: path, query: $0.reasonQuery, body: body))
        }
    }

    static func adopt(_ rules: TriageRules, by veterinarian: String, in practice: UUID) -> Self {
        Self {
            try await $0.journal.adoptTriageRules(rules, by: veterinarian, in: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "triage", "rules"]
            let isBuiltIn = TriageRules.builtIn(label: rules.label) == rules
            let body: JSONValue = .present([
                "veterinarian": .string(veterinarian), "rules": isBuiltIn ? .string(rules.label) : nil,
                "text": isBuiltIn ? nil : .string(rules.text),
            ])
            return try await $0.write(.write(.post, at: path, query: $0.reasonQuery, body: body))
        }
    }
}

extension JournalOperation where Result == [TriageDocument] {
    static func triageBoard(of practice: UUID, asOf: AsOf?) -> Self {
        Self {
            try await $0.journal.triageBoard(of: practice, asOf: asOf, $0.caller).map(\.document)
        } remote: {
            let query = [("asOf", asOf?.parameter)]
            return try await $0.list("triages", .get("practices", practice.text, "triage", query: query))
        }
    }

    static func triages(of practice: UUID, _ days: ClosedRange<Day>, asOf: AsOf?) -> Self {
        Self {
            try await $0.journal.triages(of: practice, days: days, asOf: asOf, $0.caller).map(\.document)
        } remote: {
            let query = [
                ("from", days.lowerBound.description), ("to", days.upperBound.description), ("asOf", asOf?.parameter),
            ]
            return try await $0.list("triages", .get("practices", practice.text, "triage", "arrivals", query: query))
        }
    }
}

extension JournalOperation where Result == TriageDocument {
    static func triage(_ id: UUID, asOf: AsOf?) -> Self {
        Self {
            try await $0.journal.triage(id, asOf: asOf, $0.caller).document
        } remote: {
            try await $0.document(.get("triage", id.text, query: [("asOf", asOf?.parameter)]))
        }
    }
}

extension JournalOperation where Result == [TriageVersionDocument] {
    static func versions(ofTriage id: UUID) -> Self {
        Self {
            try await $0.journal.versions(ofTriage: id, $0.caller).map(\.document)
        } remote: {
            try await $0.list("versions", .get("triage", id.text, "history"))
        }
    }
}

extension JournalOperation where Result == TriageExplanationDocument {
    static func explainTriage(_ id: UUID, rules: String?, asOf: AsOf?) -> Self {
        Self {
            try await $0.journal.explainTriage(id, rules: rules, asOf: asOf, $0.caller).document
        } remote: {
            let query = [("rules", rules), ("asOf", asOf?.parameter)]
            return try await $0.document(.get("triage", id.text, "explanation", query: query))
        }
    }
}

extension JournalOperation where Result == TriageStatisticsDocument {
    static func triageStatistics(of practice: UUID, _ days: ClosedRange<Day>) -> Self {
        Self {
            try await $0.journal.triageStatistics(of: practice, days: days, $0.caller).document
        } remote: {
            let query: [(String, String?)] = [
                ("from", days.lowerBound.description), ("to", days.upperBound.description),
            ]
            return try await $0.document(.get("practices", practice.text, "triage", "statistics", query: query))
        }
    }
}

extension JournalOperation where Result == TriageRulesDocument {
    static func triageRules(of practice: UUID, asOf: AsOf?) -> Self {
        Self {
            TriageRulesDocument(try await $0.journal.triageRules(of: practice, asOf: asOf, $0.caller))
        } remote: {
            let query = [("asOf", asOf?.parameter)]
            return try await $0.document(.get("practices", practice.text, "triage", "rules", query: query))
        }
    }
}
