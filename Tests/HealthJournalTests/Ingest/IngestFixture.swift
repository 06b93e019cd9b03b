import Foundation
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore

/// A household with a scale that may add entries to some sections of one record.
struct IngestFixture {
    let home: TestHousehold
    let record: UUID
    let scale: Caller

    init(sections: Set<Section> = [.myhealth]) async throws {
        home = try await TestHousehold()
        record = try await home.person("Ida")
        scale = try await home.account("scale", .tool)
        let terms = GrantTerms(sections: sections, verbs: [.contribute])
        _ = try await home.journal.sharing.grant(terms, to: scale.account, on: record, home.owner)
    }

    func append(_ events: [CloudEvent], _ caller: Caller? = nil) async -> [Result<IngestResult, JournalError>] {
        await home.journal.ingest.append(events, caller ?? scale)
    }

    func append(_ event: CloudEvent, _ caller: Caller? = nil) async throws -> IngestResult {
        try #require(await append([event], caller).first).get()
    }

    /// Returns a weight event for the record, with some attributes changed.
    func weight(_ value: String, id: String = "1", _ changes: [String: String?] = [:]) throws -> CloudEvent {
        try event("weight", id: id, data: #"{"value": "\#(value)", "unit": "kg", "date": "2026-03-01"}"#, changes)
    }

    func event(
        _ kind: String,
        id: String = "1",
        data: String,
        _ changes: [String: String?] = [:]
    ) throws -> CloudEvent {
        // Whatever is no kind of entry is a type of another tool.
        let own = "org.healthjournal.\(kind).logged"
        var attributes: [String: String?] = [
            "specversion": "1.0", "source": "/scale", "id": id,
            "type": Kind.ofEvent(type: own) == nil ? "com.example.\(kind).logged" : own, "subject": record.text,
        ]
        attributes.merge(changes) { _, new in new }
        let members = attributes.sorted { $0.key < $1.key }
            .compactMap { name, value in value.map { "\"\(name)\": \"\($0)\"" } }
        return try CloudEvent.read(Array("{\(members.joined(separator: ", ")), \"data\": \(data)}".utf8))
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
