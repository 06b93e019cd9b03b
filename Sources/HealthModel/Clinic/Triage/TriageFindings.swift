package import FoundationEssentials

/// The findings of the assessment of a patient: signs, the ABCDE examination, vital signs and words.
package struct TriageFindings: ClinicProfile {
    package var values: FieldValues

    package static let signs = Field(
        1,
        "signs",
        "Signs",
        .list(of: .text(maximum: TriageSign.maximumLength), maximum: 100)
    )
    static let airway = examination(2, .airway, "Airway")
    static let breathing = examination(3, .breathing, "Breathing")
    static let circulation = examination(4, .circulation, "Circulation")
    static let disability = examination(5, .disability, "Disability")
    static let exposure = examination(6, .exposure, "Exposure")
    static let temperature = Field(7, "temperature", "Temperature (°C)", .decimal(10...50))
    static let fahrenheit = Field(8, "fahrenheit", "Temperature (°F)", .decimal(50...122))
    static let heartRate = Field(9, "heartRate", "Heart rate (a minute)", .integer(1...1_000))
    static let respiratoryRate = Field(10, "respiratoryRate", "Breaths a minute", .integer(1...500))
    static let panting = Field(11, "panting", "Panting", .flag)
    static let systolic = Field(1, "systolic", "Systolic (mmHg)", .integer(1...400))
    static let diastolic = Field(2, "diastolic", "Diastolic (mmHg)", .integer(1...400))
    static let mean = Field(3, "mean", "Mean (mmHg)", .integer(1...400))
    static let bloodPressure = Field(12, "bloodPressure", "Blood pressure", .group([systolic, diastolic, mean]))
    static let weight = Field(13, "weight", "Weight (kg)", .decimal(0...1_000_000))
    static let capillaryRefill = Field(14, "capillaryRefill", "Capillary refill (s)", .decimal(0...10))
    static let mucousMembrane = Field(
        15,
        "mucousMembrane",
        "Mucous membranes",
        .choice(VitalSigns.MucousMembrane.allCases.map(\.rawValue))
    )
    static let oxygenSaturation = Field(16, "oxygenSaturation", "Oxygen saturation (%)", .integer(1...100))
    static let consciousness = Field(
        17,
        "consciousness",
        "Reacts to",
        .choice(VitalSigns.Consciousness.allCases.map(\.rawValue))
    )
    static let pain = Field(18, "pain", "Pain (0 to 4)", .integer(0...4))
    package static let symptoms = Field(
        19,
        "symptoms",
        "Symptoms",
        .list(of: .text(maximum: Limits.line), maximum: 50)
    )
    package static let notes = Field(20, "notes", "Notes", .text(maximum: Limits.paragraphs))
    /// The specialty that the specialists are ranked for.
    package static let specialty = Field(21, "specialty", "Specialty", .text(maximum: Limits.line))
    /// The specialist that the client wishes.
    package static let wished = Field(22, "wished", "Wished specialist", .id)

    /// The fields of the vital signs.
    package static let vitalFields = [
        temperature, fahrenheit, heartRate, respiratoryRate, panting, bloodPressure, weight, capillaryRefill,
        mucousMembrane, oxygenSaturation, consciousness, pain,
    ]

    package static let fields =
        [signs, airway, breathing, circulation, disability, exposure] + vitalFields
        + [symptoms, notes, specialty, wished]

    /// The fields of the ABCDE examination, with the part that each is about.
    package static let examination: [(part: ABCDE.Part, field: Field)] = [
        (.airway, airway), (.breathing, breathing), (.circulation, circulation), (.disability, disability),
        (.exposure, exposure),
    ]

    package init(values: FieldValues) { self.values = values }

    /// The findings of "Red now": a person says that the patient must be seen immediately.
    package static var redNow: TriageFindings {
        var findings = TriageFindings(values: FieldValues())
        findings.signsFound = [.immediate]
        return findings
    }

    private static func examination(_ number: UInt32, _ part: ABCDE.Part, _ label: String) -> Field {
        Field(number, part.rawValue, label, .choice(AssessmentResult.allCases.map(\.rawValue)))
    }

    package func check() throws(ModelError) {
        for (index, sign) in signsFound.enumerated() where !sign.isWellFormed {
            throw ModelError(.invalid, field: "signs[\(index)]", "must be a code of ASCII letters and digits")
        }
        if values.decimal(Self.temperature) != nil, values.decimal(Self.fahrenheit) != nil {
            throw ModelError(.invalid, field: "fahrenheit", "give the temperature in °C or in °F, not in both")
        }
    }
}

extension TriageFindings {
    package var signsFound: [TriageSign] {
        get { values.texts(Self.signs).map { TriageSign($0) } }
        set { values[Self.signs] = .list(newValue.map { .text($0.code) }) }
    }

    package var specialty: String? { values.text(Self.specialty) }
    package var wished: UUID? { UUID(fieldValue: values[Self.wished]) }

    package var abcde: ABCDE {
        var abcde = ABCDE()
        for (part, field) in Self.examination {
            abcde[part] = values.text(field).flatMap(AssessmentResult.init(rawValue:)) ?? .notAssessed
        }
        return abcde
    }

    package var vitals: VitalSigns {
        var vitals = VitalSigns()
        vitals.temperature =
            values.decimal(Self.temperature)
            ?? values.decimal(Self.fahrenheit).flatMap { VitalSigns.celsius(fromFahrenheit: $0) }
        vitals.heartRate = minutes(Self.heartRate)
        vitals.respiratoryRate = minutes(Self.respiratoryRate)
        vitals.isPanting = values.flag(Self.panting)
        if let pressure = values.group(Self.bloodPressure) {
            func part(_ field: Field) -> Int? { pressure.integer(field).flatMap { Int(exactly: $0) } }
            vitals.bloodPressure = BloodPressure(
                systolic: part(Self.systolic),
                diastolic: part(Self.diastolic),
                mean: part(Self.mean)
            )
        }
        vitals.weight = values.decimal(Self.weight)
        vitals.capillaryRefill = values.decimal(Self.capillaryRefill)
        vitals.mucousMembrane = values.text(Self.mucousMembrane).flatMap(VitalSigns.MucousMembrane.init(rawValue:))
        vitals.oxygenSaturation = minutes(Self.oxygenSaturation)
        vitals.consciousness = values.text(Self.consciousness).flatMap(VitalSigns.Consciousness.init(rawValue:))
        vitals.pain = minutes(Self.pain)
        return vitals
    }

    /// Returns what the rules of triage use, with the facts about the patient.
    package func input(of patient: PatientFacts) -> TriageInput {
        TriageInput(signs: signsFound, abcde: abcde, vitals: vitals, patient: patient)
    }
}
