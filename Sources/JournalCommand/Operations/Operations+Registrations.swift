import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension JournalOperation where Result == [ClientDocument] {
    static func clients(of practice: UUID) -> Self {
        Self {
            try await $0.journal.clients(of: practice, $0.caller).map { ClientDocument($0) }
        } remote: {
            try await $0.list("clients", .get("practices", practice.text, "clients"))
        }
    }
}

extension JournalOperation where Result == [WaitDocument] {
    static func waitingList(of practice: UUID, suiting question: WaitQuestion?) -> Self {
        Self {
            try await $0.journal.waitingList(of: practice, suiting: question, $0.caller).map(\.document)
        } remote: {
            let query = [
                ("start", question?.start.text), ("minutes", question.map { String($0.minutes) }),
                ("specialist", question?.specialist?.text),
            ]
            return try await $0.list("waiting", .get("practices", practice.text, "waiting", query: query))
        }
    }
}

extension JournalOperation where Result == [RecallDocument] {
    static func recalls(of practice: UUID, dueBy day: Day) -> Self {
        Self {
            try await $0.journal.recalls(of: practice, dueBy: day, $0.caller).map(\.document)
        } remote: {
            let query: [(String, String?)] = [("due", day.description)]
            return try await $0.list("recalls", .get("practices", practice.text, "recalls", query: query))
        }
    }
}

extension JournalOperation where Result == WriteResult {
    static func addClient(_ profile: ClientProfile, to practice: UUID) -> Self {
        Self {
            try await $0.journal.addClient(profile, to: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "clients"]
            let body = SettingsDocument(profile).json
            return try await $0.write(.write(.post, at: path, query: $0.reasonQuery, body: body))
        }
    }

    static func changeClient(_ id: UUID, of practice: UUID, _ profile: ClientProfile) -> Self {
        Self {
            try await $0.journal.changeClient(id, in: practice, profile, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "clients", id.text]
            let body = SettingsDocument(profile).json
            return try await $0.write(.write(.put, at: path, query: $0.reasonQuery, body: body))
        }
    }

    static func endClient(_ id: UUID, of practice: UUID) -> Self {
        Self {
            try await $0.journal.endClient(id, in: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "clients", id.text]
            return try await $0.write(.write(.delete, at: path, query: $0.reasonQuery))
        }
    }

    static func eraseClient(_ id: UUID, of practice: UUID) -> Self {
        Self {
            try await $0.journal.eraseClient(id, in: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "clients", id.text, "erase"]
            return try await $0.write(.write(.post, at: path, query: $0.reasonQuery))
        }
    }

    static func addWait(_ wish: WaitProfile, of record: UUID, at practice: UUID) -> Self {
        Self {
            try await $0.journal.addWait(wish, of: record, at: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "waiting"]
            let body: JSONValue = ["record": .string(record.text), "wish": SettingsDocument(wish).json]
            return try await $0.write(.write(.post, at: path, query: $0.reasonQuery, body: body))
        }
    }

    static func offerWait(_ id: UUID, _ asked: AppointmentRequest, until: Instant) -> Self {
        Self {
            try await $0.journal.offerWait(id, asked, until: until, $0.caller)
        } remote: {
            let path = ["practices", asked.practice.text, "waiting", id.text, "offer"]
            let body: JSONValue = .present([
                "record": .string(asked.record.text), "start": .string(asked.start.text), "until": .time(until),
                "service": asked.service.map { .string($0.text) },
                "specialist": asked.specialist.map { .string($0.text) },
            ])
            return try await $0.write(.write(.post, at: path, query: $0.reasonQuery, body: body))
        }
    }

    static func withdrawWait(_ id: UUID, of practice: UUID) -> Self {
        Self {
            try await $0.journal.withdrawWait(id, in: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "waiting", id.text]
            return try await $0.write(.write(.delete, at: path, query: $0.reasonQuery))
        }
    }

    static func setRecall(_ id: UUID, _ recall: RegistrationState.Recall, of record: UUID, at practice: UUID) -> Self {
        Self {
            try await $0.journal.setRecall(id, recall, of: record, at: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "patients", record.text, "recalls", id.text]
            let body = RecallDocument.members(recall)
            return try await $0.write(.write(.put, at: path, query: $0.reasonQuery, body: body))
        }
    }

    static func dropRecall(_ id: UUID, of record: UUID, at practice: UUID) -> Self {
        Self {
            try await $0.journal.dropRecall(id, of: record, at: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "patients", record.text, "recalls", id.text]
            return try await $0.write(.write(.delete, at: path, query: $0.reasonQuery))
        }
    }

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
