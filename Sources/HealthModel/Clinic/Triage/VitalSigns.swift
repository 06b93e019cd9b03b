/// The vital signs of a patient, as measured at one examination; a sign that was not measured is nil.
package struct VitalSigns: Hashable, Sendable {
    /// In degrees Celsius.
    package var temperature: ExactDecimal?
    /// In beats a minute.
    package var heartRate: Int?
    /// In breaths a minute.
    package var respiratoryRate: Int?
    /// Whether the patient panted while its breaths were counted.
    package var isPanting: Bool?
    package var bloodPressure: BloodPressure?
    /// In kilograms.
    package var weight: ExactDecimal?
    /// In seconds.
    package var capillaryRefill: ExactDecimal?
    package var mucousMembrane: MucousMembrane?
    /// In percent.
    package var oxygenSaturation: Int?
    package var consciousness: Consciousness?
    /// From 0 (none) to 4 (the worst).
    package var pain: Int?

    package init() {}

    /// The colour of the mucous membranes; the raw values are stored.
    package enum MucousMembrane: String, CaseIterable, Hashable, Sendable {
        case pink
        case pale
        case blue
        case yellow
        case brickRed
    }

    /// What the patient reacts to (AVPU); the raw values are stored.
    package enum Consciousness: String, CaseIterable, Hashable, Sendable {
        case alert
        case voice
        case pain
        case unresponsive
    }
}

/// A blood pressure in mmHg; a Doppler probe measures the systolic pressure alone.
package struct BloodPressure: Hashable, Sendable {
    package var systolic: Int?
    package var diastolic: Int?
    package var mean: Int?

    package init(systolic: Int? = nil, diastolic: Int? = nil, mean: Int? = nil) {
        self.systolic = systolic
        self.diastolic = diastolic
        self.mean = mean
    }

    /// Reads a text such as `120/80`; nil for any other form.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isDigit) }),
            let systolic = Int(parts[0]), let diastolic = Int(parts[1])
        else { return nil }
        self.init(systolic: systolic, diastolic: diastolic)
    }
}
