import FoundationEssentials
package import HealthModel

extension NativeGrant {
    /// Reads a grant as its own journal told it.
    package static func told(_ grant: NativeObject) throws(ModelError) -> Grant {
        var given = try grant.stamp("grantedAt")
        given.position = try grant.number("position")
        return Grant(
            account: try grant.id("account"),
            terms: try toldTerms(grant),
            given: given,
            revoked: try grant.optionalStamp("revokedAt")
        )
    }

    /// The terms of a grant or an invitation, among all else that is told of it.
    static func toldTerms(_ object: NativeObject) throws(ModelError) -> GrantTerms {
        var terms = GrantTerms(sections: [], verbs: [])
        for name in try object.texts("sections") { terms.sections.insert(try Section(named: name)) }
        for name in try object.texts("verbs") { terms.verbs.insert(try Verb(named: name)) }
        terms.from = try object.optionalDay("from")
        terms.until = try object.optionalDay("until")
        return terms
    }

    /// The terms for a request that lets somebody in.
    package static func write(_ terms: GrantTerms) -> JSONValue { .object(members(of: terms)) }
}

extension NativeInvitation {
    /// Reads an invitation as its own journal told it.
    package static func told(_ object: NativeObject) throws(ModelError) -> InvitationState {
        let invitation = Invitation(
            id: try object.id("id"),
            digest: [],
            terms: try NativeGrant.toldTerms(object),
            expires: try object.instant("expires")
        )
        var state = InvitationState(invitation: invitation, made: try object.stamp("madeAt"))
        state.accepted = try object.optionalStamp("acceptedAt", by: "account")
        // That it was withdrawn is told, and not when.
        if try object.text("state") == "withdrawn" { state.withdrawn = state.made }
        return state
    }
}
