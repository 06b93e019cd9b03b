import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Imports an export of Apple Health.
struct ImportAppleCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple",
        abstract: "Import an export of Apple Health: export.zip, or the export.xml in it.",
        discussion: """
            Example:  healthjournal import apple export.zip --record maria --dry-run
            Example:  healthjournal import apple export.zip --record maria --types VO2Max,WalkingSpeed

            Weights, blood pressures, glucose, temperatures and other values that are measured now and then become one \
            entry each. What a watch records all day (steps, heart rate, energy, sleep) becomes one summary for each \
            day and device; the single samples are not kept. Sums are never added over devices. Clinical records of \
            hospitals become what import fhir makes of them, one import for each hospital.

            The report lists the types that are not taken; --types takes some of them, too. With --raw, each value of \
            a type becomes an entry, at most 100,000 in all.

            A large export is appended in several steps. If it is interrupted, the same command adds what is missing.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Option(name: .long, help: "The record to which it belongs: its id, the beginning of it, or a name.")
    var record: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Further types to take, with commas between them, as the report names them.",
            valueName: "types"
        )
    )
    var types: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Types of which each value becomes an entry, with commas between them.", valueName: "types")
    )
    var raw: String?

    @Flag(name: .long, help: "Show what would be imported, and import nothing.")
    var dryRun = false

    var eventSource: EventSource { .import }

    func run(in session: FolderSession) async throws {
        let record = try await LocalJournal(journal: session.journal, caller: session.caller).record(record)
        let export = try await session.journal.imports.readAppleHealth(
            file,
            into: record,
            types: Self.names(types),
            raw: Self.names(raw),
            session.caller
        )
        let progress = Progress("import")
        let (reports, refused) = try await session.journal.imports.take(
            export,
            into: record,
            isTrial: dryRun,
            session.caller
        ) {
            progress.show(UInt64($0), of: UInt64(max($0, export.entryCount)))
        }
        progress.finish()
        var read = export.report
        read.invalid += refused
        if session.output.isJSON { session.output.json(read.json, .compact) } else { session.output.show(read) }
        try session.output.report(reports, isTrial: dryRun)
    }

    private static func names(_ list: String?) -> [String] {
        list?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
    }
}

extension AppleHealthReport {
    fileprivate var json: JSONValue {
        [
            "records": .integer(records), "daySummaries": .integer(summaries),
            "taken": .object(taken.sorted { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) }),
            "notTaken": .object(notTaken.sorted { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) }),
            "repeated": .integer(repeated), "invalid": .integer(invalid),
            "replacedCharacters": .integer(replacedCharacters),
            "skippedLines": .array(skippedLines.map { .integer($0) }),
        ]
    }
}

extension Output {
    fileprivate func show(_ report: AppleHealthReport) {
        func listed(_ counts: [String: Int]) -> String {
            counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\(TerminalText.escaped($0.key)) \($0.value)" }.joined(separator: ", ")
        }
        line("\(report.records) records; those of a whole day are summarised, and their single values are not kept")
        if !report.taken.isEmpty { line("taken: \(listed(report.taken))") }
        if !report.notTaken.isEmpty { line("not taken, because no entry fits: \(listed(report.notTaken))") }
        if report.repeated > 0 { line("repeated in the file: \(report.repeated)") }
        if report.invalid > 0 { line("invalid, such as without a time or a value: \(report.invalid)") }
        if report.replacedCharacters > 0 { line("characters that XML does not allow: \(report.replacedCharacters)") }
        if !report.skippedLines.isEmpty {
            let first = report.skippedLines.prefix(10).map(String.init).joined(separator: ", ")
            line("lines that could not be parsed: \(report.skippedLines.count), the first ones \(first)")
        }
    }
}
