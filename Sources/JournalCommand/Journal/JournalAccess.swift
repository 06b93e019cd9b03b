import CostSummary
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// What commands do with a journal, wherever it is: in a folder here, or behind a service.
///
/// Who acts, and why, was settled when it was reached.
protocol JournalAccess: Sendable {
    /// What "now" is where an entry is dated today.
    var now: Instant { get }

    /// The record of an id, or of the start of one.
    func record(_ text: String) async throws -> UUID
    /// The entry of an id, or of the start of one.
    func entry(_ text: String) async throws -> UUID
    /// The account of a name, an id, or the start of one.
    func account(_ text: String) async throws -> UUID
    /// The name of an account that was come upon, or the start of its id where its name is not to be had.
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
    func export(_ record: UUID, as format: ExportFormat, _ moment: Moment) async throws -> [UInt8]
    /// Of one record, or of all whose costs may be seen.
    func costs(of record: UUID?, _ question: CostQuestion) async throws -> [CostAnswer]
    func previewErasure(_ record: UUID) async throws -> ErasurePreview
    func eraseRecord(_ record: UUID) async throws -> WriteResult
    func receipt(of record: UUID) async throws -> Receipt

    // Entries
    func addEntry(_ content: EntryContent, to record: UUID, id: UUID?) async throws -> WriteResult
    /// The entries of one kind or of all, those of each kind in the order in which they were added.
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
    func grant(_ terms: GrantTerms, to account: UUID, on record: UUID) async throws -> WriteResult
    func revoke(_ account: UUID, on record: UUID) async throws -> WriteResult
    func grants(of record: UUID, asOf: AsOf?) async throws -> [Grant]
    func invite(_ terms: GrantTerms, to record: UUID, days: Int) async throws -> NewInvitation
    func acceptInvitation(_ code: String) async throws -> WriteResult
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
    /// The account's own asks for its `current` password, where one is needed.
    func setPassword(of account: UUID, to password: String, current: String?) async throws -> WriteResult
    /// A token that works up to the end of a day, in the journal's zone.
    func issueToken(to account: UUID, scope: TokenScope, until: Day?) async throws -> IssuedToken
    func revokeToken(_ token: UUID, of account: UUID) async throws -> WriteResult
    func identities(of account: UUID) async throws -> [IdentityState]
    func linkIdentity(issuer: String, subject: String, to account: UUID) async throws -> WriteResult
    func unlinkIdentity(_ identity: UUID, of account: UUID) async throws -> WriteResult

    /// Appends events of other tools in their order; each is answered by itself.
    func append(_ events: [CloudEvent], stream: String?) async throws -> [Result<DoorAnswer, JournalError>]
}

/// What a list says of a record.
struct RecordSummary {
    let id: UUID
    let displayName: String
    let subject: Subject
    let createdAt: Instant
    let updatedAt: Instant
    let closedAt: Instant?
}

/// As of when a record is read, and up to which day of its subject's life.
struct Moment {
    var asOf: AsOf?
    var happenedBy: Day?
}

/// Which costs are asked for.
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

/// A token that was just made, with the secret that is nowhere else.
struct IssuedToken {
    let secret: String
    let id: UUID
    let position: UInt64
}
