import HTTPTypes
import Interchange

extension OpenAPI {
    static let caregiverOperations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/records/{record}/caregivers",
            id: "listCaregivers",
            summary: "List who has or had access to a record",
            tag: .caregivers,
            parameters: [.asOf],
            answers: [.json("Grants", "All grants of the record.")],
            problems: [.erased]
        ),
        Operation(
            method: .put,
            path: "/v1/records/{record}/caregivers/{account}",
            id: "grantAccess",
            summary: "Grant an account access; with If-Match, the position of its grant, change the grant",
            tag: .caregivers,
            parameters: [.reason, .idempotencyKey, .ifMatch],
            body: BodyDescription(schema: "GrantTerms", examples: Examples.terms),
            answers: [.written],
            problems: [.conflict, .stale, .erased]
        ),
        Operation(
            method: .delete,
            path: "/v1/records/{record}/caregivers/{account}",
            id: "revokeAccess",
            summary: "Revoke an account's access, effective from the next request",
            tag: .caregivers,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased]
        ),
    ]
}
