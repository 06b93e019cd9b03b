package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// Invitations: codes with which an account becomes a caregiver.
package enum InvitationEndpoints: OperationGroup {
    package static let list = Endpoint(
        .get,
        "/v1/records/{record}/invitations",
        id: "listInvitations",
        "List the invitations to a record, and their state",
        tag: .caregivers,
        takes: .record,
        returns: .list("invitations", "Invitations", "All invitations, without their codes, which are not stored."),
        problems: [.erased]
    ) { journal, caller, record in
        let now = journal.now
        return try await journal.sharing.invitations(to: record, caller).map { InvitationDocument($0, now: now) }
    }

    package static let invite = Endpoint(
        .post,
        "/v1/records/{record}/invitations",
        effect: .secret,
        id: "invite",
        "Create an invitation code for one caregiver; it is shown only once",
        tag: .caregivers,
        takes: .record,
        .offer,
        returns: .madeInvitation,
        problems: [.conflict, .erased]
    ) { journal, caller, record, offer in
        try await journal.sharing.invite(
            offer.terms,
            to: record,
            days: offer.days ?? Journal.Sharing.invitationDays,
            caller
        )
    }

    package static let withdraw = Endpoint(
        .delete,
        "/v1/records/{record}/invitations/{invitation}",
        id: "withdrawInvitation",
        "Withdraw an invitation",
        tag: .caregivers,
        takes: .record,
        .id("invitation"),
        returns: .written,
        problems: [.conflict, .erased]
    ) { journal, caller, record, invitation in
        try await journal.sharing.withdrawInvitation(invitation, of: record, caller)
    }

    /// The code is sent in the body, because proxies and servers log addresses.
    package static let preview = Endpoint(
        .post,
        "/v1/invitations/preview",
        effect: .read,
        id: "previewInvitation",
        "Show the access that a code gives, and which of the caller's grants it would replace",
        tag: .caregivers,
        takes: .code,
        returns: .document("InvitationPreview", "What accepting the invitation would do."),
        problems: [.refused, .notFound, .erased]
    ) { journal, caller, code in
        journal.document(of: try await journal.sharing.previewInvitation(code, caller))
    }

    package static let accept = Endpoint(
        .post,
        "/v1/invitations/accept",
        id: "acceptInvitation",
        "Accept an invitation code; with If-Match, the position of the caller's grant, replace that grant",
        tag: .caregivers,
        takes: .code,
        .replacedGrant,
        returns: .written,
        problems: [.refused, .notFound, .conflict, .stale, .erased]
    ) { journal, caller, code, replaced in
        try await journal.sharing.acceptInvitation(code, replacing: replaced, caller)
    }

    static let operations = [
        Operation(list), Operation(invite), Operation(withdraw), Operation(preview), Operation(accept),
    ]
}

/// The access that an invitation offers, and for how many days its code can be accepted.
package struct InvitationOffer: Sendable {
    package var terms: GrantTerms
    /// Nil for the usual number.
    package var days: Int?

    package init(_ terms: GrantTerms, days: Int?) {
        (self.terms, self.days) = (terms, days)
    }
}

extension RequestPart where Value == InvitationOffer {
    fileprivate static var offer: Self {
        let example: JSONValue = ["sections": ["myhealth"], "verbs": ["read"], "days": 3]
        return Self(body: BodyDescription(schema: "NewInvitation", examples: [("aunt", example)])) {
            let object = try $0.object
            let terms = object.members.filter { $0.name != "days" }
            return InvitationOffer(try GrantTerms(request: .object(terms)), days: try object.optionalInteger("days"))
        } write: {
            let days = $0.days.map { [JSONValue.Member("days", .integer($0))] } ?? []
            $1.body = .object($0.terms.json.members + days)
        }
    }
}

extension RequestPart where Value == String {
    fileprivate static var code: Self { .member("code", "Acceptance") }
}

extension EndpointAnswer where Output == NewInvitation {
    fileprivate static let madeInvitation = shown("MadeInvitation", "The code.") { made in
        [
            "code": .string(made.code), "id": .string(made.id.text), "expires": .time(made.expires),
            "position": .integer(made.position),
        ]
    } read: { object throws(ModelError) in
        NewInvitation(
            code: try object.required("code"),
            id: try object.id("id"),
            expires: try object.instant("expires"),
            position: try object.number("position")
        )
    }
}
