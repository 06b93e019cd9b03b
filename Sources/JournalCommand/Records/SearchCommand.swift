import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Searches records.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search the profiles and the entries of all records, or of one.",
        discussion: """
            All words must be found in an entry, its kind, its date, or the name of its record; the beginning of a word is \
            enough, and case and accents do not count.
            Example:  healthjournal search biscuit rabies --since 2024
            """
    )

    @Argument(help: "The words.")
    var words: [String]

    @Option(name: .long, help: "Search this record only: a name, an id, or the first 8 or more characters of one.")
    var record: String?

    @Option(name: .long, help: "Search entries of this kind only; may be repeated.")
    var kind: [KindName] = []

    @OptionGroup var days: DayOptions

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    @Flag(name: .long, help: "Search retracted entries too.")
    var retracted = false

    @Option(name: .long, help: "The maximum number of entries that are shown, the latest first.")
    var limit = SearchRequest.usualLimit

    @OptionGroup var options: CommonOptions

    func validate() throws {
        guard (1...SearchRequest.maximumLimit).contains(limit) else {
            throw ValidationError("--limit must be in 1...\(SearchRequest.maximumLimit)")
        }
    }

    func run() async throws {
        let query: SearchQuery
        do { query = try SearchQuery(words.joined(separator: " ")) } catch { throw error.asUsage }
        try await Session.run(options) { session in
            let period = try days.period(in: session.output.typedZone)
            var read = ReadOptions(
                asOf: asOf?.asOf(in: session),
                happenedFrom: period.first,
                happenedBy: period.last,
                kinds: kind.isEmpty ? nil : kind.map(\.kind),
                includesRetracted: retracted
            )
            read.page.limit = limit
            var only: UUID?
            if let record { only = try await session.journal.record(record) }
            let answer = try await session.perform(.search(SearchRequest(query, in: only, read)))
            if session.output.isJSON { return session.output.json(answer.json) }
            answer.print(to: session.output)
        }
    }
}

extension SearchAnswer {
    fileprivate func print(to output: Output) {
        let isEmpty = count == 0 && !records.contains(where: \.matches)
        if isEmpty { return output.note(searched == 0 ? "there is no record that may be searched" : emptyNote) }
        if isNear { output.note("Nothing has these words as typed. Similar words are in:") }
        let profiles = records.filter(\.matches)
        let length = UUID.lengthOfBeginnings(records.map(\.id))
        if !profiles.isEmpty {
            var table = TextTable([.init("RECORD"), .init("NAME"), .init("SUBJECT")])
            for record in profiles {
                table.add([String(record.id.text.prefix(length)), record.name, record.subject.name])
            }
            output.table(table, ifEmpty: "")
        }
        guard !entries.isEmpty else { return }
        if !profiles.isEmpty { output.line("") }
        let names = Dictionary(records.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let entryLength = UUID.lengthOfBeginnings(entries.map(\.id))
        var table = TextTable([
            .init("DATE"), .init("RECORD"), .init("KIND"), .init("WHAT"), .init("DETAILS"), .init("COMMENT"),
            .init("ENTRY"),
        ])
        for entry in entries {
            let comment = entry.isRetracted ? "[retracted] " + entry.content.comment : entry.content.comment
            table.add([
                output.date(entry.content.date), names[entry.record] ?? "", entry.kind.word, entry.content.title,
                entry.content.shownDetails(recordedAt: entry.added.recordedAt, output),
                comment, String(entry.id.text.prefix(entryLength)),
            ])
        }
        output.table(table, ifEmpty: "")
        if count > entries.count {
            output.note(
                "\(entries.count) of \(count) entries are shown, the latest first; --limit shows more, --since, --until and "
                    + "--kind narrow the search"
            )
        }
    }

    private var emptyNote: String {
        let places = searched == 1 ? "the record" : "the \(searched) records"
        return "nothing was found in \(places) that this account may search; the beginning of each word is enough"
    }
}
