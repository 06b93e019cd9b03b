import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Groups the commands on the caregivers of a record.
struct CaregiverCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "caregiver",
        abstract: "Grant others access to sections of a record, and revoke it.",
        subcommands: [
            CaregiverGrantCommand.self, CaregiverRevokeCommand.self, CaregiverListCommand.self,
            CaregiverInviteCommand.self, CaregiverInvitationsCommand.self, CaregiverWithdrawCommand.self,
            CaregiverAcceptCommand.self, CaregiverEmergencyCommand.self,
        ]
    )
}

/// Grants an account access to sections of a record.
struct CaregiverGrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Grant an account or a practice access to sections of a record.",
        discussion: """
            Example:  healthjournal caregiver grant 018f2c3a anna --sections doctors --until 2026-12-31
            Example:  healthjournal caregiver grant 018f2c3a "Two Rooms" --sections health --verbs read,add
            Sections: health, doctors, groups, interactions. Verbs: read, add.

            If the account has a grant already, the command shows the changes, and asks for confirmation on a \
            terminal; elsewhere --replace replaces the old terms with the new ones, and --add adds the new ones to the \
            old ones.
            """
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @OptionGroup var caregiver: GranteeArgument

    @OptionGroup var terms: TermsOptions

    @Flag(name: .long, help: "Add the sections and verbs to the account's existing grant.")
    var add = false

    @Flag(name: .long, help: "Replace the account's existing grant without asking.")
    var replace = false

    func validate() throws {
        if add, replace {
            throw ValidationError("a grant is extended or replaced, not both: give one of --add, --replace")
        }
    }

    func run() async throws {
        let terms = try terms.terms()
        try await Session.run(options) { session in
            let record = try await record.id(in: session)
            let account = try await caregiver.id(in: session)
            let result: WriteResult
            do {
                result = try await session.perform(CaregiverEndpoints.grant, record, account, terms, .none)
            } catch let error as JournalError where error.code == .conflict && error.field == "grant" {
                result = try await change(terms, of: account, on: record, session, or: error)
            }
            session.output.result(result, "granted")
        }
    }

    /// Changes the terms of an existing grant, once the user has confirmed it.
    private func change(
        _ terms: GrantTerms,
        of account: UUID,
        on record: UUID,
        _ session: Session,
        or refusal: JournalError
    ) async throws -> WriteResult {
        let grants = try await session.perform(CaregiverEndpoints.list, record, nil)
        guard let before = grants.first(where: { $0.account == account && $0.revokedAt == nil }) else { throw refusal }
        let after = add ? before.terms.adding(terms) : terms
        session.output.note("before: \(before.terms.summary)\nafter:  \(after.summary)")
        try Terminal.requireReplacing(add || replace, or: refusal)
        return try await session.perform(
            CaregiverEndpoints.grant,
            record,
            account,
            after,
            .given(at: before.position)
        )
    }
}

/// Ends a caregiver's grant.
struct CaregiverRevokeCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a caregiver's grant, from the next request on.",
        discussion: "Example:  healthjournal caregiver revoke 018f2c3a anna --reason \"back from holidays\""
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @OptionGroup var caregiver: GranteeArgument

    func run(in session: Session) async throws {
        let record = try await record.id(in: session)
        let account = try await caregiver.id(in: session)
        session.output.result(try await session.perform(CaregiverEndpoints.revoke, record, account), "revoked")
    }
}

/// Lists the caregivers of a record.
struct CaregiverListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the caregivers of a record, now or at an earlier moment.",
        discussion: "Example:  healthjournal caregiver list 018f2c3a --as-of 2024-05-03"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func run(in session: Session) async throws {
        let record = try await record.id(in: session)
        let grants = try await session.perform(CaregiverEndpoints.list, record, asOf?.asOf(in: session))
        var table = TextTable([
            .init("CAREGIVER"), .init("SECTIONS"), .init("VERBS"), .init("FROM"), .init("UNTIL"), .init("GRANTED"),
            .init("BY"), .init("REVOKED"),
        ])
        for grant in grants {
            table.add([
                grant.name ?? grant.account.beginning, grant.terms.sectionWords.joined(separator: ","),
                grant.terms.verbWords.joined(separator: ","), grant.terms.from?.description ?? "",
                grant.terms.until?.description ?? "", session.output.time(grant.grantedAt),
                grant.grantedByName ?? grant.grantedBy.beginning, grant.revokedAt.map(session.output.time) ?? "",
            ])
        }
        if session.output.isJSON {
            session.output.json(.array(grants.map(\.json)))
        } else {
            session.output.table(table, ifEmpty: "there are no caregivers")
        }
    }
}
