package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// The caregivers of a record.
package enum CaregiverEndpoints: OperationGroup {
    package static let list = Endpoint(
        .get,
        "/v1/records/{record}/caregivers",
        id: "listCaregivers",
        "List who has or had access to a record",
        tag: .caregivers,
        takes: .record,
        .query(.asOf, as: AsOf.self),
        returns: .list("caregivers", "Grants", "All grants of the record."),
        problems: [.erased]
    ) { journal, caller, record, asOf in
        try await journal.sharing.grants(of: record, asOf: asOf, caller).map { journal.document(of: $0) }
    }

    package static let grant = Endpoint(
        .put,
        "/v1/records/{record}/caregivers/{account}",
        id: "grantAccess",
        "Grant an account access; with If-Match, the position of its grant, change the grant",
        tag: .caregivers,
        takes: .record,
        .account,
        .terms,
        .replacedGrant,
        returns: .written,
        problems: [.conflict, .stale, .erased]
    ) { journal, caller, record, account, terms, replaced in
        try await journal.sharing.grant(terms, to: account, on: record, replacing: replaced, caller)
    }

    package static let revoke = Endpoint(
        .delete,
        "/v1/records/{record}/caregivers/{account}",
        id: "revokeAccess",
        "Revoke an account's access, effective from the next request",
        tag: .caregivers,
        takes: .record,
        .account,
        returns: .written,
        problems: [.conflict, .erased]
    ) { journal, caller, record, account in
        try await journal.sharing.revoke(account, on: record, caller)
    }

    static let operations = [Operation(list), Operation(grant), Operation(revoke)]
}

extension RequestPart where Value == GrantTerms {
    fileprivate static var terms: Self {
        let example: JSONValue = [
            "sections": ["myhealth", "doctorlist"], "verbs": ["read", "contribute"], "from": "2024-02-16",
            "until": .null,
        ]
        return Self(body: BodyDescription(schema: "GrantTerms", examples: [("monday", example)])) {
            try GrantTerms(request: JSONReader.read($0.body))
        } write: {
            $1.body = $0.json
        }
    }
}

extension RequestPart where Value == GrantReplacement {
    /// The grant that the client has seen and intends to replace; any grant with `*`, and none without the header.
    static var replacedGrant: Self {
        Self(parameters: [.ifMatch], isDescribedLast: true) {
            guard $0.request.headers[.ifMatch] != nil else { return .none }
            return try $0.request.expectedVersion().map { .given(at: $0) } ?? .any
        } write: {
            switch $0 {
            case .none: break
            case .given(let position): $1.expecting = position
            case .any: $1.headers.append((Parameter.ifMatch.name, "*"))
            }
        }
    }
}
