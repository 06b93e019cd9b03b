import HTTPTypes
import Interchange

extension OpenAPI {
    static let historyOperations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/records/{record}/history",
            id: "showRecordHistory",
            summary: "Show the history of a record",
            tag: .histories,
            parameters: ParameterName.page,
            answers: [.json("EventPage", "A page of the record's events, oldest first.")],
            problems: [.erased]
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/access",
            id: "listAccesses",
            summary: "Show who accessed a record, when, why and by which right, including refused attempts",
            tag: .histories,
            parameters: ParameterName.page + [.shownEntry],
            answers: [.json("EventPage", "A page of reads and refusals. Reading it is audited, too.")],
            problems: [.erased]
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/costs",
            id: "showCosts",
            summary: "Add up the costs of a record",
            tag: .histories,
            parameters: [.year, .currency, .asOf],
            answers: [
                .json(
                    "Costs",
                    "A line for each combination of year, currency, basis and category, and sums where they may be added up."
                )
            ],
            problems: [.erased]
        ),
        Operation(
            method: .get,
            path: "/v1/costs",
            id: "showAllCosts",
            summary: "Add up the costs of all records whose costs the account may see",
            tag: .histories,
            parameters: [.year, .currency, .asOf],
            answers: [.json("Costs", "A line for each record, year, currency, basis and category.")],
            problems: [.notFound]
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/export",
            id: "exportRecord",
            summary: "Export a record",
            tag: .histories,
            parameters: [.exportAs, .asOf, .happenedBy],
            answers: [
                AnswerDescription(
                    description: "The exported record, limited to what the account may see.",
                    content: [
                        ("application/json", "Copy"), ("text/csv", "Text"), ("text/html", "Text"),
                        ("application/pdf", "Bytes"),
                    ],
                    headers: [.disposition]
                )
            ],
            problems: [.erased, .notInstalled, .busy]
        ),
        Operation(
            method: .put,
            path: "/v1/records/{record}/hold",
            id: "holdRecord",
            summary:
                "Protect a record from erasure up to and including a day; the hold can be extended, but not shortened",
            tag: .histories,
            parameters: [.idempotencyKey],
            body: BodyDescription(schema: "Hold", examples: Examples.holds),
            answers: [.written],
            problems: [.conflict, .erased]
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/erase",
            id: "eraseRecord",
            summary: "Erase a record permanently: its key is destroyed, so no copy of its data can be read",
            tag: .histories,
            parameters: [.idempotencyKey],
            body: BodyDescription(schema: "Erasure", examples: Examples.erasures),
            answers: [
                .json(
                    "Written",
                    "Erased. `Location` is the address of the receipt.",
                    headers: [.eTag, .location],
                    links: [
                        LinkDescription(operation: "showReceipt", parameters: [(.record, "$response.body#/record")])
                    ]
                )
            ],
            problems: [.conflict, .erased]
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/receipt",
            id: "showReceipt",
            summary: "Show the signed receipt of an erasure",
            tag: .histories,
            answers: [.text("The receipt; check it with `healthjournal-replay`.", headers: [.eTag])],
            problems: [.conflict, .erased]
        ),
    ]
}
