internal import HealthModel

/// A measurement whose form asks only for its numbers, such as a blood pressure.
///
/// It is stored under the name and in the unit that imports of devices and tables use, so that charts show all values of
/// one kind together.
package enum CommonMeasurement: String, CaseIterable, Sendable {
    case bloodPressure = "blood-pressure"
    case pulse
    case temperature
    case oxygenSaturation = "oxygen-saturation"
    case respiratoryRate = "respiratory-rate"
    case bloodGlucose = "blood-glucose"
    case pain

    /// The name under which it is stored.
    var name: String {
        switch self {
        case .bloodPressure: "Blood pressure"
        case .pulse: "Heart rate"
        case .temperature: "Body temperature"
        case .oxygenSaturation: "Oxygen saturation"
        case .respiratoryRate: "Respiratory rate"
        case .bloodGlucose: "Blood glucose"
        case .pain: "Pain"
        }
    }

    /// The units in which it is measured; the form asks for the unit if there are several.
    var units: [String] {
        switch self {
        case .bloodPressure: ["mmHg"]
        case .pulse, .respiratoryRate: ["/min"]
        case .temperature: ["°C"]
        case .oxygenSaturation: ["%"]
        case .bloodGlucose: ["mmol/L", "mg/dL"]
        case .pain: ["of 10"]
        }
    }

    /// The names of the values of a measurement that has several; empty for one value.
    var parts: [String] { self == .bloodPressure ? ["Systolic", "Diastolic"] : [] }

    /// The numbers that can be right, of people and of animals.
    var range: ClosedRange<Int64> {
        switch self {
        case .bloodPressure: 1...400
        case .pulse: 1...1_500
        case .temperature: 10...60
        case .oxygenSaturation: 0...100
        case .respiratoryRate: 1...500
        case .bloodGlucose: 0...2_000
        case .pain: 0...10
        }
    }

    /// The paths of the fields that the form of the measurement asks for.
    var paths: [FieldPath] {
        let names = parts.isEmpty ? [MeasuredValue.value.name] : parts.indices.map { "parts.\($0).value" }
        return (names + (units.count > 1 ? [MeasuredValue.unit.name] : []))
            .compactMap { MeasuredValue.kind.fields.path(named: $0) }
    }

    /// The fields that are stored without being asked for.
    func prepare(_ body: inout FieldValues) {
        body[MeasuredValue.name] = .text(name)
        guard !parts.isEmpty else {
            if units.count == 1 { body[MeasuredValue.unit] = .text(units[0]) }
            return
        }
        body[MeasuredValue.parts] = .list(
            parts.map { name in
                var part = FieldValues()
                part[MeasuredValue.part] = .text(name)
                part[MeasuredValue.partUnit] = .text(units[0])
                return .group(part)
            }
        )
    }
}

/// The page on which a person chooses what was measured.
package struct MeasurePage: WebPage {
    package static let template = Template("measure")
    /// The name in the address of a measurement that is none of the common ones.
    package static let other = "other"

    package let head: RecordHead
    package let heading: String
    package let choices: [Choice]

    package struct Choice: Sendable {
        package let address: String
        package let label: String
    }

    package init(_ head: RecordHead, _ reader: Reader) {
        self.head = head
        heading = reader.words["addHeading", reader.words.label(MeasuredValue.kind.label)]
        let names = CommonMeasurement.allCases.map(\.rawValue) + [MeasurePage.other]
        choices = names.map { name in
            Choice(
                address: "\(head.address)/entries/\(MeasuredValue.kind.name)/new?of=\(name)",
                label: reader.words["measure.\(name)"]
            )
        }
    }
}
