internal import CaregiverPermissions
package import FoundationEssentials
package import HealthModel

extension Journal {
    /// Returns the kinds of which a caller may add entries to a record.
    ///
    /// For offering these kinds in a user interface; it does not authorize anything.
    package func contributions(to record: UUID, _ caller: Caller) async throws(JournalError) -> Set<Kind> {
        try await retrying {
            guard case .found(let access) = try recordAccess(of: caller.account, to: record), !access.header.isClosed
            else { return [] }
            let (now, today) = (now, today)
            return Set(
                Kind.all.filter { kind in
                    let decision = Gate.decide(
                        .contribute(kind, .adding),
                        by: caller,
                        permission: access.permission,
                        now: now,
                        today: today
                    )
                    if case .allowed = decision { return true }
                    return false
                }
            )
        }
    }
}
