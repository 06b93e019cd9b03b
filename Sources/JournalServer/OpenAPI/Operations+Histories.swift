import HTTPTypes
import Interchange

extension OpenAPI {
    static let historyOperations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/records/{record}/history",
            id: "showRecordHistory",
            summary: "Show what became of a record",
            tag: .histories,
            parameters: ParameterName.page,
            answers: [.json("EventPage", "A page of the record's events, the first one first.")],
            problems: [.erased]
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/access",
            id: "listAccesses",
            summary: "Show who looked at a record, when, why and by what right; who was refused, too",
            tag: .histories,
            parameters: ParameterName.page,
            answers: [.json("EventPage", "A page of reads and refusals. To look at it is a read.")],
            problems: [.erased]
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/costs",
            id: "showCosts",
            summary: "Add up what a record's subject cost",
            tag: .histories,
            parameters: [.year, .currency, .asOf],
            answers: [.json("Costs", "A line for each year, currency, basis and category; only what may be added is.")],
            problems: [.erased]
        ),
        Operation(
            method: .get,
            path: "/v1/costs",
            id: "showAllCosts",
            summary: "Add up what the subjects of all records cost whose costs the account may see",
            tag: .histories,
            parameters: [.year, .currency, .asOf],
            answers: [.json("Costs", "A line for each record, year, currency, basis and category.")],
            problems: [.notFound]
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/export",
            id: "exportRecord",
            summary: "Take a copy of a record away",
            tag: .histories,
            parameters: [.exportAs, .asOf, .happenedBy],
            answers: [
                AnswerDescription(
                    description: "The copy, as far as the account is let in.",
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
            summary: "Keep a record from being erased up to a day, as a law may demand; it is never shortened",
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
            summary: "Erase a record for good: its key is destroyed, in every copy of the log",
            tag: .histories,
            parameters: [.idempotencyKey],
            body: BodyDescription(schema: "Erasure", examples: Examples.erasures),
            answers: [
                .json(
                    "Written",
                    "Erased. `Location` is where the receipt is.",
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
            answers: [.text("The receipt; `healthjournal-replay` checks it.", headers: [.eTag])],
            problems: [.conflict, .erased]
        ),
    ]
}
