import FoundationEssentials
import HealthJournal
import HealthModel

/// A journal in a local folder, with the caller that acts on it.
struct LocalJournal: JournalAccess {
    let journal: Journal
    let caller: Caller

    var now: Instant { journal.now }

    func record(beginning text: String) async throws -> UUID { try journal.records.record(text, caller) }

    func entry(_ text: String) async throws -> UUID { try journal.records.entry(text, caller) }

    func place(of entry: UUID) async throws -> (record: UUID, kind: Kind?, version: UInt64?) {
        (try journal.entries.record(ofEntry: entry), nil, nil)
    }

    func account(_ text: String) async throws -> UUID { try journal.accounts.accountID(text) }

    func perform<Result>(_ operation: JournalOperation<Result>) async throws -> Result {
        try await operation.local(self)
    }

    func name(of account: UUID) -> String { journal.accounts.name(of: account) ?? account.beginning }
}
