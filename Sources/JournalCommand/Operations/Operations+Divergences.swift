import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension JournalOperation where Result == [DivergenceDocument] {
    static func divergences(of record: UUID) -> Self {
        Self {
            try await $0.journal.divergences(of: record, $0.caller)
        } remote: {
            try await $0.list("divergences", .get("records", record.text, "divergences"))
        }
    }
}

extension JournalOperation where Result == WriteResult {
    static func settle(_ position: UInt64, _ choice: DivergenceSettled.Choice) -> Self {
        Self {
            try await $0.journal.settle(position, choice, $0.caller)
        } remote: {
            try await $0.write(
                .write(
                    .post,
                    at: ["divergences", String(position)],
                    query: $0.reasonQuery,
                    body: ["choice": .string(choice.name)]
                )
            )
        }
    }
}
