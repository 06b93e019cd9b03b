import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Makes an invitation.
struct CaregiverInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Make a code by which one person becomes a caregiver; it is shown once.",
        discussion: """
            Example:  healthjournal caregiver invite 018f2c3a --sections doctorlist --until 2026-12-31
            Sections: myhealth, doctorlist, groups, conflicts. Verbs: read, contribute.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var terms: TermsOptions

    @Argument(help: "The record's id.")
    var record: String

    @Option(name: .long, help: "For how many days the code works: 1 to 30.")
    var days: Int = Journal.invitationDays

    func run() async throws {
        let terms = try terms.terms()
        try await Session.run(options) { session in
            let record = try await session.journal.record(record)
            let made = try await session.journal.invite(terms, to: record, days: days)
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
                session.output.note("this code is shown once, works once, and until \(made.expires)")
            }
        }
    }
}

/// Becomes a caregiver by a code.
struct CaregiverAcceptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Become a caregiver by a code that was given to you.",
        discussion: "Example:  healthjournal caregiver accept hji_mF0k2uG7cQ5yq1b9s3x8Zw --as anna"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The code.")
    var code: String

    func run() async throws {
        try await Session.run(options) { session in
            let result = try await session.journal.acceptInvitation(code)
            session.output.result(result, "accepted: you are let in to the record \(result.record?.text ?? "")")
        }
    }
}

/// Makes a code of no use.
struct CaregiverWithdrawCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Make the code of an invitation of no use.",
        discussion: "Example:  healthjournal caregiver withdraw 018f2c3a 018f2c3d"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id.")
    var record: String

    @Argument(help: "The invitation's id, or the first 8 or more characters of it.")
    var invitation: String

    func run() async throws {
        try await Session.run(options) { session in
            let record = try await session.journal.record(record)
            let prefix = invitation.lowercased()
            let found = try await session.journal.invitations(to: record)
                .filter { prefix.count >= 8 && $0.id.text.hasPrefix(prefix) }
            guard let first = found.first, found.count == 1 else {
                throw JournalError(.notFound, "there is no such invitation; see: healthjournal caregiver invitations")
            }
            let result = try await session.journal.withdrawInvitation(first.id, of: record)
            session.output.result(result, "withdrawn")
        }
    }
}

/// Lists invitations.
struct CaregiverInvitationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invitations",
        abstract: "The invitations to a record, and what became of them.",
        discussion: "Example:  healthjournal caregiver invitations 018f2c3a"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id.")
    var record: String

    func run() async throws {
        try await Session.run(options) { session in
            let record = try await session.journal.record(record)
            let invitations = try await session.journal.invitations(to: record)
            let now = session.journal.now
            if session.output.isJSON {
                session.output.json(.array(invitations.map { NativeInvitation.write($0, now: now) }))
                return
            }
            var table = TextTable([
                .init("INVITATION"), .init("SECTIONS"), .init("VERBS"), .init("MADE"), .init("EXPIRES"), .init("STATE"),
            ])
            for invitation in invitations {
                let terms = invitation.invitation.terms
                table.add([
                    invitation.id.text, terms.sectionNames.joined(separator: ","),
                    terms.verbNames.joined(separator: ","), invitation.made.recordedAt.description,
                    invitation.invitation.expires.description, NativeInvitation.word(invitation, now),
                ])
            }
            session.output.table(table, ifEmpty: "nobody was invited")
        }
    }
}

extension GrantTerms {
    /// As they are listed, in one order.
    var sectionNames: [String] { sections.sorted { $0.rawValue < $1.rawValue }.map(\.name) }
    var verbNames: [String] { verbs.sorted { $0.rawValue < $1.rawValue }.map(\.name) }
}
