import HealthModel

extension FHIRInterpreter {
    private static let finalStates: Set = ["final", "amended", "corrected", "entered-in-error"]
    /// LOINC codes of a body weight: measured, and stated.
    private static let weights: Set = ["29463-7", "3141-9"]

    /// A weight, a measurement or a laboratory result that is final.
    static func observation(_ resource: FHIRElement) throws -> FHIRMeaning? {
        guard let status = try resource.text("status"), finalStates.contains(status),
            let code = try resource.object("code"), let name = try code.conceptText()
        else { return nil }
        var categories: Set<String> = []
        for category in try resource.objects("category") {
            for coding in try category.objects("coding") {
                if let code = try coding.text("code") { categories.insert(code) }
            }
        }
        guard let value = try value(of: resource) else { return nil }
        let parts = try parts(of: resource)
        var meaning: FHIRMeaning
        if try code.hasCode(weights), parts.isEmpty, let weight = try weight(value, resource) {
            meaning = weight
        } else if !categories.isDisjoint(with: ["vital-signs", "activity"]) {
            meaning = FHIRMeaning(MeasuredValue.kind)
            meaning[MeasuredValue.name] = name
            (meaning[MeasuredValue.value], meaning[MeasuredValue.unit]) = (value.text, value.unit)
            meaning.content.body[MeasuredValue.parts] = .list(parts)
            meaning[MeasuredValue.device] = try resource.object("device")?.text("display")
            if case .instant(let end)? = try resource.object("effectivePeriod")?.date("end") {
                meaning.content.body[MeasuredValue.until] = .instant(end)
            }
        } else if categories.contains("laboratory"), parts.isEmpty {
            meaning = FHIRMeaning(Blood.kind)
            meaning[Blood.name] = name
            (meaning[Blood.value], meaning[Blood.unit]) = (value.text, value.unit)
        } else {
            return nil
        }
        if meaning.content.kind != Weight.kind { meaning.content.body[SharedFields.codes] = try code.conceptCodes() }
        meaning.content.date = try resource.date(of: "effective")
        meaning.content.comment = try resource.onlyNote() ?? ""
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
    }

    /// The value of an observation or of one of its components; nil if its type has no text, such as a range.
    private static func value(of element: FHIRElement) throws -> Measured? {
        if let quantity = try element.object("valueQuantity") {
            let number = try quantity.number("value")
            let comparator = try quantity.text("comparator")
            let code = try quantity.text("code")
            return Measured(
                text: number.map { (comparator ?? "") + $0 },
                unit: try quantity.text("unit") ?? code,
                code: code,
                number: comparator == nil ? number : nil
            )
        }
        if let text = try element.text("valueString") { return Measured(text: text) }
        if let concept = try element.object("valueCodeableConcept") {
            return try concept.conceptText().map { Measured(text: $0) }
        }
        if let number = try element.number("valueInteger") { return Measured(text: number) }
        if let flag = try element.flag("valueBoolean") { return Measured(text: flag ? "true" : "false") }
        let others = ["Range", "Ratio", "SampledData", "Time", "DateTime", "Period"]
        return others.contains { element["value\($0)"] != nil } ? nil : Measured()
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
