package import FoundationEssentials
package import HealthModel

/// How an account stands to a record at some position.
package struct Permission: Hashable, Sendable {
    package var isOwner = false
    /// A grant, active or not: whether it lets in depends on the day.
    package var grant: Grant?
    /// The last emergency that the account opened: whether its window is still open depends on the time.
    package var emergency: Emergency?

    package init(isOwner: Bool = false, grant: Grant? = nil, emergency: Emergency? = nil) {
        self.isOwner = isOwner
        self.grant = grant
        self.emergency = emergency
    }

    package static let none = Permission()
}

/// A record that an account has or had to do with.
package struct RecordPermission: Hashable, Sendable {
    package let record: UUID
    package let permission: Permission
}
