import FoundationEssentials
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes to erase a single entry of a record for good.
struct ErasureRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/records/{record}/erasures/{entry}",
            id: "previewEntryErasure",
            summary: "Say what the erasure of an entry would destroy; nothing is erased",
            tag: .histories,
            answers: [.json("EntryErasure", "The entry, and what its erasure would destroy.")],
            problems: [.conflict, .erased],
            handler: preview
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/erasures/{entry}",
            id: "eraseEntry",
            summary: "Erase an entry permanently: its key is destroyed, so no copy of its content can be read",
            description: """
                All versions of the entry become unreadable, as of every past moment, and its file is removed. The log still \
                shows that there was an entry of this kind, who changed it when, who saw it and who erased it. An entry that \
                was added by an earlier version of the program has no key of its own and can only be erased with its record.
                """,
            tag: .histories,
            parameters: [.ifMatch, .idempotencyKey],
            body: BodyDescription(
                schema: "Erasure",
                examples: [("wrongPerson", ["reason": "the document was that of another person"])]
            ),
            answers: [
                .json("Written", "Erased. `Location` is the address of the receipt.", headers: [.eTag, .location])
            ],
            problems: [.conflict, .erased, .stale],
            handler: erase
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/erasures/{entry}/receipt",
            id: "showEntryReceipt",
            summary: "Show the signed receipt of the erasure of an entry",
            tag: .histories,
            answers: [.text("The receipt; check it with `healthjournal-replay`.", headers: [.eTag])],
            problems: [.conflict, .erased],
            handler: receipt
        ),
    ]

    static let schemas: [JSONValue.Member] = [
        .init("EntryErasure", EntryErasurePreview.schema(entry: OpenAPI.reference("FoundEntry")))
    ]

    private func preview(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let preview = try await journal.erasure.previewErasure(
            ofEntry: context.entry(),
            expecting: ExpectedEntry(record: context.record()),
            context.requireCaller()
        )
        return Response(preview.json)
    }

    private func erase(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let body = try await request.json(["reason"])
        let (record, entry) = (try context.record(), try context.entry())
        let result = try await journal.erasure.eraseEntry(
            entry,
            expecting: ExpectedEntry(record: record, position: request.expectedVersion()),
            context.writer(request, body: body.bytes, reason: body.text("reason"))
        )
        return result.response(location: "/v1/records/\(record.text)/erasures/\(entry.text)/receipt")
    }

    private func receipt(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let receipt = try await journal.erasure.receipt(
            ofEntry: context.entry(),
            in: context.record(),
            context.requireCaller()
        )
        return Response(Array(receipt.text.utf8), type: .text).tagged(receipt.position)
    }
}
