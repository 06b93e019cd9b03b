import HTTPTypes
import Interchange

extension OpenAPI {
    static let recordOperations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/records",
            id: "createRecord",
            summary: "Create a record",
            tag: .records,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "NewRecord", examples: Examples.newRecords),
            answers: [
                .json(
                    "Written",
                    "Created. `Location` is the address of the record.",
                    status: 201,
                    headers: [.eTag, .location],
                    links: recordLinks
                )
            ],
            problems: [.refused, .conflict]
        ),
        Operation(
            method: .get,
            path: "/v1/records",
            id: "listRecords",
            summary: "List the records that the account may see",
            tag: .records,
            parameters: [.asOf] + ParameterName.page,
            answers: [.json("RecordPage", "A page of records, in the order in which they were created.")],
            problems: [.refused, .notFound]
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}",
            id: "showRecord",
            summary: "Show a record: its profile and its entries",
            tag: .records,
            parameters: [.asOf, .happenedBy, .retracted, .ifNoneMatch],
            answers: [
                AnswerDescription(
                    description:
                        "The part of the record that the account may see. There is an `ETag` if that is all of it.",
                    content: [("application/json", "Record")],
                    optionalHeaders: [.eTag]
                ),
                .notModified,
            ],
            problems: [.erased]
        ),
        Operation(
            method: .patch,
            path: "/v1/records/{record}",
            id: "changeRecord",
            summary: "Change the profile of a record, as a merge patch (RFC 7396)",
            tag: .records,
            parameters: [.reason, .ifMatch, .idempotencyKey],
            body: BodyDescription(
                mediaTypes: ["application/merge-patch+json", "application/json"],
                schema: "RecordPatch",
                examples: Examples.patches
            ),
            answers: [.written],
            problems: [.conflict, .erased, .stale]
        ),
        Operation(
            method: .delete,
            path: "/v1/records/{record}",
            id: "closeRecord",
            summary: "Close a record: it stays readable and cannot be changed",
            tag: .records,
            parameters: [.reason, .ifMatch, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased, .stale]
        ),
    ]

    /// Operations that can follow the creation of a record.
    private static let recordLinks: [LinkDescription] =
        [
            "showRecord", "changeRecord", "closeRecord", "showRecordHistory", "listAccesses", "showCosts",
            "exportRecord", "listCaregivers", "addWeight", "addCost", "addDoctor", "eraseRecord",
        ]
        .map { LinkDescription(operation: $0, parameters: [(.record, "$response.body#/record")]) }
}
