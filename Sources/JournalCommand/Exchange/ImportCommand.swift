import ArgumentParser
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Groups the commands that import documents.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a document: all of it or nothing, and only data that the journal does not contain yet.",
        subcommands: [ImportPurusCommand.self, ImportMangoCommand.self, ImportNativeCommand.self]
    )
}

/// Imports a Purus Health document.
struct ImportPurusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purus",
        abstract: "Import a Purus Health document, in its CloudKit shape or its models shape.",
        discussion: """
            Example:  healthjournal import purus maria.cloudkit.json
            Example:  healthjournal import purus jonas.models.json --epoch reference --dry-run

            CloudKit documents count seconds from 1970 (unix), the models shape from 2001 (reference).
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The document, or - for standard input.")
    var file: String

    @Option(name: .long, help: "The start of the document's time count: unix (1970) or reference (2001).")
    var epoch: Epoch = .unix

    @Option(name: .long, help: "The IANA time zone of birthdates (default: this machine's).")
    var zone: String?

    @Option(name: .long, help: "The ISO 4217 currency of costs without one; they are marked as guessed.")
    var currency: String?

    @Flag(name: .long, help: "Show what would be imported, and import nothing.")
    var dryRun = false

    func run() async throws {
        let zone = try zone.map { name in
            guard let zone = TimeZone(identifier: name) else {
                throw ValidationError("there is no time zone with that name")
            }
            return zone
        }
        try await FolderSession.run(options, source: .import) { session in
            let bytes = try readFile(file, atMost: JSONReader.maximumBytes)
            let purus = try PurusOptions(
                epoch: epoch.value,
                zone: zone ?? .current,
                now: session.journal.now,
                namespaces: session.journal.purusNamespaces(isTrial: dryRun)
            )
            let document = try PurusDocument.read(bytes, options: purus)
            let report = try await session.journal.take(document, currency: currency, isTrial: dryRun, session.caller)
            session.output.report(report, isTrial: dryRun)
        }
    }

    enum Epoch: String, ExpressibleByArgument, CaseIterable {
        case unix
        case reference

        var value: PurusOptions.Epoch { self == .unix ? .unix : .reference }
    }
}

/// Imports a document of Mango Health.
struct ImportMangoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mango",
        abstract: "Import a document of Mango Health: the tree /users/{id}/… of its database as one JSON object.",
        discussion: """
            Example:  healthjournal import mango users.json --dry-run
            Example:  healthjournal import mango me.json --own

            Each user becomes an account with one record. The account is the one to which the user's identity is linked,
            or a new one; with --own, and for any account but the journal's owner, the acting account. Times are ISO
            8601, seconds since 2001, or {"seconds": …, "nanoseconds": …}.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The document, or - for standard input.")
    var file: String

    @Option(name: .long, help: "The provider of the users' identities, as in its tokens (iss).")
    var issuer: String = MangoDocument.issuer

    @Flag(name: .long, help: "Import the only user of the document for the acting account.")
    var own = false

    @Flag(name: .long, help: "Show what would be imported, and import nothing.")
    var dryRun = false

    func run() async throws {
        try await FolderSession.run(options, source: .import) { session in
            let bytes = try readFile(file, atMost: JSONReader.maximumBytes)
            let users = try MangoDocument.read(bytes, options: session.journal.mangoOptions(isTrial: dryRun))
            let reports = try await session.journal.take(
                users,
                issuer: issuer,
                isOwn: own,
                isTrial: dryRun,
                session.caller
            )
            for report in reports { session.output.report(report, isTrial: dryRun) }
        }
    }
}

/// Imports a native document.
struct ImportNativeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "native",
        abstract: "Import a document that a health journal has exported.",
        discussion: """
            Example:  healthjournal import native maria.json --dry-run

            An older export of this journal undoes nothing: changes made here after the export are kept and listed.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The document, or - for standard input.")
    var file: String

    @Flag(name: .long, help: "Show what would be imported, and import nothing.")
    var dryRun = false

    func run() async throws {
        try await FolderSession.run(options, source: .import) { session in
            let bytes = try readFile(file, atMost: JSONReader.maximumBytes)
            let documents = try NativeDocument.readAll(bytes, now: session.journal.now)
            for report in try await session.journal.take(documents, isTrial: dryRun, session.caller) {
                session.output.report(report, isTrial: dryRun)
            }
        }
    }
}

extension Output {
    fileprivate func report(_ report: ImportReport, isTrial: Bool) {
        if isJSON {
            return json(report.json(isTrial: isTrial), .compact)
        }
        line(
            "record \(report.record.text)\(report.isNewRecord ? " (new)" : report.isProfileChanged ? " (changed)" : "")"
        )
        let kept = report.kept > 0 ? ", kept (changed here since) \(report.kept)" : ""
        line("added \(report.added), corrected \(report.corrected), unchanged \(report.unchanged)\(kept)")
        for change in report.changes { line("  \(TerminalText.escaped(change.description))") }
        if !report.unrepresented.isEmpty {
            line("stored without interpretation: \(TerminalText.escaped(report.unrepresented.joined(separator: ", ")))")
        }
        if !report.contradictions.isEmpty {
            line(
                "contradicts other values, both stored: "
                    + TerminalText.escaped(report.contradictions.joined(separator: ", "))
            )
        }
        if isTrial {
            note("nothing was imported: this was a dry run")
        } else if let position = report.position {
            line("the journal is now at position \(position)")
        } else {
            line("nothing to append: the journal contains all of it already")
        }
    }
}

extension ImportChange {
    /// Describes the change in one line: what happens to which entry, and the differences.
    fileprivate var description: String {
        let subject = entry.map { "\(kind?.name ?? "entry") \($0.text)" } ?? "profile"
        let differences = fields.map { "\($0.label): \($0.before ?? "nothing") → \($0.after ?? "nothing")" }
        let summary = differences.joined(separator: "; ")
        return switch what {
        case .added, .corrected: "\(what.rawValue) \(subject): \(summary)"
        case .kept:
            "kept \(subject), which was changed here since"
                + (summary.isEmpty ? "" : " (here → in the document): \(summary)")
        }
    }
}
