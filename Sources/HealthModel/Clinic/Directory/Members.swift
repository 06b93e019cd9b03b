package import FoundationEssentials

/// What an account may do in a practice, and when.
package struct Membership: Hashable, Sendable {
    package var roles: Set<ClinicRole>
    /// The specialist that the account is, if it is one.
    package var specialist: UUID?
    /// The first day; nil from the beginning on.
    package var from: Day?
    /// The last day; nil without an end.
    package var until: Day?

    package init(roles: Set<ClinicRole>, specialist: UUID? = nil, from: Day? = nil, until: Day? = nil) {
        self.roles = roles
        self.specialist = specialist
        self.from = from
        self.until = until
    }

    package func isActive(on day: Day) -> Bool {
        from.map { $0 <= day } ?? true && until.map { day <= $0 } ?? true
    }
}

/// The members of a practice as of a position of the log.
package struct MembersState: Hashable, Sendable {
    package var members: [UUID: Membership] = [:]

    package init() {}

    /// Returns the roles of an account on a day.
    package func roles(of account: UUID, on day: Day) -> Set<ClinicRole> {
        guard let member = members[account], member.isActive(on: day) else { return [] }
        return member.roles
    }

    /// Whether a manager other than the account has no last day.
    func hasManager(besides account: UUID) -> Bool {
        members.contains { $0.key != account && $0.value.roles.contains(.manager) && $0.value.until == nil }
    }
}

/// Folds one event into the members of a practice.
package func evolve(_ state: inout MembersState, _ event: RecordedEvent) {
    switch event.event.data {
    case let granted as MemberGranted: state.members[granted.account] = granted.membership
    case let revoked as MemberRevoked: state.members[revoked.account] = nil
    default: break
    }
}

/// A command on the members of a practice.
package enum MemberCommand: Hashable, Sendable {
    case grant(account: UUID, Membership)
    case revoke(account: UUID)
}

/// Returns the events that a command on the members produces; throws if the command is refused.
///
/// A practice always has a manager whose membership has no end.
package func decide(_ command: MemberCommand, _ state: MembersState) throws(ModelError) -> [JournalEvent] {
    switch command {
    case .grant(let account, let membership):
        if membership.roles.isEmpty { throw ModelError(.invalid, field: "roles", "a member needs a role") }
        if let from = membership.from, let until = membership.until, until < from {
            throw ModelError(.invalid, field: "until", "is before the first day")
        }
        let staysManager = membership.roles.contains(.manager) && membership.from == nil && membership.until == nil
        guard staysManager || state.hasManager(besides: account) else { throw .lastManager }
        if state.members[account] == nil, state.members.count >= Limits.members {
            throw ModelError(.conflict, "a practice has at most \(Limits.members) members")
        }
        if state.members[account] == membership { return [] }
        return [JournalEvent(MemberGranted(account: account, membership: membership))]
    case .revoke(let account):
        guard state.members[account] != nil else {
            throw ModelError(.notFound, field: "account", "the account is no member of the practice")
        }
        guard state.hasManager(besides: account) else { throw .lastManager }
        return [JournalEvent(MemberRevoked(account: account))]
    }
}

extension ModelError {
    static let lastManager = ModelError(
        .conflict,
        field: "roles",
        "a practice needs a manager whose membership has no last day"
    )
}
