import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes to create, list, read, change and close records.
struct RecordRoutes {
    let journal: Journal
    let renders: RenderLimiters

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
        let caller = try context.requireCaller()
        var slot: ConcurrencyLimiter.Slot?
        let answer = try await journal.readWhole(
            context.record(),
            ReadOptions(asOf: query.asOf, happenedBy: query.happenedBy, includesRetracted: retracted),
            caller,
            enter: { () throws(JournalError) in
                if slot == nil { slot = try renders.data.acquire(for: caller.account) }
            },
            render: { JSONWriter.bytes(.object($0.members(retracted: retracted))) }
        )
        switch answer {
        case .rendered(let answer): return self.answer(answer, to: request)
        case .inParts(let record): return self.answer(record, to: request, slot)
        }
    }

    private func answer(_ answer: RenderedAnswer, to request: Request) -> Response {
        if let version = answer.version, request.holds(version) {
            return Response(status: .notModified).tagged(version)
        }
        // The moment differs on each read, so it is not part of the rendered bytes.
        var bytes = JSONWriter.bytes(.object(NativeDocument.opening(asOf: answer.asOf)))
        bytes[bytes.count - 1] = UInt8(ascii: ",")
        bytes += answer.bytes.dropFirst()
        let document = Response(bytes, type: .json)
        return answer.version.map(document.tagged) ?? document
    }

    private func answer(_ record: ExportedRecord, to request: Request, _ slot: ConcurrencyLimiter.Slot?) -> Response {
        let version = record.answer.version
        if let version, request.holds(version) { return Response(status: .notModified).tagged(version) }
        let document = Response(
            status: .ok,
            headers: [.contentType: AnswerType.json.rawValue],
            body: ResponseBody(parts: { sink in
                try await record.writeNative(.compact, closing: [.init("access", record.answer.access)], to: sink)
                slot?.end()
            })
        )
        return version.map(document.tagged) ?? document
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
    /// The members of the record's document, with the caller's access right and its extent.
    fileprivate func members(retracted: Bool) -> [JSONValue.Member] {
        var scope = scope
        scope.includeRetracted = retracted
        return NativeDocument.members(of: state, scope: scope) + [.init("access", access)]
    }

    fileprivate var access: JSONValue {
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
    /// A record's members in a list.
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
    /// Encodes a page of a list, with the cursor of the next page; null if there is none.
    static func page(_ name: String, _ items: [JSONValue], cursor: UInt64?) -> JSONValue {
        .object([.init(name, .array(items)), .init("nextCursor", cursor.map { .string(String($0)) } ?? .null)])
    }
}
