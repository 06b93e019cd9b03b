import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension JournalOperation where Result == [SuggestionDocument] {
    static func suggest(_ text: String, in record: UUID?, kind: Kind?) -> Self {
        Self {
            try await $0.journal.suggest(text, in: record, kind: kind, $0.caller).map(SuggestionDocument.init)
        } remote: { service in
            let body = JSONValue.present([
                "text": .string(text), "record": record.map { .string($0.text) },
                "kind": kind.map { .string($0.name) },
            ])
            let request = ServiceRequest(method: .post, path: ["suggestions"], body: .json(body))
            return try await service.list("suggestions", request)
        }
    }
}

extension JournalOperation where Result == DraftDocument {
    static func draft(_ text: String, in record: UUID) -> Self {
        Self {
            DraftDocument(try await $0.journal.draft(text, in: record, $0.caller))
        } remote: { service in
            let body: JSONValue = ["text": .string(text)]
            let request = ServiceRequest(method: .post, path: ["records", record.text, "drafts"], body: .json(body))
            return try await service.document(request)
        }
    }
}

extension JournalOperation where Result == [LoadedNamesDocument] {
    static var loadedNames: Self {
        Self {
            try $0.journal.loadedNames()
        } remote: {
            try await $0.list("names", .get("names"))
        }
    }
}

extension JournalOperation where Result == (write: WriteResult, names: LoadedNamesDocument) {
    static func loadNames(_ bytes: [UInt8], named name: String, version: String) -> Self {
        Self {
            try await $0.journal.loadNames(bytes, named: name, version: version, $0.caller)
        } remote: { service in
            // The service checks the list; bytes that are not text cannot be sent as JSON.
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw JournalError(.invalid, "the list is not UTF-8 text")
            }
            let body: JSONValue = ["name": .string(name), "version": .string(version), "text": .string(text)]
            let request = ServiceRequest.write(.post, "names", query: service.reasonQuery, body: body)
            return try await service.client.send(request)
                .read { answer throws(ModelError) in
                    (write: try WriteResult(answer), names: try LoadedNamesDocument(answer.object("names")))
                }
        }
    }
}
