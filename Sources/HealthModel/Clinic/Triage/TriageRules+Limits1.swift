/// The limits by species of `hj-triage/1`, which are never changed.
///
/// Published limits differ from one textbook to another. The outer limits, and 15 kg as the weight of a large dog, are
/// ours; no veterinarian has reviewed them.
extension TriageRules {
    static let limits1: [SpeciesLimits] = [
        SpeciesLimits(
            .dog,
            youngerThan: PatientAge.Span(6, .months),
            heartRate: rate(usual: (nil, 220), orange: (60, 240), red: (40, 270)),
            respiratoryRate: rate(usual: (10, 40), orange: (8, 135)),
            temperature: dogTemperature,
            pantingLiftsUpperLimit: true
        ),
        SpeciesLimits(
            .dog,
            lighterThan: ExactDecimal(coefficient: 15, scale: 0),
            heartRate: rate(usual: (70, 120), orange: (60, 180), red: (40, 240)),
            respiratoryRate: rate(usual: (10, 34), orange: (8, 60)),
            temperature: dogTemperature,
            pantingLiftsUpperLimit: true
        ),
        SpeciesLimits(
            .dog,
            heartRate: rate(usual: (60, 120), orange: (50, 180), red: (40, 240)),
            respiratoryRate: rate(usual: (10, 34), orange: (8, 60)),
            temperature: dogTemperature,
            pantingLiftsUpperLimit: true
        ),
        SpeciesLimits(
            .cat,
            youngerThan: PatientAge.Span(6, .months),
            heartRate: rate(usual: (nil, 220), orange: (60, 240), red: (40, 270)),
            respiratoryRate: rate(usual: (10, 40), orange: (8, 135)),
            temperature: catTemperature
        ),
        SpeciesLimits(
            .cat,
            heartRate: rate(usual: (120, 200), orange: (120, 220), red: (90, 260)),
            // 16–40 at home; up to 135 was seen in healthy cats at a clinic.
            respiratoryRate: rate(usual: (16, 40), orange: (12, 135)),
            temperature: catTemperature
        ),
        SpeciesLimits(
            .rabbit,
            heartRate: rate(usual: (130, 300), orange: (120, 330)),
            respiratoryRate: rate(usual: (30, 60), orange: (20, 120)),
            temperature: tenths(usual: (385, 400), orange: (366, 410))
        ),
        SpeciesLimits(
            .guineaPig,
            heartRate: rate(usual: (130, 310), orange: (120, 350)),
            respiratoryRate: rate(usual: (42, 150), orange: (30, 180)),
            temperature: tenths(usual: (372, 395), orange: (366, 410))
        ),
        SpeciesLimits(
            .ferret,
            heartRate: rate(usual: (200, 400), orange: (150, 420)),
            respiratoryRate: rate(usual: (20, 36), orange: (16, 80)),
            temperature: tenths(usual: (378, 400), orange: (366, 410))
        ),
        SpeciesLimits(
            .horse,
            heartRate: rate(usual: (28, 44), orange: (20, 60), red: (nil, 80)),
            respiratoryRate: rate(usual: (8, 16), orange: (6, 30)),
            temperature: tenths(usual: (372, 385), orange: (365, 400))
        ),
    ]

    private static let dogTemperature = tenths(usual: (375, 392), orange: (365, 405), red: (340, 415))
    private static let catTemperature = tenths(usual: (378, 392), orange: (365, 405), red: (340, 415))

    private typealias Bounds = (lowest: Int64?, highest: Int64?)

    /// Creates limits of a rate, in whole beats or breaths a minute.
    private static func rate(usual: Bounds, orange: Bounds, red: Bounds? = nil) -> VitalLimits {
        limits(usual, orange, red, scale: 0)
    }

    /// Creates limits of a temperature, in tenths of a degree.
    private static func tenths(usual: Bounds, orange: Bounds, red: Bounds? = nil) -> VitalLimits {
        limits(usual, orange, red, scale: 1)
    }

    private static func limits(_ usual: Bounds, _ orange: Bounds, _ red: Bounds?, scale: UInt8) -> VitalLimits {
        func span(_ bounds: Bounds) -> LimitSpan {
            LimitSpan(
                bounds.lowest.map { ExactDecimal(coefficient: $0, scale: scale) },
                bounds.highest.map { ExactDecimal(coefficient: $0, scale: scale) }
            )
        }
        return VitalLimits(usual: span(usual), orangeBeyond: span(orange), redBeyond: red.map(span))
    }
}
