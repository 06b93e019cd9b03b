import ArgumentParser
import HealthModel

/// The options for the terms of a grant: sections, verbs and period.
struct TermsOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "The sections, separated by commas.",
        completion: .list(Section.allCases.map(\.word))
    )
    var sections: String = Section.allCases.map(\.word).joined(separator: ",")

    @Option(
        name: .long,
        help: "The permitted verbs, separated by commas.",
        completion: .list(Verb.allCases.map(\.word))
    )
    var verbs: String = "read"

    @Option(name: .long, help: "The first day (default: immediately).")
    var from: Day?

    @Option(name: .long, help: "The last day (default: no end).")
    var until: Day?

    @Flag(name: .long, help: "Let the caregiver open the emergency view after the last day as well.")
    var emergencyAfterEnd = false

    @Flag(name: .long, help: "Do not tell the caregiver about missed critical doses.")
    var silent = false

    /// Returns the terms; throws a usage error if they cannot be parsed.
    func terms() throws -> GrantTerms {
        do throws(ModelError) {
            return try GrantTerms(
                sections: Set(sections.names.map { name throws(ModelError) in try Section(typed: name) }),
                verbs: Set(verbs.names.map { name throws(ModelError) in try Verb(typed: name) }),
                from: from,
                until: until,
                emergencyAfterEnd: emergencyAfterEnd,
                notifies: !silent
            )
        } catch {
            throw error.asUsage
        }
    }
}

extension String {
    /// The names in a comma-separated list.
    fileprivate var names: [String] { split(separator: ",").map { $0.filter { !$0.isWhitespace } } }
}
