package import CaregiverPermissions
package import EventLog
package import FoundationEssentials
package import HealthModel

/// What a journal that is the readable side of a replica takes from its service, instead of from its own events.
package protocol ReplicaSource: Sendable {
    /// Returns the permission of the replica's account on a record, as the service last stated it.
    func permission(of account: UUID, on record: UUID) -> Permission
    func records(of account: UUID) -> [RecordPermission]
    /// Returns an account with its name and its devices; nothing else of it is known here.
    func account(_ id: UUID) -> AccountState?
    /// Returns the id of the account of a name; nil if none is known here.
    func account(named name: String) -> UUID?
    /// Returns why an action is not possible on a replica; nil if it is possible.
    func refusal(of action: Action) -> JournalError?
    /// Returns the error for something that only the service can do.
    func onlineOnly(_ why: Message) -> JournalError
    /// Keeps the events of a request, to be sent to the service, and shows them.
    func keep(_ change: Change, in journal: Journal) async throws -> AppendResult
}
