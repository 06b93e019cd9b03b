import FoundationEssentials
package import HealthModel

extension NativeGrant {
    /// Decodes a grant that a journal's own service returned.
    package static func decode(_ grant: NativeObject) throws(ModelError) -> Grant {
        var given = try grant.stamp("grantedAt", by: "grantedBy")
        given.position = try grant.number("position")
        return Grant(
            account: try grant.id("account"),
            terms: try decodeTerms(grant),
            given: given,
            revoked: try grant.optionalStamp("revokedAt")
        )
    }

    /// Decodes the terms of a grant or an invitation; other members are ignored.
    static func decodeTerms(_ object: NativeObject) throws(ModelError) -> GrantTerms {
        var terms = GrantTerms(sections: [], verbs: [])
        for name in try object.texts("sections") { terms.sections.insert(try Section(named: name)) }
        for name in try object.texts("verbs") { terms.verbs.insert(try Verb(named: name)) }
        terms.from = try object.optionalDay("from")
        terms.until = try object.optionalDay("until")
        terms.emergencyAfterEnd = object.members.contains { $0.name == "emergencyAfterEnd" && $0.value == .bool(true) }
        return terms
    }

    /// Encodes the terms for a request that grants access.
    package static func write(_ terms: GrantTerms) -> JSONValue { .object(members(of: terms)) }
}

extension NativeInvitation {
    /// Decodes an invitation that a journal's own service returned.
    package static func decode(_ object: NativeObject) throws(ModelError) -> InvitationState {
        let invitation = Invitation(
            id: try object.id("id"),
            digest: [],
            terms: try NativeGrant.decodeTerms(object),
            expires: try object.instant("expires")
        )
        var state = InvitationState(invitation: invitation, made: try object.stamp("madeAt"))
        state.accepted = try object.optionalStamp("acceptedAt", by: "account")
        // The document states that the invitation was withdrawn, but not when; the time of creation is used instead.
        if try object.text("state") == "withdrawn" { state.withdrawn = state.made }
        return state
    }
}
