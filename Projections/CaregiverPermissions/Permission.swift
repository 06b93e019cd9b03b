package import FoundationEssentials
package import HealthModel

/// The access of an account to a record at a position.
package struct Permission: Hashable, Sendable {
    package var isOwner = false
    /// The grant, active or not; whether it gives access depends on the day.
    package var grant: Grant?
    /// The last emergency view that the account opened; whether it is still open depends on the time.
    package var emergency: Emergency?

    package init(isOwner: Bool = false, grant: Grant? = nil, emergency: Emergency? = nil) {
        self.isOwner = isOwner
        self.grant = grant
        self.emergency = emergency
    }

    package static let none = Permission()
}

/// A record with the access that an account has or had to it.
package struct RecordPermission: Hashable, Sendable {
    package let record: UUID
    package let permission: Permission

    package init(record: UUID, permission: Permission) {
        (self.record, self.permission) = (record, permission)
    }
}
