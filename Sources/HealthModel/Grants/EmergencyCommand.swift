package import FoundationEssentials

/// A command on the emergency view of a record.
package enum EmergencyCommand: Hashable, Sendable {
    /// Opens the view to an account for a number of hours.
    case open(account: UUID, hours: Int, reason: String)
    /// Acknowledges, for an owner, the `emergencyOpened` event at a position.
    case acknowledge(UInt64)
}

/// Returns the events that a command on a record's emergency view produces; throws if the command is refused.
///
/// Only an account with a grant that was not revoked can open the view, whatever the grant covers. A grant that ended
/// by its own date does not open the view, unless its terms allow it.
package func decide(
    _ command: EmergencyCommand,
    _ state: GrantsState,
    now: Instant,
    today: Day
) throws(ModelError) -> [JournalEvent] {
    switch command {
    case .open(let account, let hours, let reason):
        guard let grant = state[account], grant.revoked == nil else {
            throw ModelError(.conflict, field: "account", "only a caregiver can open the emergency view")
        }
        guard grant.opensEmergency(on: today) else {
            throw ModelError(
                .conflict,
                field: "account",
                "the grant has ended and no longer opens the emergency view"
            )
        }
        guard (1...Limits.emergencyHours).contains(hours) else {
            throw ModelError(.invalid, field: "hours", "must be between 1 and \(Limits.emergencyHours)")
        }
        guard reason.split(whereSeparator: \.isWhitespace).joined(separator: " ").count >= Limits.emergencyReason else {
            throw ModelError(
                .invalid,
                field: "reason",
                "give the reason in \(Limits.emergencyReason) characters or more: the owner of the record will read it"
            )
        }
        let expires = Instant(microseconds: now.microseconds + Int64(hours) * 3_600_000_000)
        return [.emergencyOpened(account: account, expires: expires)]
    case .acknowledge(let position):
        guard let emergency = state.emergencies.first(where: { $0.opened.position == position }) else {
            throw ModelError(.notFound, field: "notice", "there is no such notice")
        }
        return emergency.acknowledged == nil ? [.noticeAcknowledged(position: position)] : []
    }
}
