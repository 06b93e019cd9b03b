import ArgumentParser
import HealthModel

/// What a caregiver is let in to, and when.
struct TermsOptions: ParsableArguments {
    @Option(name: .long, help: "The sections, separated by commas (else all).")
    var sections: String = Section.allCases.map(\.name).joined(separator: ",")

    @Option(name: .long, help: "What it may do there, separated by commas.")
    var verbs: String = "read"

    @Option(name: .long, help: "The first day (else at once).")
    var from: Day?

    @Option(name: .long, help: "The last day (else no end).")
    var until: Day?

    /// The terms, as far as they can be read; else a matter of usage.
    func terms() throws -> GrantTerms {
        do throws(ModelError) {
            return try GrantTerms(
                sections: Set(sections.names.map { name throws(ModelError) in try Section(named: name) }),
                verbs: Set(verbs.names.map { name throws(ModelError) in try Verb(named: name) }),
                from: from,
                until: until
            )
        } catch {
            throw error.asUsage
        }
    }
}

extension String {
    /// The names of a list that is separated by commas.
    fileprivate var names: [String] { split(separator: ",").map { $0.filter { !$0.isWhitespace } } }
}
