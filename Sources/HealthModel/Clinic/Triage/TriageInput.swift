/// Everything that an assessment is computed from; neither a list's order nor a repetition in it has an effect.
package struct TriageInput: Hashable, Sendable {
    package var signs: [TriageSign]
    package var abcde: ABCDE
    package var vitals: VitalSigns
    package var patient: PatientFacts

    package init(
        signs: [TriageSign] = [],
        abcde: ABCDE = ABCDE(),
        vitals: VitalSigns = VitalSigns(),
        patient: PatientFacts
    ) {
        self.signs = signs
        self.abcde = abcde
        self.vitals = vitals
        self.patient = patient
    }

    /// The input of "Red now": one sign, and nothing else was examined.
    package static func redNow(_ patient: PatientFacts) -> TriageInput {
        TriageInput(signs: [.immediate], patient: patient)
    }

    package static let maximumSigns = 100

    /// Throws an error that names the first input outside its range.
    package func validate() throws(ModelError) {
        guard signs.count <= TriageInput.maximumSigns else {
            throw ModelError(.invalid, field: "signs", "at most \(TriageInput.maximumSigns) signs")
        }
        for (index, sign) in signs.enumerated() where !sign.isWellFormed {
            throw ModelError(.invalid, field: "signs[\(index)]", "must be a code of ASCII letters and digits")
        }
        try vitals.validate()
    }

    /// The weight that was measured, or else the last known one, in kilograms.
    var weight: ExactDecimal? { vitals.weight ?? patient.weight }
}
