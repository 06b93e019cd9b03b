import HTTPTypes
import Interchange

extension OpenAPI {
    static let caregiverOperations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/records/{record}/caregivers",
            id: "listCaregivers",
            summary: "List who is or was let in to a record",
            tag: .caregivers,
            parameters: [.asOf],
            answers: [.json("Grants", "All grants of the record.")],
            problems: [.erased]
        ),
        Operation(
            method: .put,
            path: "/v1/records/{record}/caregivers/{account}",
            id: "grantAccess",
            summary: "Let an account in, or change what it is let in to",
            tag: .caregivers,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "GrantTerms", examples: Examples.terms),
            answers: [.written],
            problems: [.conflict, .erased]
        ),
        Operation(
            method: .delete,
            path: "/v1/records/{record}/caregivers/{account}",
            id: "revokeAccess",
            summary: "Let an account in no longer, from the next request on",
            tag: .caregivers,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased]
        ),
    ]
}
