internal import CaregiverPermissions
package import FoundationEssentials
package import HealthModel

extension Journal {
    /// Of which kinds a caller may add entries to a record: for offering that, not for deciding on it.
    package func contributions(to record: UUID, _ caller: Caller) throws(JournalError) -> Set<Kind> {
        do {
            guard case .found(let standing) = try standing(of: caller.account, to: record), !standing.header.isClosed
            else { return [] }
            let (now, today) = (now, today)
            return Set(
                Kind.all.filter { kind in
                    let verdict = Gate.decide(
                        .contribute(kind, .adding),
                        by: caller,
                        permission: standing.permission,
                        now: now,
                        today: today
                    )
                    if case .allowed = verdict { return true }
                    return false
                }
            )
        } catch {
            throw JournalError(error)
        }
    }
}
