import ArgumentParser
import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Imports a CSV file.
struct ImportCSVCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "csv",
        abstract: "Import a CSV file of a device, an app or a spreadsheet, or one that a journal exported.",
        discussion: """
            Example:  healthjournal import csv weight.csv --record maria --preview
            Example:  healthjournal import csv werte.csv --record maria --mapping werte.json --date-pattern "dd.MM.yyyy"
            Example:  healthjournal import csv maria-edited.csv --record maria --dry-run

            A file of Withings, OMRON connect or openScale is recognized by its columns, and so is one of an app whose \
            mapping was given before. For any other, --mapping names a file that says what the columns become; the \
            guide to the command line describes it. Of a table that this journal exported, changed cells correct their \
            entries, and lines without an id add entries.

            A file that can be read in two ways, such as with 03/04/2026, is refused until an option says which one is \
            meant.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The file, or - for standard input.", completion: .file())
    var file: String

    @Option(name: .long, help: "The record to which it belongs: its id, the beginning of it, or a name.")
    var record: String

    @Option(
        name: .long,
        help: "What the columns become: a file in JSON, or the name of a known mapping (default: by the columns)."
    )
    var mapping: String?

    @Option(name: .long, help: "The decimal sign of the numbers: point or comma.")
    var decimal: DecimalSign?

    @Option(name: .long, help: "How dates are written, such as \"dd.MM.yyyy HH:mm\".")
    var datePattern: String?

    @Flag(name: .long, help: "Show the first lines beside what they become and all faults, and import nothing.")
    var preview = false

    @Flag(name: .long, help: "Show what would be imported, and import nothing.")
    var dryRun = false

    enum DecimalSign: String, ExpressibleByArgument, CaseIterable {
        case point, comma
    }

    func run() async throws {
        let pattern: CSVDatePattern?
        do throws(ModelError) {
            pattern = try datePattern.map { text throws(ModelError) in try CSVDatePattern(text) }
        } catch {
            throw ValidationError("--date-pattern \(error.message)")
        }
        try await FolderSession.run(options, source: .import) { session in
            let record = try await LocalJournal(journal: session.journal, caller: session.caller).record(record)
            let bytes = try readFile(file, atMost: CSVDocument.maximumBytes)
            var request = CSVRequest(bytes, into: record, as: try readMapping())
            request.decimal = decimal.flatMap { CSVNumbers.sign(named: $0.rawValue) }
            request.datePattern = pattern
            let isTrial = preview || dryRun
            let document = try await session.journal.imports.read(request, isTrial: isTrial, session.caller)
            if preview { return try session.output.show(document) }
            let report = try await session.journal.imports.take(
                document.record(record),
                digest: BlobStore.digest(of: bytes),
                isTrial: isTrial,
                session.caller
            )
            try session.output.report([report], isTrial: isTrial)
        }
    }

    private func readMapping() throws -> CSVMapping? {
        guard let mapping else { return nil }
        if let known = CSVMapping.builtIn.first(where: { $0.source == mapping }) { return known }
        let json = try JSONReader.read(readFile(mapping, atMost: 1 << 20))
        do throws(ModelError) { return try CSVMapping(json) } catch {
            throw ModelError(error.code, field: error.field.map { "mapping.\($0)" } ?? "mapping", error.text)
        }
    }
}

extension Output {
    /// Shows how a CSV file is read; throws exit status 1 if it has faults.
    fileprivate func show(_ document: CSVDocument) throws {
        if isJSON {
            json(document.json, .compact)
        } else {
            line("read with \(TerminalText.escaped(document.reading.joined(separator: ", ")))")
            for row in document.preview {
                line("line \(row.number): \(TerminalText.escaped(row.cells.joined(separator: " | ")))")
                for entry in row.entries { line("  → \(TerminalText.escaped(entry.description))") }
                if row.entries.isEmpty { line("  → nothing") }
            }
            if document.faultCount == 0 { line("\(document.entries.count) entries") }
            for fault in document.listedFaults { line("fault: \(TerminalText.escaped(fault.description))") }
            let more = document.faultCount - document.listedFaults.count
            if more > 0 { line("and \(more) more faults") }
            note("nothing was imported: this was a preview")
        }
        if document.faultCount > 0 { throw ExitCode(1) }
    }
}

extension ImportedEntry {
    /// The kind, the date and the values, in one line.
    fileprivate var description: String {
        let values = content.changes(from: nil).withoutOriginals.map { "\($0.label) \($0.after ?? "")" }
        return "\(content.kind.word): \(values.joined(separator: ", "))"
    }
}
