import FoundationEssentials
import HealthModel
import JournalServer

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
    /// Returns the record of an entry and, if it was read, its kind and the position of its last change: a change then
    /// applies to the version that was read.
    func place(of entry: UUID) async throws -> (record: UUID, kind: Kind?, version: UInt64?)
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

extension JournalOperation where Result: Sendable {
    /// The operation that an endpoint of the API declares, with the values of its parts.
    init<each Value: Sendable>(_ endpoint: Endpoint<Result, repeat each Value>, _ values: repeat each Value) {
        let values = (repeat each values)
        self.init {
            try await endpoint.perform($0.journal, $0.caller, repeat each values)
        } remote: {
            try await $0.send(endpoint.request(repeat each values), endpoint.read)
        }
    }
}
