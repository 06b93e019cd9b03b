import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Records: made, listed, read, changed, closed.
struct RecordRoutes {
    let journal: Journal

    func add(to group: RouterGroup<ServerContext>) {
        group.post("records", use: create)
        group.get("records", use: list)
        group.get("records/:record", use: show)
        group.patch("records/:record", use: change)
        group.delete("records/:record", use: close)
    }

    @Sendable private func create(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        try request.requireMediaType(["application/json"])
        let body = try await request.bytes()
        let asked = try NativeProfile.creation(JSONReader.read(body), now: journal.now)
        let result = try await journal.createRecord(
            asked.profile,
            id: asked.id,
            context.writer(request, body: body, reason: query["reason"])
        )
        return result.response(.created, location: result.record.map { "/v1/records/\($0.text)" })
    }

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["asOf", "cursor", "limit"])
        let page = try query.page
        let found = try await journal.listRecords(asOf: query.asOf, page: page, context.requireCaller())
        return Response(
            .page(
                "records",
                found.map(\.summary),
                cursor: found.count < page.limit ? nil : found.last?.created.position
            )
        )
    }

    @Sendable private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["asOf", "happenedBy", "retracted"])
        let retracted = try query.flag("retracted")
        let answer = try await journal.read(
            context.record(),
            ReadOptions(asOf: query.asOf, happenedBy: query.happenedBy, includesRetracted: retracted),
            as: .record,
            context.requireCaller()
        ) { JSONWriter.bytes(.object($0.members(retracted: retracted))) }
        if let version = answer.version, request.holds(version) {
            return Response(status: .notModified).tagged(version)
        }
        // The moment is another at each look.
        var bytes = JSONWriter.bytes(.object(NativeDocument.opening(asOf: answer.asOf)))
        bytes[bytes.count - 1] = UInt8(ascii: ",")
        bytes += answer.bytes.dropFirst()
        let document = Response(bytes, type: .json)
        return answer.version.map(document.tagged) ?? document
    }

    @Sendable private func change(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        try request.requireMediaType(["application/merge-patch+json", "application/json"])
        let body = try await request.bytes()
        let patch = try JSONReader.read(body)
        let now = journal.now
        let result = try await journal.changeRecord(
            context.record(),
            expecting: request.expectedVersion(),
            context.writer(request, body: body, reason: query["reason"])
        ) { profile throws(ModelError) in
            profile = try NativeProfile.patched(profile, with: patch, now: now)
        }
        return result.response()
    }

    @Sendable private func close(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        return
            try await journal.closeRecord(
                context.record(),
                expecting: request.expectedVersion(),
                context.writer(request, reason: query["reason"])
            )
            .response()
    }
}

extension RecordAnswer {
    /// The record, and by what right and how far it is shown.
    fileprivate func members(retracted: Bool) -> [JSONValue.Member] {
        var scope = scope
        scope.includeRetracted = retracted
        return NativeDocument.members(of: state, scope: scope) + [.init("access", access)]
    }

    private var access: JSONValue {
        let (name, position): (String, UInt64?) =
            switch right {
            case .owner: ("owner", nil)
            case .grant(let position): ("grant", position)
            case .emergency(let position): ("emergency", position)
            case .role(let kind): (kind.name, nil)
            }
        return .object(
            [.init("right", .string(name))] + (position.map { [.init("position", .integer($0))] } ?? []) + [
                .init("sections", .array(Section.allCases.filter(sections.contains).map { .string($0.name) })),
                .init("profile", .bool(showsProfile)),
            ]
        )
    }
}

extension RecordState {
    /// What a list says of a record.
    fileprivate var summary: JSONValue {
        var members: [JSONValue.Member] = [
            .init("id", .string(id.text)),
            .init("displayName", .string(displayName)),
            .init("subject", .string(profile.subject.name)),
            .init("createdAt", .string(created.recordedAt.description)),
            .init("updatedAt", .string(updated.recordedAt.description)),
        ]
        if let closed { members.append(.init("closedAt", .string(closed.recordedAt.description))) }
        return .object(members)
    }
}

extension JSONValue {
    /// A page of a list, and the cursor of the next one if there may be one.
    static func page(_ name: String, _ items: [JSONValue], cursor: UInt64?) -> JSONValue {
        .object([.init(name, .array(items)), .init("nextCursor", cursor.map { .string(String($0)) } ?? .null)])
    }
}
