import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Searches the entries of a household for words.
public struct SearchWork: Sendable {
    private static let batch = 1_000
    private static let times = 5
    /// The searches: a rare word, a frequent one, the beginning of a word, two words, a typing error, nothing.
    private static let queries = ["tavolimu", "scale", "tavol", "breakfast tavolimu", "tavoilmu", "qqqqqqq"]

    /// The number of records over which the entries are spread.
    public var records = 1
    /// The number of entries.
    public var entries = 10_000

    /// Creates the workload with its default sizes.
    public init() {}

    /// Runs the workload, and returns the measured values: the median of each search, and that of the slowest one.
    ///
    /// The texts of the entries are written to the file `texts`, one entry a line, for the peers.
    public func run(in folder: WorkFolder, texts: String) async throws -> WorkResult {
        let journal = try await folder.createJournal()
        defer { journal.close() }
        let caller = try journal.accounts.caller(Journal.ownerName, source: .system)
        var random = Random(seed: 11)
        var ids: [UUID] = []
        for number in 0..<records {
            var profile = RecordProfile(subject: .human)
            try profile.set("givenName", text: "Person \(number)")
            guard let record = try await journal.records.createRecord(profile, caller).record else {
                throw WorkError.wrongAnswer
            }
            ids.append(record)
        }
        let words = Vocabulary(&random)
        var lines: [String] = []
        var events: [CloudEvent] = []
        for number in 0..<entries {
            let text = words.text(number, &random)
            lines.append(text)
            events.append(try Self.event(number, of: ids[random.below(ids.count)], text))
            if events.count == Self.batch || number == entries - 1 {
                for result in await journal.ingest.append(events, caller) { _ = try result.get() }
                events = []
            }
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: texts))
        var medians: [Duration] = []
        var counts: [Int] = []
        for text in Self.queries {
            var taken: [Duration] = []
            var count = 0
            for _ in 0..<Self.times {
                let request = SearchRequest(try SearchQuery(text), ReadOptions(page: .init(limit: 50)))
                let begin = ContinuousClock.now
                count = try await journal.records.search(request, caller).count
                taken.append(ContinuousClock.now - begin)
            }
            medians.append(taken.quantile(0.5))
            counts.append(count)
        }
        guard counts[0] > 0, counts[0] == counts[2], counts[4] == counts[0], counts[5] == 0 else {
            throw WorkError.wrongAnswer
        }
        return WorkResult("search", events: entries, in: medians.reduce(.zero, +))
            .with("rare_ms", medians[0].seconds * 1e3).with("frequent_ms", medians[1].seconds * 1e3)
            .with("slowest_ms", (medians.max() ?? .zero).seconds * 1e3)
            .with("rare", counts[0]).with("frequent", counts[1])
    }

    private static func event(_ number: Int, of record: UUID, _ text: String) throws -> CloudEvent {
        let day = Day(daysSince1970: Int32(15_000 + number / 40))
        let line = """
            {"specversion":"1.0","id":"\(number)","source":"bench","type":"org.healthjournal.illness.logged",\
            "subject":"\(record.text)","data":{"date":"\(day)","name":"Note","comment":"\(text)"}}
            """
        return try CloudEvent.read(Array(line.utf8))
    }
}

/// Words: a few are frequent and most are rare, as in texts of people.
private struct Vocabulary {
    private let words: [String]

    init(_ random: inout Random) {
        let (consonants, vowels) = (Array("bdfghjklmnprstvz"), Array("aeiou"))
        var words: [String] = []
        for _ in 0..<20_000 {
            var word = ""
            for _ in 0..<(2 + random.below(4)) {
                word.append(consonants[random.below(consonants.count)])
                word.append(vowels[random.below(vowels.count)])
            }
            if !word.hasPrefix("tavol") { words.append(word) }
        }
        self.words = words
    }

    /// Returns a text of 8 to 24 words; one in 1,000 contains the rare word, and one in 4 the frequent ones.
    func text(_ number: Int, _ random: inout Random) -> String {
        var text = (0..<(8 + random.below(17)))
            .map { _ in
                // The smaller of several numbers: words at the beginning are the frequent ones.
                words[min(random.below(words.count), random.below(words.count), random.below(words.count))]
            }
        if number % 4 == 0 { text[3] = "scale before breakfast" }
        if number % 1_000 == 0 { text[5] = "tavolimu" }
        return text.joined(separator: " ")
    }
}
