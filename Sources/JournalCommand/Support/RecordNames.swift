import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

extension JournalAccess {
    /// Returns the record with an id, the unique beginning of an id, or a name.
    func record(_ text: String) async throws -> UUID { try await named(record: text).id }

    /// Returns the record of a text; with its name, if the text is only the beginning of one.
    func named(record text: String) async throws -> (id: UUID, name: String?) {
        if let id = UUID(uuidString: text) { return (id, nil) }
        if Journal.Records.isIDBeginning(text) {
            do {
                return (try await record(beginning: text), nil)
            } catch let error as JournalError where error.code == .notFound {
                // It may be a name.
            }
        }
        switch try await perform(JournalOperation(RecordEndpoints.lookUp, text)) {
        case .one(let record, let name): return (record, name)
        case .several(let names):
            throw JournalError(
                .invalid,
                field: "record",
                "is the name of several records: \(names.shown); give more of the name, or the id"
            )
        case .similar(let names): throw JournalError.noRecord(similar: names)
        }
    }
}

extension JournalError {
    fileprivate static func noRecord(similar names: [NamedDocument]) -> JournalError {
        let hint = names.isEmpty ? "see: healthjournal record list" : "did you mean \(names.shown)?"
        return JournalError(
            .notFound,
            field: "record",
            "there is no record with that name or id that you may see; \(hint)"
        )
    }
}

extension [NamedDocument] {
    /// The names, each with an id that tells it apart.
    fileprivate var shown: String {
        let length = UUID.lengthOfBeginnings(map(\.id))
        return map { "\($0.name) (\($0.id.text.prefix(length)))" }.joined(separator: ", ")
    }
}
