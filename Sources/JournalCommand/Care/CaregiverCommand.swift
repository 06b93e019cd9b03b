import ArgumentParser
import HealthJournal
import HealthModel
import Interchange

/// Caregivers of a record.
struct CaregiverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "caregiver",
        abstract: "Let others in to parts of a record, and end that again.",
        subcommands: [
            CaregiverGrantCommand.self, CaregiverRevokeCommand.self, CaregiverListCommand.self,
            CaregiverInviteCommand.self, CaregiverInvitationsCommand.self, CaregiverWithdrawCommand.self,
            CaregiverAcceptCommand.self, CaregiverEmergencyCommand.self,
        ]
    )
}

/// Lets a caregiver in.
struct CaregiverGrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Let an account in to sections of a record.",
        discussion: """
            Example:  healthjournal caregiver grant 018f2c3a anna --sections doctorlist --until 2026-12-31
            Sections: myhealth, doctorlist, groups, conflicts. Verbs: read, contribute.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id.")
    var record: String

    @Argument(help: "The account, by name or id.")
    var caregiver: String

    @OptionGroup var terms: TermsOptions

    func run() async throws {
        let terms = try terms.terms()
        try await Session.run(options) { session in
            let record = try await session.journal.record(record)
            let account = try await session.journal.account(caregiver)
            let result = try await session.journal.grant(terms, to: account, on: record)
            session.output.result(result, "granted")
        }
    }
}

/// Ends a caregiver's grant.
struct CaregiverRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End a caregiver's grant, from the next request on.",
        discussion: "Example:  healthjournal caregiver revoke 018f2c3a anna --reason \"back from holidays\""
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id.")
    var record: String

    @Argument(help: "The account, by name or id.")
    var caregiver: String

    func run() async throws {
        try await Session.run(options) { session in
            let record = try await session.journal.record(record)
            let account = try await session.journal.account(caregiver)
            session.output.result(try await session.journal.revoke(account, on: record), "revoked")
        }
    }
}

/// Lists the caregivers of a record.
struct CaregiverListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Who was let in to a record, now or at any moment.",
        discussion: "Example:  healthjournal caregiver list 018f2c3a --as-of 2024-05-03"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id.")
    var record: String

    @Option(name: .long, help: "As known at this position, time or date.")
    var asOf: When?

    func run() async throws {
        try await Session.run(options) { session in
            let record = try await session.journal.record(record)
            let grants = try await session.journal.grants(of: record, asOf: asOf?.asOf)
            var table = TextTable([
                .init("CAREGIVER"), .init("SECTIONS"), .init("VERBS"), .init("FROM"), .init("UNTIL"), .init("GRANTED"),
                .init("REVOKED"),
            ])
            for grant in grants {
                table.add([
                    session.journal.name(of: grant.account), grant.sections.joined(separator: ","),
                    grant.verbs.joined(separator: ","), grant.terms.from?.description ?? "",
                    grant.terms.until?.description ?? "", grant.given.recordedAt.description,
                    grant.revoked?.recordedAt.description ?? "",
                ])
            }
            if session.output.isJSON {
                session.output.json(.array(grants.map { $0.listed(session.journal.name(of: $0.account)) }))
            } else {
                session.output.table(table, ifEmpty: "nobody was let in")
            }
        }
    }
}

extension Grant {
    fileprivate var sections: [String] { terms.sectionNames }
    fileprivate var verbs: [String] { terms.verbNames }

    fileprivate func listed(_ name: String) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("account", .string(account.text)), .init("name", .string(name)),
            .init("sections", .array(sections.map { .string($0) })), .init("verbs", .array(verbs.map { .string($0) })),
        ]
        if let from = terms.from { members.append(.init("from", .string(from.description))) }
        if let until = terms.until { members.append(.init("until", .string(until.description))) }
        members += [
            .init("grantedAt", .string(given.recordedAt.description)), .init("position", .integer(given.position)),
        ]
        if let revoked { members.append(.init("revokedAt", .string(revoked.recordedAt.description))) }
        return .object(members)
    }
}
