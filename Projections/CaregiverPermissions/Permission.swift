package import FoundationEssentials
package import HealthModel

/// How an account stands to a record at some position.
package enum Permission: Hashable, Sendable {
    case none
    case owner
    /// A grant, active or not: whether it lets in depends on the day.
    case caregiver(Grant)
}

/// A record that an account has or had to do with.
package struct RecordPermission: Hashable, Sendable {
    package let record: UUID
    package let permission: Permission
}
