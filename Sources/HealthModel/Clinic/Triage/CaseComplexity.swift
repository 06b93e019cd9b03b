package import FoundationEssentials

/// How complex a case is, from 0.0 to 10.0 points, with the parts of the sum; each part has one decimal place.
///
/// The points are computed by a fixed rule. They lengthen an appointment and change no level.
package struct CaseComplexity: Hashable, Sendable {
    /// The parts, in tenths of a point.
    package var baseTenths: Int
    package var speciesTenths: Int
    package var ageTenths: Int
    package var historyTenths: Int
    /// The entries of the history that counted, in the order of their ids.
    package var counted: [UUID]

    package init(baseTenths: Int, speciesTenths: Int, ageTenths: Int, historyTenths: Int, counted: [UUID] = []) {
        self.baseTenths = baseTenths
        self.speciesTenths = speciesTenths
        self.ageTenths = ageTenths
        self.historyTenths = historyTenths
        self.counted = counted
    }
}

extension CaseComplexity {
    package static let maximumTenths = 100

    /// The sum of the parts, in tenths of a point.
    package var tenths: Int { baseTenths + speciesTenths + ageTenths + historyTenths }

    package var base: ExactDecimal { CaseComplexity.points(baseTenths) }
    package var species: ExactDecimal { CaseComplexity.points(speciesTenths) }
    package var age: ExactDecimal { CaseComplexity.points(ageTenths) }
    package var history: ExactDecimal { CaseComplexity.points(historyTenths) }
    package var overall: ExactDecimal { CaseComplexity.points(tenths) }

    private static func points(_ tenths: Int) -> ExactDecimal { ExactDecimal(coefficient: Int64(tenths), scale: 1) }
}

extension TriageRules {
    /// Returns the complexity of the case of a patient at a level, each part cut to one decimal place.
    package func complexity(of patient: PatientFacts, at level: UrgencyLevel) -> CaseComplexity {
        let weights = complexityWeights
        let species = patient.species.map { weights.species[$0] ?? 0 } ?? weights.unknownSpecies
        let age = weights.ages.filter { $0.applies(to: patient) }.map(\.hundredths).max() ?? 0
        let history = weights.history(of: patient)
        return CaseComplexity(
            baseTenths: (weights.base[level] ?? 0) / 10,
            speciesTenths: species / 10,
            ageTenths: age / 10,
            historyTenths: history.hundredths / 10,
            counted: history.counted
        )
    }
}

extension ComplexityWeights {
    /// Returns the weight of a history, with the entries that counted; an entry that is listed twice counts once.
    fileprivate func history(of patient: PatientFacts) -> (hundredths: Int, counted: [UUID]) {
        let first = patient.asOf.adding(days: -surgeryDays)
        var counted: [PatientFacts.HistoryEntry.Kind: Set<UUID>] = [:]
        for entry in patient.history {
            if entry.kind == .surgery {
                // A surgery of an unknown day may be long ago; one of a later day is only planned.
                guard let day = entry.day, first <= day, day <= patient.asOf else { continue }
            }
            counted[entry.kind, default: []].insert(entry.id)
        }
        if counted[.drug].map({ $0.count <= drugsFree }) ?? true { counted[.drug] = nil }
        func count(_ kind: PatientFacts.HistoryEntry.Kind) -> Int { counted[kind]?.count ?? 0 }
        let sum =
            count(.illness) * illness + count(.allergy) * allergy + count(.surgery) * surgery
            + max(0, count(.drug) - drugsFree) * drug
        let ids = counted.values.reduce(into: Set<UUID>()) { $0.formUnion($1) }
        return (min(sum, historyMaximum), ids.sorted { $0.text < $1.text })
    }
}
