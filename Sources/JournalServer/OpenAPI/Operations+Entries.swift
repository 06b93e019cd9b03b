import HTTPTypes
import HealthModel
import Interchange

extension OpenAPI {
    static let foundEntryOperations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/entries/{start}",
            id: "findEntry",
            summary: "Find an entry by its id, or by the start of its id",
            tag: .entries,
            parameters: [.asOf],
            answers: [.json("FoundEntry", "The entry, with its record and kind.", headers: [.eTag])],
            problems: [.erased]
        )
    ]

    /// The operations on entries of one kind.
    ///
    /// The router has one path for all kinds. The description has one for each kind, so that a generated client gets a
    /// method and a type for each kind, and no body is described as one of many shapes of which the address allows
    /// only one.
    static func entryOperations(_ kind: Kind) -> [Operation] {
        let name = schemaName(kind)
        let (list, one) = (
            "/v1/records/{record}/entries/\(kind.name)", "/v1/records/{record}/entries/\(kind.name)/{entry}"
        )
        let what = kind.label.prefix(1).lowercased() + kind.label.dropFirst()
        let body = BodyDescription(schema: name, examples: [(kind.name, Examples.entry(of: kind))])
        return [
            Operation(
                method: .post,
                path: list,
                id: "add\(name)",
                summary: "Add an entry: \(what)",
                tag: .entries,
                parameters: [.newEntry, .reason, .idempotencyKey],
                body: body,
                answers: [
                    .json(
                        "Written",
                        "Added. `Location` is the address of the entry.",
                        status: 201,
                        headers: [.eTag, .location],
                        links: entryLinks(name)
                    )
                ],
                problems: [.conflict, .erased]
            ),
            Operation(
                method: .get,
                path: list,
                id: "list\(name)",
                summary: "List entries: \(what)",
                tag: .entries,
                parameters: [.asOf, .happenedBy] + ParameterName.page + [.retracted],
                answers: [.json("\(name)Page", "A page of entries, in the order in which they were added.")],
                problems: [.erased]
            ),
            Operation(
                method: .get,
                path: one,
                id: "show\(name)",
                summary: "Show an entry: \(what)",
                tag: .entries,
                parameters: [.asOf, .ifNoneMatch],
                answers: [.json("\(name)Kept", "The entry.", headers: [.eTag]), .notModified],
                problems: [.erased]
            ),
            Operation(
                method: .put,
                path: one,
                id: "correct\(name)",
                summary: "Correct an entry: \(what). Its earlier version stays in its history",
                tag: .entries,
                parameters: [.reason, .ifMatch, .idempotencyKey],
                body: body,
                answers: [.written],
                problems: [.conflict, .erased, .stale]
            ),
            Operation(
                method: .delete,
                path: one,
                id: "retract\(name)",
                summary: "Retract an entry that was never true: \(what)",
                tag: .entries,
                parameters: [.reason, .ifMatch, .idempotencyKey],
                answers: [.written],
                problems: [.conflict, .erased, .stale]
            ),
            Operation(
                method: .post,
                path: one + "/restore",
                id: "restore\(name)",
                summary: "Restore an entry that was retracted: \(what)",
                tag: .entries,
                parameters: [.reason, .ifMatch, .idempotencyKey],
                answers: [.written],
                problems: [.conflict, .erased, .stale]
            ),
            Operation(
                method: .get,
                path: one + "/history",
                id: "show\(name)History",
                summary: "Show the history of an entry: \(what)",
                tag: .entries,
                answers: [.json("EventPage", "All events of the entry, the first one first.")],
                problems: [.erased]
            ),
        ]
    }

    /// The name of the kind's schema, and of the type in generated clients.
    static func schemaName(_ kind: Kind) -> String { kind.name.prefix(1).uppercased() + kind.name.dropFirst() }

    static func entryLinks(_ name: String, and others: [String] = []) -> [LinkDescription] {
        (["show\(name)", "correct\(name)", "retract\(name)", "restore\(name)", "show\(name)History"] + others)
            .map { operation in
                LinkDescription(
                    operation: operation,
                    parameters: [(.record, "$response.body#/record"), (.entry, "$response.body#/entry")]
                )
            }
    }
}
