package import FoundationEssentials
package import HealthModel

/// An invitation; never contains its code.
package struct InvitationDocument: APIDocument, Hashable {
    /// The state of an invitation at a moment.
    package enum Status: String, CaseIterable, Sendable {
        case accepted, withdrawn, open, expired
    }

    package var id: UUID
    package var status: Status
    package var terms: GrantTerms
    package var madeAt: Instant
    /// The first moment at which the code is no longer valid.
    package var expires: Instant
    package var acceptedAt: Instant?
    /// The account that accepted it.
    package var account: UUID?

    package init(_ state: InvitationState, now: Instant) {
        id = state.id
        status =
            if state.accepted != nil { .accepted } else if state.withdrawn != nil { .withdrawn } else {
                state.isOpen(at: now) ? .open : .expired
            }
        terms = state.invitation.terms
        madeAt = state.made.recordedAt
        expires = state.invitation.expires
        acceptedAt = state.accepted?.recordedAt
        account = state.accepted?.actor
    }
}

extension InvitationDocument {
    package static let schema = JSONSchema.object(
        .object(
            [
                .init("id", JSONSchema.identifier),
                .init("state", JSONSchema.word(of: Status.self)),
            ] + GrantTerms.requiredMembers + [.init("madeAt", JSONSchema.time), .init("expires", JSONSchema.time)]
        ),
        optional: .object(
            GrantTerms.optionalMembers + [
                .init("acceptedAt", JSONSchema.time), .init("account", JSONSchema.identifier),
            ]
        )
    )

    package var json: JSONValue {
        let times: JSONValue = .present([
            "madeAt": .time(madeAt), "expires": .time(expires), "acceptedAt": acceptedAt.map { .time($0) },
            "account": account.map { .string($0.text) },
        ])
        return .object(
            [.init("id", .string(id.text)), .init("state", .string(status.rawValue))] + terms.json.members
                + times.members
        )
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        guard let status = Status(rawValue: try object.required("state")) else {
            throw ModelError(.invalid, field: object.path.appending("state").field, "is not a state of an invitation")
        }
        self.status = status
        terms = try GrantTerms(object)
        madeAt = try object.instant("madeAt")
        expires = try object.instant("expires")
        acceptedAt = try object.optionalInstant("acceptedAt")
        account = try object.optionalID("account")
    }
}
