import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes that avoid mistakes and put them right: doubt a new entry, undo a change, move an entry, and correct several
/// entries at once.
struct RepairRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/records/{record}/doubts",
            id: "doubtEntry",
            summary: "Say why an entry that is to be added may be a mistake; nothing is stored",
            description: """
                The same is in the record already, a value is far from the last one, or the date is in the future. A client \
                asks the person before it adds the entry. For an account that may add but not read, no entries are compared.
                """,
            tag: .entries,
            body: BodyDescription(
                schema: "DoubtRequest",
                examples: [("weight", ["kind": "weight", "entry": ["value": "754", "unit": "kg"]])]
            ),
            answers: [.json("Doubts", "The doubts; none in the usual case.")],
            problems: [.refused, .notFound, .erased],
            handler: doubt
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/undo",
            id: "undoChange",
            summary: "Undo a change of entries: by default the last one that the account made in the record",
            description: """
                A change is what one request appended. Added entries are retracted, retracted ones restored, and corrected \
                ones corrected back, in one append. An undone change can be undone again. It is refused if an entry was \
                changed again since then.
                """,
            tag: .entries,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "UndoRequest", examples: []),
            answers: [.json("Undone", "What was undone.", headers: [.eTag])],
            problems: [.refused, .notFound, .conflict, .erased],
            handler: undo
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/moves",
            id: "moveEntry",
            summary: "Move an entry of the record to another one, where it should have been",
            description: """
                In one append, the entry is added to the other record and retracted here. A file goes with its document. The \
                account needs the right to add there and to change here.
                """,
            tag: .entries,
            parameters: [.reason, .ifMatch, .idempotencyKey],
            body: BodyDescription(schema: "MoveRequest", examples: []),
            answers: [.json("Written", "Moved: the record and the id of the entry that was added.", headers: [.eTag])],
            problems: [.refused, .notFound, .conflict, .erased, .stale],
            handler: move
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/corrections",
            id: "correctEntries",
            summary: "Correct all entries of a kind that have some values",
            tag: .entries,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "CorrectionsRequest",
                examples: [
                    (
                        "dosage",
                        [
                            "kind": "drug", "where": ["dosage": "10 mg"], "set": ["dosage": "20 mg"], "dryRun": true,
                        ]
                    )
                ]
            ),
            answers: [.json("CorrectedEntries", "The entries, and what was or would be corrected.")],
            problems: [.refused, .notFound, .conflict, .erased, .stale],
            handler: correct
        ),
    ]

    static let schemas: [JSONValue.Member] = [
        .init(
            "DoubtRequest",
            JSONSchema.object([
                "kind": ["enum": .array(Kind.all.map { .string($0.name) })],
                "entry": ["type": "object", "description": "The entry, as it would be added."],
            ])
        ),
        .init("Doubts", OpenAPI.list("doubts", EntryDoubt.schema)),
        .init(
            "UndoRequest",
            JSONSchema.object(
                [:],
                optional: [
                    "position": [
                        "type": ["integer", "null"], "minimum": 1, "maximum": .integer(Int.max),
                        "description": "The position of an event of the change.",
                    ]
                ]
            )
        ),
        .init(
            "Undone",
            OpenAPI.written(
                "The change that was undone.",
                and: UndoneChange.members(entry: OpenAPI.reference("FoundEntry"))
            )
        ),
        .init("MoveRequest", JSONSchema.object(["entry": JSONSchema.identifier, "to": JSONSchema.identifier])),
        .init("CorrectionsRequest", Corrections.schema), .init("CorrectedEntries", CorrectedEntries.schema),
    ]

    private func doubt(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try request.requireMediaType(["application/json"])
        let object = try await NativeObject(JSONReader.read(request.bytes(atMost: BodyLimits.jsonBytes)))
        try object.requireMembers(["kind", "entry"])
        let content = try NativeDocument.content(object.member("entry"), of: object.kind(), now: journal.now)
        let doubts = try await journal.entries.doubts(about: content, in: context.record(), context.requireCaller())
        return Response(["doubts": .array(doubts.map(\.json))])
    }

    private func undo(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        let undone = try await journal.entries.undo(in: context.record(), position: object.undonePosition(), caller)
        return undone.result.response(adding: undone.members)
    }

    private func move(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        try object.requireMembers(["entry", "to"])
        let expected = ExpectedEntry(record: try context.record(), position: try request.expectedVersion())
        return try await journal.entries.moveEntry(object.id("entry"), to: object.id("to"), expecting: expected, caller)
            .response()
    }

    private func correct(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        let (corrections, isDryRun, count) = try Corrections.read(object)
        let record = try context.record()
        let done =
            isDryRun
            ? try await journal.entries.preview(corrections, in: record, caller)
            : try await journal.entries.correct(corrections, in: record, expecting: count, caller)
        return Response(done.json)
    }
}

extension NativeObject {
    /// The position of the change to undo; nil for the last one.
    func undonePosition() throws -> UInt64? {
        try requireMembers(["position"])
        let position = try optionalInteger("position")
        guard position.map({ $0 > 0 }) ?? true else {
            throw JournalError(.invalid, field: "position", "must be a position, which is 1 or more")
        }
        return position.map(UInt64.init)
    }
}
