import ArgumentParser
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Takes documents in.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take a document in: all of it or nothing, and only what the journal does not hold already.",
        subcommands: [ImportPurusCommand.self, ImportNativeCommand.self]
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

    @Option(name: .long, help: "From when the document counts: unix (1970) or reference (2001).")
    var epoch: Epoch = .unix

    @Option(name: .long, help: "The IANA zone in which a birthdate was a day (else this machine's).")
    var zone: String?

    @Option(name: .long, help: "The ISO 4217 currency of costs that name none; noted as guessed.")
    var currency: String?

    @Flag(name: .long, help: "Say what would be taken, and take nothing.")
    var dryRun = false

    func run() async throws {
        let zone = try zone.map { name in
            guard let zone = TimeZone(identifier: name) else {
                throw ValidationError("there is no time zone of that name")
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

/// Imports a native document.
struct ImportNativeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "native",
        abstract: "Import a document that a health journal has exported.",
        discussion: "Example:  healthjournal import native maria.json"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The document, or - for standard input.")
    var file: String

    @Flag(name: .long, help: "Say what would be taken, and take nothing.")
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
            var members: [JSONValue.Member] = [
                .init("record", .string(report.record.text)), .init("newRecord", .bool(report.isNewRecord)),
                .init("profileChanged", .bool(report.isProfileChanged)), .init("added", .integer(report.added)),
                .init("corrected", .integer(report.corrected)), .init("unchanged", .integer(report.unchanged)),
                .init("unrepresented", .array(report.unrepresented.map { .string($0) })),
                .init("dryRun", .bool(isTrial)),
            ]
            if let position = report.position { members.insert(.init("position", .integer(position)), at: 0) }
            return json(.object(members), .compact)
        }
        line(
            "record \(report.record.text)\(report.isNewRecord ? " (new)" : report.isProfileChanged ? " (changed)" : "")"
        )
        line("added \(report.added), corrected \(report.corrected), unchanged \(report.unchanged)")
        if !report.unrepresented.isEmpty {
            line("kept without being understood: \(TerminalText.escaped(report.unrepresented.joined(separator: ", ")))")
        }
        if isTrial {
            note("nothing was taken: this was a dry run")
        } else if let position = report.position {
            line("the journal is now at position \(position)")
        } else {
            line("nothing to append: the journal holds all of it already")
        }
    }
}
