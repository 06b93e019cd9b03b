import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes that put right what was entered wrongly: undo a change, move an entry, and correct several entries at once.
struct RepairRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
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
            "UndoRequest",
            JSONSchema.object(
                [:],
                optional: [
                    "position": [
                        "type": ["integer", "null"], "minimum": 1,
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

    private func undo(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        try object.requireMembers(["position"])
        let position = try object.has("position") ? object.number("position") : nil
        let undone = try await journal.undo(in: context.record(), position: position, caller)
        return undone.result.response(adding: undone.members)
    }

    private func move(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        try object.requireMembers(["entry", "to"])
        let expected = ExpectedEntry(record: try context.record(), position: try request.expectedVersion())
        return try await journal.moveEntry(object.id("entry"), to: object.id("to"), expecting: expected, caller)
            .response()
    }

    private func correct(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        let (corrections, isDryRun, count) = try Corrections.read(object)
        let record = try context.record()
        let done =
            isDryRun
            ? try await journal.preview(corrections, in: record, caller)
            : try await journal.correct(corrections, in: record, expecting: count, caller)
        return Response(done.json)
    }
}
