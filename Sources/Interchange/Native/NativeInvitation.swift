import FoundationEssentials
package import HealthModel

/// The JSON form of an invitation; never contains its code.
package enum NativeInvitation {
    package static func write(_ state: InvitationState, now: Instant) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("id", .string(state.id.text)), .init("state", .string(word(state, now))),
        ]
        members += NativeGrant.members(of: state.invitation.terms)
        members += [
            .init("madeAt", .string(state.made.recordedAt.description)),
            .init("expires", .string(state.invitation.expires.description)),
        ]
        if let accepted = state.accepted {
            members.append(.init("acceptedAt", .string(accepted.recordedAt.description)))
            members.append(.init("account", .string(accepted.actor.text)))
        }
        return .object(members)
    }

    /// The state of the invitation: accepted, withdrawn, open or expired.
    package static func word(_ state: InvitationState, _ now: Instant) -> String {
        if state.accepted != nil { return "accepted" }
        if state.withdrawn != nil { return "withdrawn" }
        return state.isOpen(at: now) ? "open" : "expired"
    }
}
