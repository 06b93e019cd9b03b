import HealthModel

extension FHIRInterpreter {
    private static let finalStates: Set = ["final", "amended", "corrected", "entered-in-error"]
    /// LOINC codes of a body weight: measured, and stated.
    private static let weights: Set = ["29463-7", "3141-9"]

    /// A weight, a measurement or a laboratory result that is final.
    static func observation(_ resource: FHIRElement, _ context: FHIRContext) throws -> FHIRMeaning? {
        guard let status = try resource.text("status"), finalStates.contains(status),
            let code = try resource.object("code"), let name = try code.conceptText(),
            let value = try value(of: resource)
        else { return nil }
        let parts = try parts(of: resource)
        var meaning: FHIRMeaning
        if try code.hasCode(weights), parts.isEmpty, let weight = try weight(value, resource) {
            meaning = weight
        } else {
            switch try ObservationCategory(resource, value, context) {
            case .result where parts.isEmpty:
                meaning = FHIRMeaning(Blood.kind)
                meaning[Blood.name] = name
                (meaning[Blood.value], meaning[Blood.unit]) = (value.text, value.unit)
                try takeReference(resource, value, into: &meaning)
                meaning[Blood.specimen] = try resource.object("specimen")?.text("display")
                meaning[Blood.laboratory] = try resource.objects("performer").first { try $0.isOrganization }?
                    .text("display")
            case .measurement, .result:
                meaning = FHIRMeaning(MeasuredValue.kind)
                meaning[MeasuredValue.name] = name
                (meaning[MeasuredValue.value], meaning[MeasuredValue.unit]) = (value.text, value.unit)
                meaning.content.body[MeasuredValue.parts] = .list(parts)
                meaning[MeasuredValue.device] = try FHIRTarget.display(
                    of: resource.object("device"),
                    in: resource,
                    context
                )
                if case .instant(let end)? = try resource.object("effectivePeriod")?.date("end") {
                    meaning.content.body[MeasuredValue.until] = .instant(end)
                }
            case .other: return nil
            }
        }
        if meaning.content.kind != Weight.kind { meaning.content.body[SharedFields.codes] = try code.conceptCodes() }
        meaning.content.date = try resource.date(of: "effective")
        meaning.comment(try resource.notes())
        if value.text == nil, parts.isEmpty, let reason = try resource.object("dataAbsentReason")?.conceptText() {
            meaning.comment(["no value: \(reason)"])
        }
        return meaning
    }

    /// A value as text, with its unit.
    struct Measured {
        var text: String?
        var unit: String?
        /// The code of UCUM, if the source gives one.
        var code: String?
        /// The number without a comparator.
        var number: String?
        var isQuantity = false
    }

    /// The value of an observation or of one of its components; nil if its type has no text, such as the samples of a curve.
    private static func value(of element: FHIRElement) throws -> Measured? {
        if let quantity = try element.object("valueQuantity") {
            let number = try quantity.plainNumber("value")
            let comparator = try quantity.text("comparator")
            let code = try quantity.text("code")
            return Measured(
                text: number.map { (comparator ?? "") + $0 },
                unit: try quantity.text("unit") ?? code,
                code: code,
                number: comparator == nil ? number : nil,
                isQuantity: true
            )
        }
        if let text = try element.text("valueString") { return Measured(text: text) }
        if let concept = try element.object("valueCodeableConcept") {
            return try concept.conceptText().map { Measured(text: $0) }
        }
        if let number = try element.plainNumber("valueInteger") { return Measured(text: number) }
        if let flag = try element.flag("valueBoolean") { return Measured(text: flag ? "true" : "false") }
        if let range = try element.object("valueRange") {
            return try FHIRDosage.range(range).map { Measured(text: $0) }
        }
        if let ratio = try element.object("valueRatio") {
            // A titer, such as 1:128.
            guard let first = try FHIRDosage.quantity(ratio.object("numerator")),
                let second = try FHIRDosage.quantity(ratio.object("denominator"))
            else { return nil }
            return Measured(text: "\(first):\(second)")
        }
        if let text = try element.text("valueDateTime") ?? element.text("valueTime") { return Measured(text: text) }
        return ["SampledData", "Period"].contains { element["value\($0)"] != nil } ? nil : Measured()
    }

    /// Takes how the laboratory marked a result, and its reference range, if there is one for everybody in the unit of the
    /// value.
    private static func takeReference(
        _ resource: FHIRElement,
        _ value: Measured,
        into meaning: inout FHIRMeaning
    ) throws {
        let marks = try resource.objects("interpretation").flatMap { try $0.objects("coding") }
            .compactMap { try $0.text("code").flatMap(flag) }
        if Set(marks).count == 1 { meaning[Blood.flag] = marks[0].rawValue }
        let ranges = try resource.objects("referenceRange")
            .filter { range in
                let type = try range.object("type")
                return try range["appliesTo"] == nil && range["age"] == nil
                    && type.map { try $0.hasCode(["normal"]) } ?? true
            }
        guard let range = ranges.first, ranges.count == 1 else { return }
        for (name, field) in [("low", Blood.low), ("high", Blood.high)] {
            guard let end = try range.object(name), let number = try end.plainNumber("value"),
                let unit = try end.text("unit") ?? end.text("code") ?? value.unit,
                try unit == value.unit || end.text("code") == value.code && value.code != nil
            else { continue }
            meaning.content.body[field] = (try? ExactDecimal(parsing: number)).map { .decimal($0) }
        }
        if meaning.content.body[Blood.low] == nil, meaning.content.body[Blood.high] == nil {
            meaning[Blood.normal] = try range.text("text")
        }
    }

    /// The mark that a code stands for; unstable codes are those of the critical ends.
    private static func flag(_ code: String) -> Blood.Flag? {
        let other = ["LU": "LL", "HU": "HH", "AA": "A"][code]
        return Blood.Flag(rawValue: other ?? code)
    }

    /// The components, as the parts of a measurement.
    private static func parts(of resource: FHIRElement) throws -> [FieldValue] {
        var parts: [FieldValue] = []
        for component in try resource.objects("component") {
            guard let name = try component.object("code")?.conceptText(), let value = try value(of: component) else {
                continue
            }
            var values = FieldValues()
            values[MeasuredValue.part] = .text(name)
            values[MeasuredValue.partValue] = value.text.map { .text($0) }
            values[MeasuredValue.partUnit] = value.unit.map { .text($0) }
            parts.append(.group(values))
        }
        return parts
    }

    /// A body weight in a unit that the kind has; nil for another unit, or for a limit such as `>150`.
    private static func weight(_ value: Measured, _ resource: FHIRElement) throws -> FHIRMeaning? {
        guard let number = value.number, let decimal = try? ExactDecimal(parsing: number) else { return nil }
        var meaning = FHIRMeaning(Weight.kind)
        meaning.content.body[Weight.value] = .decimal(decimal)
        switch value.code ?? value.unit {
        case "kg", "g": meaning[Weight.unit] = value.code ?? value.unit
        case "[lb_av]", "lb", "lbs": meaning[Weight.unit] = "lb"
        // The kind has no such unit.
        case .some: return nil
        case nil: break
        }
        return meaning
    }
}

/// What an observation is, by its categories or, without one that FHIR defines, by its code, its report and its unit.
enum ObservationCategory {
    case measurement
    case result
    /// Such as a finding of an examination or an answer to a question.
    case other

    /// The categories that FHIR defines besides those of measurements and results
    /// (http://terminology.hl7.org/CodeSystem/observation-category).
    private static let others: Set = ["social-history", "imaging", "procedure", "survey", "exam", "therapy"]
    /// Sections of a laboratory (http://terminology.hl7.org/CodeSystem/v2-0074).
    private static let laboratories: Set = [
        "laboratory", "LAB", "CH", "HM", "MB", "MCB", "MYC", "IMM", "SR", "BLB", "BG", "CG", "GE", "TX", "VR", "OSL",
    ]
    private static let laboratoryWords: Set = ["lab", "labor", "laboratory", "laboratoire", "laboratorio"]
    /// LOINC codes of vital signs: pulse, breathing, temperature, height, body mass index, blood pressure, oxygen, head.
    private static let vitalSigns: Set = [
        "8867-4", "9279-1", "8310-5", "8302-2", "39156-5", "85354-9", "55284-4", "8480-6", "8462-4", "2708-6",
        "59408-5", "8287-5", "9843-4", "29463-7", "3141-9",
    ]

    init(_ resource: FHIRElement, _ value: FHIRInterpreter.Measured, _ context: FHIRContext) throws {
        let stated = try Self.stated(resource)
        let code = try resource.object("code")
        if !stated.codes.isDisjoint(with: ["vital-signs", "activity"]) {
            self = .measurement
        } else if stated.isOfLaboratory || context.isLaboratoryResult {
            self = .result
        } else if !stated.codes.isDisjoint(with: Self.others) {
            self = .other
        } else if try code?.hasCode(Self.vitalSigns) == true {
            self = .measurement
        } else if value.isQuantity {
            let isCoded = try code?.objects("coding").contains { try $0.text("system") == FHIR.System.loinc } ?? false
            self = value.isConcentration || isCoded && !value.isPhysical ? .result : .measurement
        } else {
            self = .other
        }
    }

    /// The codes of the categories of an observation or a report, and whether they are those of a laboratory.
    private static func stated(_ resource: FHIRElement) throws -> (codes: Set<String>, isOfLaboratory: Bool) {
        var (codes, isOfLaboratory) = (Set<String>(), false)
        for category in try resource.objects("category") {
            for coding in try category.objects("coding") {
                if let code = try coding.text("code") { codes.insert(code) }
            }
            let words = try category.conceptText()?.lowercased() ?? ""
            isOfLaboratory = isOfLaboratory || laboratoryWords.contains(words)
        }
        return (codes, isOfLaboratory || !codes.isDisjoint(with: laboratories))
    }

    /// Whether no category says what an observation is, so that a report that lists it may.
    static func isOpen(_ resource: FHIRElement) throws -> Bool {
        let stated = try stated(resource)
        return !stated.isOfLaboratory && stated.codes.isDisjoint(with: others.union(["vital-signs", "activity"]))
    }

    /// Whether a report is that of a laboratory; one without a category is, if it has results.
    static func isOfLaboratory(_ report: FHIRElement) throws -> Bool {
        let stated = try stated(report)
        return stated.isOfLaboratory || report["category"] == nil
    }
}

extension FHIRElement {
    /// Whether a reference is known to be to an organization, and not to a person.
    fileprivate var isOrganization: Bool {
        get throws {
            let reference = try text("reference") ?? ""
            return try text("type") == "Organization"
                || reference.split(separator: "/").dropLast().last == "Organization"
        }
    }
}

extension FHIRInterpreter.Measured {
    /// Units of what is measured of a body or counted, and not of a sample.
    private static let physical: Set = [
        "cel", "°c", "[degf]", "°f", "mm[hg]", "mmhg", "kpa", "/min", "{beats}/min", "bpm", "kg", "g", "[lb_av]", "lb",
        "cm", "m", "mm", "[in_i]", "in", "kg/m2", "m2", "min", "h", "{steps}", "steps", "{score}", "score", "1", "{#}",
        "kcal", "km",
    ]

    fileprivate var isPhysical: Bool { (code ?? unit).map { Self.physical.contains($0.lowercased()) } ?? true }

    /// Whether the unit is an amount in a volume, as laboratories have it.
    fileprivate var isConcentration: Bool {
        guard let unit = code ?? unit, let slash = unit.lastIndex(of: "/") else { return false }
        return ["l", "dl", "ml", "ul", "µl", "μl", "nl", "mm3", "mol"]
            .contains(unit[unit.index(after: slash)...].lowercased())
    }
}
