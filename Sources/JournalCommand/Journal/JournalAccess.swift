import CostSummary
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// The operations of commands on a journal, in a local folder or through a service.
///
/// The acting account and the reason were fixed when the journal was opened.
protocol JournalAccess: Sendable {
    /// The current time, for dating new entries.
    var now: Instant { get }

    /// Returns the record with this id or unique prefix of an id.
    func record(_ text: String) async throws -> UUID
    /// Returns the entry with this id or unique prefix of an id.
    func entry(_ text: String) async throws -> UUID
    /// Returns the account with this name, id or unique prefix of an id.
    func account(_ text: String) async throws -> UUID
    /// Returns the name of an account, or the start of its id if the name is not available.
    func name(of account: UUID) -> String

    // Records
    func createRecord(_ profile: RecordProfile) async throws -> WriteResult
    func listRecords(asOf: AsOf?) async throws -> [RecordSummary]
    func read(_ record: UUID, _ moment: Moment) async throws -> RecordAnswer
    func changeRecord(
        _ record: UUID,
        _ edit: (inout RecordProfile) throws(ModelError) -> Void
    ) async throws -> WriteResult
    func closeRecord(_ record: UUID) async throws -> WriteResult
    func holdRecord(_ record: UUID, until: Day) async throws -> WriteResult
    /// Passes the parts of a document to `sink` as they are produced; if it throws, the parts passed so far are not a
    /// document.
    func export(
        _ record: UUID,
        as format: ExportFormat,
        _ moment: Moment,
        to sink: ExportedRecord.Sink
    ) async throws
    /// Returns the costs of one record, or of all records whose costs the caller may see.
    func costs(of record: UUID?, _ question: CostQuestion) async throws -> [CostAnswer]
    func previewErasure(_ record: UUID) async throws -> ErasurePreview
    func eraseRecord(_ record: UUID) async throws -> WriteResult
    func receipt(of record: UUID) async throws -> Receipt

    // Entries
    func addEntry(_ content: EntryContent, to record: UUID, id: UUID?) async throws -> WriteResult
    /// Returns the entries of one kind or of all kinds, those of each kind in the order in which they were added.
    func entries(of record: UUID, _ kind: Kind?, _ moment: Moment, retracted: Bool) async throws -> [EntryState]
    func correctEntry(
        _ entry: UUID,
        _ edit: (inout EntryContent) throws(ModelError) -> Void
    ) async throws -> WriteResult
    func retractEntry(_ entry: UUID) async throws -> WriteResult
    func restoreEntry(_ entry: UUID) async throws -> WriteResult
    func history(ofEntry entry: UUID) async throws -> [RecordedEvent]
    func attachDocument(_ bytes: [UInt8], _ content: EntryContent, to record: UUID) async throws -> WriteResult
    func document(_ entry: UUID) async throws -> [UInt8]

    // Caregivers and owners
    /// Grants access to an account; `replacing` is the position of the grant that may be replaced, nil for none.
    func grant(
        _ terms: GrantTerms,
        to account: UUID,
        on record: UUID,
        replacing position: UInt64?
    ) async throws -> WriteResult
    func revoke(_ account: UUID, on record: UUID) async throws -> WriteResult
    func grants(of record: UUID, asOf: AsOf?) async throws -> [Grant]
    func invite(_ terms: GrantTerms, to record: UUID, days: Int) async throws -> NewInvitation
    func previewInvitation(_ code: String) async throws -> InvitationPreview
    /// Accepts an invitation; `replacing` is the position of the grant that may be replaced, nil for none.
    func acceptInvitation(_ code: String, replacing position: UInt64?) async throws -> WriteResult
    func withdrawInvitation(_ invitation: UUID, of record: UUID) async throws -> WriteResult
    func invitations(to record: UUID) async throws -> [InvitationState]
    func openEmergency(_ record: UUID, hours: Int) async throws -> OpenedEmergency
    func notices() async throws -> [Notice]
    func acknowledgeNotice(_ position: UInt64) async throws -> WriteResult
    func addOwner(_ account: UUID, to record: UUID) async throws -> WriteResult
    func removeOwner(_ account: UUID, from record: UUID) async throws -> WriteResult
    func owners(of record: UUID, asOf: AsOf?) async throws -> [UUID]
    func transfer(_ record: UUID, to account: UUID) async throws -> WriteResult

    // Accounts
    func addAccount(_ profile: AccountProfile) async throws -> WriteResult
    func accounts() async throws -> [AccountState]
    /// Sets a password; changing that of the caller's own account may require its `current` password.
    func setPassword(
        of account: UUID,
        to password: String,
        current: String?,
        revoking: Revocation
    ) async throws -> WriteResult
    /// Returns the valid tokens and the linked identities of an account.
    func credentials(of account: UUID) async throws -> (tokens: [TokenState], identities: [IdentityState])
    /// Issues a token that is valid until the end of a day in the journal's time zone.
    func issueToken(to account: UUID, scope: TokenScope, until: Day?, current: String?) async throws -> IssuedToken
    func revokeToken(_ token: UUID, of account: UUID) async throws -> WriteResult
    func identities(of account: UUID) async throws -> [IdentityState]
    func linkIdentity(
        issuer: String,
        subject: String,
        to account: UUID,
        current: String?
    ) async throws -> WriteResult
    func unlinkIdentity(_ identity: UUID, of account: UUID) async throws -> WriteResult

    /// Appends events from other tools in order, and returns a separate result for each.
    func append(_ events: [CloudEvent], stream: String?) async throws -> [Result<IngestResult, JournalError>]
}

/// A record in a list.
struct RecordSummary {
    let id: UUID
    let displayName: String
    let subject: Subject
    let createdAt: Instant
    let updatedAt: Instant
    let closedAt: Instant?
}

/// The position, time or date as of which a record is read, and the day up to which its entries had happened.
struct Moment {
    var asOf: AsOf?
    var happenedBy: Day?
}

/// A query for costs.
struct CostQuestion {
    var year: Int64?
    var currency: String?
    var asOf: AsOf?
}

/// The costs of one record, line by line.
struct CostAnswer {
    let record: UUID
    let displayName: String
    let lines: [CostSheet.Line]
}

/// A newly issued token with its secret, which is stored nowhere.
struct IssuedToken {
    let secret: String
    let id: UUID
    let position: UInt64
}
