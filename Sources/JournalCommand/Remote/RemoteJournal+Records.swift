import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

extension RemoteJournal {
    func listRecords(asOf: AsOf?) async throws -> [RecordSummary] {
        try await pages(of: "records", ["records"], query: asOf.map { [("asOf", $0.parameterText)] } ?? []) {
            item throws(ModelError) in
            RecordSummary(
                id: try item.id("id"),
                displayName: try item.required("displayName"),
                subject: try Subject(named: item.required("subject")),
                createdAt: try item.instant("createdAt"),
                updatedAt: try item.instant("updatedAt"),
                closedAt: try item.optionalInstant("closedAt")
            )
        }
    }

    /// Reads a record with everything that the caller may see of it.
    func read(_ record: UUID, _ moment: ReadMoment, retracted: Bool = false) async throws -> RecordAnswer {
        var request = ServiceRequest(method: .get, path: ["records", record.text], query: moment.parameters)
        if retracted { request.query.append(("retracted", "true")) }
        let answer = try await client.send(request)
        return try answer.read { document throws(ModelError) in
            let state = try NativeDocument.decode(document)
            let access = try document.object("access")
            let asOf = try document.object("asOf")
            var stamp = try asOf.stamp("recordedAt")
            stamp.position = try asOf.number("position")
            var sections: Set<Section> = []
            for name in try access.texts("sections") { sections.insert(try Section(named: name)) }
            let right = try AccessRight(access.object("right"))
            return RecordAnswer(
                state: state,
                asOf: stamp,
                sections: sections,
                // The service has left out the kinds that the caller may not see.
                kinds: Set(Kind.all),
                showsProfile: try access.flag("profile"),
                right: right,
                version: answer.version
            )
        }
    }
}

extension ReadMoment {
    /// The moment as query parameters.
    var parameters: [(name: String, value: String)] {
        [
            asOf.map { ("asOf", $0.parameterText) }, happenedFrom.map { ("happenedFrom", $0.description) },
            happenedBy.map { ("happenedBy", $0.description) },
        ]
        .compactMap(\.self)
    }
}
