import ArgumentParser
import HealthModel

/// What a medication or a supplement is and contains.
struct ProductOptions: ParsableArguments {
    @Option(name: .long, help: "drug or supplement.")
    var kind: PlanKind = .drug

    @Option(name: .long, help: "The active substance (default: the name).")
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
            let parts = strength.split(separator: " ").map(String.init)
            guard parts.count == 2, let amount = try? ExactDecimal(parsing: parts[0]) else {
                throw ValidationError("--strength is a number and a unit, such as \"5 mg\"")
            }
            return (amount, parts[1])
        }
    }

    func write(to content: inout EntryContent) throws {
        for (field, text) in [
            (PlanFields.form, form), (PlanFields.unit, unit), (PlanFields.prescribedBy, by),
            (PlanFields.indication, indication),
        ] {
            if let text { try content.set(field.name, text: text) }
        }
        if let gap { try content.set(PlanFields.minimumInterval.name, text: minutes(gap)) }
        if let most { try content.set("maximum.doses", text: String(most)) }
        if let per { try content.set("maximum.per", text: minutes(per)) }
        guard substance != nil || strength != nil else { return }
        let name = substance ?? content.body.text(Drug.name) ?? ""
        try content.set("substances.0.name", text: name)
        if let strength = try strengthOfOne {
            try content.set("substances.0.strength", text: strength.amount.description)
            try content.set("substances.0.strengthUnit", text: strength.unit)
        }
    }

    private func minutes(_ text: String) throws -> String {
        do { return String(try PlanRule.Pattern.seconds(parsing: text) / 60) } catch { throw error.asUsage }
    }
}
