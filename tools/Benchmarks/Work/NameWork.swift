import Foundation
import HealthModel

/// Completes names among 20,000 names of a record, and reads dictated sentences.
public struct NameWork: Sendable {
    private static let names = 20_000
    private static let times = 200

    /// Creates the workload.
    public init() {}

    /// Runs the workload, and returns the measured values: the 99th percentile of each.
    public func run() throws -> WorkResult {
        var random = Random(seed: 7)
        let letters = Array("abcdefghiklmnoprstuvz")
        // Names of one to three words, and among them the ones that are searched for.
        let names = (0..<NameWork.names)
            .map { number in
                let words = (0...random.below(3))
                    .map { _ in
                        String((0...(3 + random.below(8))).map { _ in letters[random.below(letters.count)] })
                    }
                return number % 4_000 == 0 ? "Lisinopril \(number)" : words.joined(separator: " ")
            }
        // The catalogue is made of one loaded list, once, as in a journal.
        let catalogue = NameCatalogue(loaded: [names.map { Substance(name: $0) }])
        var suggested: [Duration] = []
        for time in 0..<NameWork.times {
            let text = ["lis", "lisinop", "lisonopril", "zq", "vitamin d", "xxxxxxxx"][time % 6]
            let begin = ContinuousClock.now
            let found = catalogue.suggest(text, own: [])
            suggested.append(ContinuousClock.now - begin)
            guard time % 6 > 2 || found.contains(where: { $0.name.hasPrefix("Lisinopril") }) else {
                throw WorkError.wrongAnswer
            }
        }
        let clocks = try CarePlans.clocks()
        let moment = DraftMoment(try Day(parsing: "2026-03-02").startInstant, clocks.person)
        let plans = (0..<CarePlans.count).map { DraftPlan(id: UUID(), name: "Plan \(names[$0])", unit: "tablet") }
        let known = DraftNames(plans: plans, catalogue: catalogue)
        var drafted: [Duration] = []
        for time in 0..<NameWork.times {
            let text = [
                "took two ibuprofen 400 at half past eight", "lisinopril 10 mg every morning", "weight 75.4 kilos",
                "had oatmeal and a banana for breakfast",
            ][time % 4]
            let begin = ContinuousClock.now
            let draft = try Draft.read(text, names: known, now: moment)
            drafted.append(ContinuousClock.now - begin)
            guard draft.content != nil else { throw WorkError.wrongAnswer }
        }
        let total = (suggested + drafted).reduce(.zero, +)
        return WorkResult("names", events: NameWork.names, in: total)
            .with("suggest_us", suggested.quantile(0.99).microseconds)
            .with("draft_us", drafted.quantile(0.99).microseconds)
    }
}
