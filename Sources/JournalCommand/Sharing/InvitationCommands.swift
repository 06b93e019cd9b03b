import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Creates an invitation code for a caregiver.
struct CaregiverInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Create an invitation code for one caregiver; it is shown once.",
        discussion: """
            Example:  healthjournal caregiver invite 018f2c3a --sections doctors --until 2026-12-31
            Sections: health, doctors, groups, interactions. Verbs: read, add.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var terms: TermsOptions

    @OptionGroup var record: RecordArgument

    @Option(name: .long, help: "For how many days the code is valid: 1 to 30.")
    var days: Int = Journal.Sharing.invitationDays

    func run() async throws {
        let terms = try terms.terms()
        try await Session.run(options) { session in
            let record = try await record.id(in: session)
            let made = try await session.perform(InvitationEndpoints.invite, record, InvitationOffer(terms, days: days))
            if session.output.isJSON {
                session.output.json(
                    .object([
                        .init("code", .string(made.code)), .init("id", .string(made.id.text)),
                        .init("expires", .string(made.expires.description)), .init("record", .string(record.text)),
                        .init("position", .integer(made.position)),
                    ]),
                    .compact
                )
            } else {
                session.output.line(made.code)
                session.output.note(
                    "this code is shown once, can be used once, and is valid until \(session.output.time(made.expires))"
                )
            }
        }
    }
}

/// Accepts an invitation by its code.
struct CaregiverAcceptCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept an invitation by its code, and become a caregiver.",
        discussion: """
            Example:  healthjournal caregiver accept hji_mF0k2uG7cQ5yq1b9s3x8Zw --as anna

            An invitation replaces an existing grant of yours on the record. The command then shows the changes, and \
            asks for confirmation on a terminal; elsewhere --replace is needed. Only an owner can add to a grant:
            caregiver grant --add.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The code.")
    var code: String

    @Flag(name: .long, help: "Replace your existing grant without asking.")
    var replace = false

    func run(in session: Session) async throws {
        let result: WriteResult
        do {
            result = try await session.perform(InvitationEndpoints.accept, code, .none)
        } catch let error as JournalError where error.code == .conflict && error.field == "grant" {
            result = try await replaceGrant(session, or: error)
        }
        session.output.result(result, "accepted: you now have access to the record \(result.record?.text ?? "")")
    }

    /// Accepts the invitation in place of the existing grant, once the user has confirmed it.
    private func replaceGrant(_ session: Session, or refusal: JournalError) async throws -> WriteResult {
        let preview = try await session.perform(InvitationEndpoints.preview, code)
        guard let before = preview.replaced else { throw refusal }
        session.output.note("before: \(before.terms.summary)\nafter:  \(preview.terms.summary)")
        try Terminal.requireReplacing(replace, or: refusal)
        return try await session.perform(InvitationEndpoints.accept, code, .given(at: before.position))
    }
}

/// Withdraws an invitation, so that its code is no longer valid.
struct CaregiverWithdrawCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Withdraw an invitation, so that its code is no longer valid.",
        discussion: "Example:  healthjournal caregiver withdraw 018f2c3a 018f2c3d"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @Argument(help: "The invitation's id, or the first 8 or more characters of it.")
    var invitation: String

    func run(in session: Session) async throws {
        let record = try await record.id(in: session)
        let prefix = invitation.lowercased()
        let found = try await session.perform(InvitationEndpoints.list, record)
            .filter { prefix.count >= 8 && $0.id.text.hasPrefix(prefix) }
        guard let first = found.first, found.count == 1 else {
            throw JournalError(.notFound, "there is no such invitation; see: healthjournal caregiver invitations")
        }
        let result = try await session.perform(InvitationEndpoints.withdraw, record, first.id)
        session.output.result(result, "withdrawn")
    }
}

/// Lists invitations.
struct CaregiverInvitationsCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "invitations",
        abstract: "List the invitations to a record, with their states.",
        discussion: "Example:  healthjournal caregiver invitations 018f2c3a"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    func run(in session: Session) async throws {
        let record = try await record.id(in: session)
        let invitations = try await session.perform(InvitationEndpoints.list, record)
        if session.output.isJSON {
            session.output.json(.array(invitations.map(\.json)))
            return
        }
        var table = TextTable([
            .init("INVITATION"), .init("SECTIONS"), .init("VERBS"), .init("CREATED"), .init("EXPIRES"),
            .init("STATE"),
        ])
        for invitation in invitations {
            let terms = invitation.terms
            table.add([
                invitation.id.text, terms.sectionWords.joined(separator: ","),
                terms.verbWords.joined(separator: ","), session.output.time(invitation.madeAt),
                session.output.time(invitation.expires), invitation.status.rawValue,
            ])
        }
        session.output.table(table, ifEmpty: "there are no invitations")
    }
}
