import ArgumentParser
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Gives a record out.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a record as a document, as known now or at any moment.",
        discussion: """
            Example:  healthjournal export 018f2c3a --as native --as-of 2024-03-01 -o maria.json
            Example:  healthjournal export 018f2c3a --as csv --as anna
            Example:  healthjournal export 018f2c3a --as pdf -o maria.pdf
            Formats: native (all that the journal knows), purus (CloudKit JSON), csv (the entries as a table), html (a page to
            print), pdf (the same, printed by WeasyPrint).
            """
    )

    @OptionGroup var place: PlaceOptions
    @OptionGroup var moment: MomentOptions

    @Argument(help: "The record's id.")
    var record: String

    @Option(
        name: .customLong("as"),
        help: "The format: native, purus, csv, html or pdf. Given once more, the account to act as."
    )
    var asValues: [String]

    @Option(name: .long, help: "How a failure is told: table (words) or json. The document is what --as says.")
    var format: OutputFormat = .table

    @Option(name: .long, help: "Why this is done; kept with the access that it leaves behind.")
    var reason: String = ""

    @Option(name: .shortAndLong, help: "The file to write (else standard output).")
    var output: String?

    func run() async throws {
        let formats = asValues.compactMap(ExportFormat.init)
        let accounts = asValues.filter { ExportFormat(rawValue: $0) == nil }
        guard let format = formats.first, formats.count == 1, accounts.count <= 1 else {
            throw ValidationError("say --as native, --as purus, --as csv, --as html or --as pdf, once")
        }
        if format == .pdf, output == nil, isatty(STDOUT_FILENO) != 0 {
            throw ValidationError("a PDF is nothing for a terminal: say where it goes, as -o record.pdf")
        }
        let work = Work(place: place, account: accounts.first, reason: reason, format: self.format)
        try await Session.run(work) { session in
            let id = try await session.journal.record(record)
            let bytes = try await session.journal.export(id, as: format, moment.moment)
            if let output {
                try OutputFile.write(bytes, to: output)
                session.output.note("wrote \(output)")
            } else {
                session.output.data(bytes)
            }
        }
    }
}
