import ArgumentParser
import CommandRun
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalPages
import Platform

/// Exports a record as a document.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export a record as a document, as known now or at an earlier moment.",
        discussion: """
            Example:  healthjournal export 018f2c3a --document native --as-of 2024-03-01 -o maria.json
            Example:  healthjournal export 018f2c3a --document csv --as anna
            Example:  healthjournal export 018f2c3a --document pdf -o maria.pdf
            Example:  healthjournal export maria --document html --language fr -o maria.html
            Example:  healthjournal export maria --document pdf --kind medication --kind allergy -o maria.pdf
            Formats: native (all data of the record), purus (CloudKit JSON), mango (the tree of users of Mango \
            Health), fhir, fhir-transaction, fhir-ips, fhir-source, fhir-history and fhir-ndjson (resources of FHIR R4:
            all, for a server, a summary for a doctor, what was imported, every version with its author and a proof, \
            and files by type in a zip archive), vcard (doctors and emergency contacts for an address book), csv (the \
            entries as a table), spreadsheet (the same, in which no value is a formula), html (a page to print), pdf \
            (the same, set by Typst).
            """
    )

    @OptionGroup(title: HelpText.commonOptions) var place: LocationOptions
    @OptionGroup var moment: MomentOptions

    @OptionGroup var record: RecordArgument

    @Option(name: .long, help: "The format of the document, such as native, fhir, csv or pdf (see above).")
    var document: ExportFormat?

    @Option(
        name: .customLong("as"),
        help: "Act as this account, by name or id. Also takes a format, as earlier versions did."
    )
    var asValues: [String] = []

    @Option(name: .long, help: "How errors are printed: table (text) or json.")
    var format: OutputFormat = .table

    @Option(name: .long, help: "The reason; it is recorded with the read.")
    var reason: String = ""

    @Option(
        name: .long,
        help: "The language of html and pdf, and of their dates, such as de-CH (default: that of the terminal)."
    )
    var language: String?

    @Option(name: .long, help: "Only entries of this kind; may be repeated.")
    var kind: [KindName] = []

    @Option(name: .shortAndLong, help: "The file to write (default, or -: standard output).", completion: .file())
    var output: String?

    func run() async throws {
        let former = FormerAs(asValues, isChosen: document != nil) { ExportFormat(rawValue: $0) }
        guard let former, let format = document ?? former.choice else {
            let names = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(
                "give --document with a format, and --as at most once with an account; the formats are \(names)"
            )
        }
        if format == .pdf, output == nil, isatty(STDOUT_FILENO) != 0 {
            throw ValidationError("a PDF cannot be shown on a terminal: name a file, such as -o record.pdf")
        }
        let tag = (language ?? TerminalLanguage.tag(ProcessEnvironment.variables))?.replacing("_", with: "-")
        if let language, let tag, !Languages.isTag(tag) {
            throw ValidationError("\(language) is not a language tag, such as de or de-CH")
        }
        // Only html and pdf are in a language.
        let language = [.html, .pdf].contains(format) ? tag : nil
        let work = Work(place: place, account: former.account, reason: reason, format: self.format)
        try await Session.run(work) { session in
            let file = try output.flatMap { (path) throws(StorageError) in path == "-" ? nil : try OutputFile(path) }
            let id = try await record.id(in: session)
            let kinds = kind.isEmpty ? nil : kind.map(\.kind)
            let moment = try moment.moment(in: session)
            if let file {
                let writer = try file.writer()
                try await session.perform(
                    .export(id, as: format, moment, kinds: kinds, in: language) { try writer.write($0) }
                )
                try writer.finish()
                session.output.note("wrote \(file.path)")
            } else {
                try await session.perform(
                    .export(id, as: format, moment, kinds: kinds, in: language) { try session.output.stream($0) }
                )
            }
        }
    }
}

extension ExportFormat: ExpressibleByArgument {}
