internal import CaregiverPermissions
package import FoundationEssentials
package import HealthModel

extension Journal.AccessControl {
    /// Returns the kinds of entries that a caller may add to a record.
    ///
    /// For offering these kinds in a user interface; it does not authorize anything.
    package func contributions(to record: UUID, _ caller: Caller) async throws(JournalError) -> Set<Kind> {
        try await journal.retrying {
            guard case .found(let access) = try recordAccess(of: caller.account, to: record), !access.header.isClosed
            else { return [] }
            return Set(
                try Kind.all.filter { kind in
                    guard case .admitted = try decideAdmission(caller, .contribute(kind, .adding), on: record) else {
                        return false
                    }
                    return true
                }
            )
        }
    }
}
