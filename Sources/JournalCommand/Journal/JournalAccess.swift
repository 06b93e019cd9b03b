import FoundationEssentials
import HealthModel

/// The journal of a command, in a local folder or reached through a service.
///
/// The acting account and the reason were fixed when the journal was opened. What commands do with a journal is
/// declared as `JournalOperation`s.
protocol JournalAccess: Sendable {
    /// The current time, for dating new entries.
    var now: Instant { get }

    /// Returns the record whose id begins with a text.
    func record(beginning text: String) async throws -> UUID
    /// Returns the entry with this id or unique prefix of an id.
    func entry(_ text: String) async throws -> UUID
    /// Returns the account with this name, id or unique prefix of an id.
    func account(_ text: String) async throws -> UUID
    /// Returns the name of an account, or the start of its id if the name is not available.
    func name(of account: UUID) -> String

    /// Performs an operation in the form for this place.
    func perform<Result>(_ operation: JournalOperation<Result>) async throws -> Result
}

/// An operation of commands on a journal, in its two forms: on a local folder, and through a service.
///
/// A command for both places is a declaration of its options and of its operation, which can be in the command's file.
struct JournalOperation<Result> {
    let local: (LocalJournal) async throws -> Result
    let remote: (RemoteJournal) async throws -> Result
}
