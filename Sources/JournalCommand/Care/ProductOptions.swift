import ArgumentParser
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// What a medication or a supplement is and contains.
struct ProductOptions: ParsableArguments {
    @Option(name: .long, help: "drug or supplement.")
    var kind: PlanKind = .drug

    @Option(name: .long, help: "The active substance (default: the one that a list of names knows for the name).")
    var substance: String?

    @Option(name: .long, help: "The amount of the substance in one unit, such as \"5 mg\".")
    var strength: String?

    @Option(name: .long, help: "The form, such as tablet or drops.")
    var form: String?

    @Option(name: .long, help: "What is counted, such as tablet, mL or drop.")
    var unit: String?

    @Option(name: .long, help: "Who prescribed it.")
    var by: String?

    @Option(name: .long, help: "What it is for.")
    var indication: String?

    @Option(name: .long, help: "The least time between two doses, such as 6h.")
    var gap: String?

    @Option(name: .long, help: "The most doses within 24 hours, or within --per.")
    var most: Int?

    @Option(name: .long, help: "The period of --most, such as 12h.")
    var per: String?

    enum PlanKind: String, ExpressibleByArgument, CaseIterable {
        case drug, supplement

        var kind: Kind { self == .drug ? Drug.kind : Supplement.kind }
    }

    /// The number and the unit of the strength.
    var strengthOfOne: (amount: ExactDecimal, unit: String)? {
        get throws {
            guard let strength else { return nil }
            do {
                let part = try PlanStrength.Part(typed: strength) { text in
                    TypedNumber.isAmbiguous(text) ? nil : try? ExactDecimal(parsingAmount: TypedNumber.decimal(text))
                }
                return (part.amount, part.unit)
            } catch {
                throw ValidationError("--strength \(error.message)")
            }
        }
    }

    func write(to content: inout EntryContent) throws {
        for (field, text) in [
            (PlanFields.form, form), (PlanFields.unit, unit), (PlanFields.prescribedBy, by),
            (PlanFields.indication, indication),
        ] {
            if let text { try content.set(field.name, text: text) }
        }
        if let gap { try content.set(PlanFields.minimumInterval.name, text: minutes(gap, "--gap")) }
        if let most { try content.set("maximum.doses", text: String(most)) }
        if let per { try content.set("maximum.per", text: minutes(per, "--per")) }
    }

    /// Adds the active substance: the one that was given, otherwise the one that a list of names knows for the name, as
    /// the form of a plan does.
    ///
    /// A strength is that of the name itself if no list knows the name.
    func addSubstance(to content: inout EntryContent, _ session: Session) async throws {
        let strength = try strengthOfOne
        if let substance {
            try content.set("substances.0.name", text: substance)
        } else if let known = try await knownSubstance(of: content, session) {
            try content.set("substances.0.name", text: known.name)
            if let code = known.code { try content.set("substances.0.code", text: code) }
            content.inferred.append(PlanFields.substances.name)
        } else if strength != nil, let name = content.body.text(Drug.name) {
            try content.set("substances.0.name", text: name)
        }
        if let strength {
            try content.set("substances.0.strength", text: strength.amount.description)
            try content.set("substances.0.strengthUnit", text: strength.unit)
        }
    }

    private func knownSubstance(
        of content: EntryContent,
        _ session: Session
    ) async throws -> (name: String, code: String?)? {
        guard let name = content.body.text(Drug.name) else { return nil }
        let typed = TypedName(name, in: nil, kind: content.kind)
        let found = try await session.perform(NameEndpoints.suggest, typed).map(\.suggestion)
        guard let known = found.first(where: { FoldedName($0.name) == FoldedName(name) }) else { return nil }
        return known.substance.map { ($0, known.code) }
    }

    private func minutes(_ text: String, _ option: String) throws -> String {
        do {
            return String(try PlanRule.Pattern.seconds(parsing: text) / 60)
        } catch {
            throw error.asUsage(of: option)
        }
    }
}
