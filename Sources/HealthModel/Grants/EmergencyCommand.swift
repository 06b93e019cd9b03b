package import FoundationEssentials

/// What somebody wants done with the emergency view of a record.
package enum EmergencyCommand: Hashable, Sendable {
    /// Opens it to an account for so many hours.
    case open(account: UUID, hours: Int, reason: String)
    /// An owner has seen that it was opened, at that position.
    case acknowledge(UInt64)
}

/// The events that a command makes of a record's emergencies, or why it makes none.
///
/// For those whom an owner trusted enough to give them a grant, whatever it covers, and did not revoke it.
package func decide(
    _ command: EmergencyCommand,
    _ state: GrantsState,
    now: Instant
) throws(ModelError) -> [JournalEvent] {
    switch command {
    case .open(let account, let hours, let reason):
        guard let grant = state[account], grant.revoked == nil else {
            throw ModelError(.conflict, field: "account", "only a caregiver can open the emergency view")
        }
        guard (1...Limits.emergencyHours).contains(hours) else {
            throw ModelError(.invalid, field: "hours", "must lie between 1 and \(Limits.emergencyHours)")
        }
        guard reason.split(whereSeparator: \.isWhitespace).joined(separator: " ").count >= Limits.emergencyReason else {
            throw ModelError(
                .invalid,
                field: "reason",
                "say in \(Limits.emergencyReason) characters or more why: the owner of the record will read it"
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
