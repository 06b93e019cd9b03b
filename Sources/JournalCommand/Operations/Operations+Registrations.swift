import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension JournalOperation where Result == WriteResult {
    static func endRegistration(of record: UUID, at practice: UUID) -> Self {
        Self {
            try await $0.journal.endRegistration(of: record, at: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "patients", record.text]
            return try await $0.write(.write(.delete, at: path, query: $0.reasonQuery))
        }
    }

    static func acceptRegistration(of record: UUID, at practice: UUID) -> Self {
        Self {
            try await $0.journal.acceptRegistration(of: record, at: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "patients", record.text, "accept"]
            return try await $0.write(.write(.post, at: path, query: $0.reasonQuery))
        }
    }
}

extension JournalOperation where Result == [RegistrationDocument] {
    static func registrations(of record: UUID) -> Self {
        Self {
            try await $0.journal.registrations(of: record, $0.caller).map(\.document)
        } remote: {
            try await $0.list("registrations", .get("records", record.text, "registrations"))
        }
    }
}

extension JournalOperation where Result == [EntryState] {
    /// Returns what a practice wrote in a record; the reason of the command says what for.
    static func entriesWritten(by practice: UUID, in record: UUID) -> Self {
        Self {
            try await $0.journal.entriesWritten(by: practice, in: record, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "patients", record.text, "entries"]
            return try await $0.list("entries", .get(at: path)) { item throws(ModelError) in try EntryState(found: item)
            }
        }
    }
}
