import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension JournalOperation where Result == (write: WriteResult, names: LoadedNamesDocument) {
    static func loadNames(_ bytes: [UInt8], named name: String, version: String) -> Self {
        Self {
            try await $0.journal.names.loadNames(bytes, named: name, version: version, $0.caller)
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
