package import FoundationEssentials

/// A command on the emergency view of a record.
package enum EmergencyCommand: Hashable, Sendable {
    /// Opens the view to an account for a number of hours.
    case open(account: UUID, hours: Int, reason: String)
    /// Opens the view of an animal to a practice that has read its microchip, for a number of hours.
    case openByChip(practice: UUID, hours: Int, reason: String)
    /// Acknowledges, for an owner, the `emergencyOpened` event at a position.
    case acknowledge(UInt64)
}

/// Returns the events that a command on a record's emergency view produces; throws if the command is refused.
///
/// Only an account with a grant that was not revoked can open the view, whatever the grant covers. A grant that ended
/// by its own date does not open the view, unless its terms allow it. A practice needs no grant if the owner permits this view.
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
        return [try opening(to: account, hours: hours, reason: reason, now: now)]
    case .openByChip(let practice, let hours, let reason):
        return [try opening(to: practice, hours: hours, reason: reason, now: now)]
    case .acknowledge(let position):
        guard let emergency = state.emergencies.first(where: { $0.opened.position == position }) else {
            throw ModelError(.notFound, field: "notice", "there is no such notice")
        }
        return emergency.acknowledged == nil ? [.noticeAcknowledged(position: position)] : []
    }
}

private func opening(to account: UUID, hours: Int, reason: String, now: Instant) throws(ModelError) -> JournalEvent {
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
    return .emergencyOpened(account: account, expires: expires)
}
