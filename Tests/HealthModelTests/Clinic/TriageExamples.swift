import Foundation
import TestSupport

@testable import HealthModel

extension ExactDecimal {
    /// A number with one decimal place: 375 tenths are 37.5.
    static func tenths(_ number: Int) -> ExactDecimal { ExactDecimal(coefficient: Int64(number), scale: 1) }
}

extension ABCDE {
    /// A to E assessed with one result.
    static func all(_ result: AssessmentResult) -> ABCDE {
        ABCDE(airway: result, breathing: result, circulation: result, disability: result, exposure: result)
    }
}

extension PatientFacts {
    /// The day of every assessment in these tests: 2026-03-02.
    static let today = Day(daysSince1970: 20_514)

    /// A patient of an age in days, weighed or not.
    static func example(_ species: SpeciesCode?, days: Int? = 1_500, kilograms: Int? = nil) -> PatientFacts {
        PatientFacts(
            asOf: today,
            species: species,
            age: days.flatMap { PatientAge(bornOn: today.adding(days: -$0), at: today) },
            weight: kilograms.map { .tenths($0 * 10) }
        )
    }
}

extension VitalSigns {
    init(_ edit: (inout VitalSigns) -> Void) {
        self.init()
        edit(&self)
    }
}
