import CostSummary
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension RemoteJournal {
    func createRecord(_ profile: RecordProfile) async throws -> WriteResult {
        try await write(.write(.post, "records", query: reasonQuery, body: NativeProfile.creation(of: profile)))
    }

    func listRecords(asOf: AsOf?) async throws -> [RecordSummary] {
        try await pages(of: "records", ["records"], query: asOf.map { [("asOf", $0.parameter)] } ?? []) {
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

    func read(_ record: UUID, _ moment: Moment) async throws -> RecordAnswer {
        try await read(record, moment, retracted: false)
    }

    /// Reads a record with everything that the caller may see of it.
    func read(_ record: UUID, _ moment: Moment, retracted: Bool) async throws -> RecordAnswer {
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
            let right = try access.right()
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

    func changeRecord(
        _ record: UUID,
        _ edit: (inout RecordProfile) throws(ModelError) -> Void
    ) async throws -> WriteResult {
        let seen = try await read(record, Moment())
        var profile = seen.state.profile
        try edit(&profile)
        let patch = NativeProfile.patch(from: seen.state.profile, to: profile)
        var request = ServiceRequest.write(.patch, "records", record.text, query: reasonQuery, body: patch)
        request.expecting = seen.version
        return try await write(request)
    }

    func closeRecord(_ record: UUID) async throws -> WriteResult {
        try await write(.write(.delete, "records", record.text, query: reasonQuery))
    }

    func holdRecord(_ record: UUID, until: Day) async throws -> WriteResult {
        let body: JSONValue = ["until": .string(until.description), "reason": .string(reason ?? "")]
        return try await write(.write(.put, "records", record.text, "hold", body: body))
    }

    func export(
        _ record: UUID,
        as format: ExportFormat,
        _ moment: Moment,
        to sink: ExportedRecord.Sink
    ) async throws {
        var request = ServiceRequest.get("records", record.text, "export", query: [("as", format.rawValue)])
        request.query += moment.parameters
        try await client.send(request, to: sink)
    }

    func costs(of record: UUID?, _ question: CostQuestion) async throws -> [CostAnswer] {
        let query: [(name: String, value: String?)] = [
            ("year", question.year.map(String.init)), ("currency", question.currency),
            ("asOf", question.asOf?.parameter),
        ]
        let request: ServiceRequest =
            if let record {
                .get("records", record.text, "costs", query: query)
            } else {
                .get("costs", query: query)
            }
        return try await client.send(request)
            .read { document throws(ModelError) in
                var answers: [CostAnswer] = []
                for line in try document.objects("costs") {
                    let answer = CostAnswer(
                        record: try line.id("record"),
                        displayName: try line.required("displayName"),
                        lines: [try CostSheet.Line(line)]
                    )
                    answers.append(answer)
                }
                return answers
            }
    }

    func previewErasure(_ record: UUID) async throws -> ErasurePreview {
        let state = try await read(record, Moment(), retracted: true).state
        return ErasurePreview(displayName: state.displayName, entryCount: state.entries.count)
    }

    func eraseRecord(_ record: UUID) async throws -> WriteResult {
        try await write(
            .write(.post, "records", record.text, "erase", body: ["reason": .string(reason ?? "")])
        )
    }

    func receipt(of record: UUID) async throws -> Receipt {
        let answer = try await client.send(.get("records", record.text, "receipt"))
        guard let position = answer.version else {
            throw JournalError(.failed, "the service's answer cannot be read; it may be of another version (ETag)")
        }
        return Receipt(position: position, text: answer.text)
    }
}

extension Moment {
    /// The moment as query parameters.
    var parameters: [(name: String, value: String)] {
        (asOf.map { [("asOf", $0.parameter)] } ?? []) + (happenedBy.map { [("happenedBy", $0.description)] } ?? [])
    }
}

extension NativeObject {
    fileprivate func right() throws(ModelError) -> AccessRight {
        switch try required("right") {
        case "owner": .owner
        case "grant": .grant(position: try number("position"))
        case "emergency": .emergency(position: try number("position"))
        case let name: .role(try AccountKind(named: name))
        }
    }
}

extension CostSheet.Line {
    fileprivate init(_ line: NativeObject) throws(ModelError) {
        guard case .number(let year) = try line.member("year"), let year = Int64(year),
            let sum = ExactSum(parsing: try line.required("amount"))
        else { throw ModelError(.invalid, field: line.path.field, "is not a line of costs") }
        let isSum = line.members.contains { $0.name == "sumOfCategories" }
        self.init(
            year: year,
            currency: try line.text("currency"),
            basis: try line.required("basis"),
            category: isSum ? CostSheet.sumOfCategories : try line.text("category"),
            isSum: isSum,
            sum: sum,
            count: Int(try line.number("entries"))
        )
    }
}
