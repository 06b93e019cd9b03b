import HealthModel

/// Writes dosages in words (https://hl7.org/fhir/R4/dosage.html).
///
/// The text of the source is taken as it is; only a dosage without one is written out from its parts. A part that no words
/// are known for is left out: the kept text has it.
enum FHIRDosage {
    /// The dosages of a medication in their order; nil if none of them says anything.
    static func text(_ dosages: [FHIRElement]) throws -> String? {
        var (texts, known) = ([String](), Set<String>())
        for dosage in dosages {
            let text = try words(dosage)
            if !text.isEmpty, known.insert(text).inserted { texts.append(text) }
        }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    private static func words(_ dosage: FHIRElement) throws -> String {
        var parts: [String] = []
        func add(_ part: String?) {
            if let part, !part.isEmpty, !parts.contains(part) { parts.append(part) }
        }
        if let text = try dosage.text("text") {
            add(text)
        } else {
            for amount in try dosage.objects("doseAndRate") + [dosage] { try amounts(amount).forEach(add) }
            if let timing = try dosage.object("timing") { try words(ofTiming: timing).forEach(add) }
            if let reason = try dosage.object("asNeededCodeableConcept")?.conceptText() {
                add("as needed for \(reason)")
            } else if try dosage.flag("asNeededBoolean") == true {
                add("as needed")
            }
            add(try dosage.object("route")?.conceptText())
            add(try dosage.object("site")?.conceptText())
            add(try dosage.object("method")?.conceptText())
            if let most = try dosage.object("maxDosePerPeriod").flatMap(ratio) { add("at most \(most)") }
            if let most = try quantity(dosage.object("maxDosePerAdministration")) { add("at most \(most) at a time") }
            if let most = try quantity(dosage.object("maxDosePerLifetime")) { add("at most \(most) in a lifetime") }
            for instruction in try dosage.objects("additionalInstruction") { add(try instruction.conceptText()) }
        }
        if let words = try dosage.text("patientInstruction"), !parts.contains(where: { $0.contains(words) }) {
            add(words)
        }
        return parts.joined(separator: ", ")
    }

    // MARK: - Amounts

    private static func amounts(_ element: FHIRElement) throws -> [String] {
        [
            try quantity(element.object("doseQuantity")), try range(element.object("doseRange")),
            try quantity(element.object("rateQuantity")), try range(element.object("rateRange")),
            try element.object("rateRatio").flatMap(ratio),
        ]
        .compactMap(\.self)
    }

    /// A number with its unit, such as `2.5 mg`; nil without a number.
    static func quantity(_ element: FHIRElement?) throws -> String? {
        guard let element, let number = try element.plainNumber("value") else { return nil }
        let unit = try element.text("unit") ?? element.text("code")
        return try (element.text("comparator") ?? "") + number + (unit.map { " \($0)" } ?? "")
    }

    /// A range such as `1 to 2 tablets`; nil without a bound.
    static func range(_ element: FHIRElement?) throws -> String? {
        guard let element else { return nil }
        let (low, high) = (try element.object("low"), try element.object("high"))
        switch (try quantity(low), try quantity(high)) {
        case (let from?, let to?):
            let units = try [low, high].map { try $0?.text("unit") ?? $0?.text("code") }
            let isPlain = try low?.text("comparator") == nil && units[0] == units[1]
            return "\(isPlain ? try low?.plainNumber("value") ?? from : from) to \(to)"
        case (let from?, nil): return "at least \(from)"
        case (nil, let to?): return "at most \(to)"
        case (nil, nil): return nil
        }
    }

    private static func ratio(_ element: FHIRElement) throws -> String? {
        guard let numerator = try quantity(element.object("numerator")) else { return nil }
        guard let denominator = try quantity(element.object("denominator")) else { return numerator }
        return "\(numerator) in \(denominator)"
    }

    // MARK: - Times

    private static func words(ofTiming timing: FHIRElement) throws -> [String] {
        var parts: [String] = []
        let abbreviated = try timing.object("code").flatMap(abbreviation)
        if let code = try timing.object("code") {
            parts += [try code.text("text") ?? abbreviated ?? code.conceptText()].compactMap(\.self)
        }
        if let rule = try timing.object("repeat") {
            let (every, events) = (try frequency(rule), try self.events(rule))
            // A code such as BID says the same as the rule beside it; any other may say something else.
            if let every, abbreviated == nil, !parts.contains(every) { parts.append(every) }
            parts += events
            if let length = try span(rule, "duration") { parts.append("over \(length)") }
            if let count = try rule.plainNumber("count") {
                let most = try rule.plainNumber("countMax").map { " to \($0)" } ?? ""
                parts.append("\(count)\(most) times in all")
            }
            parts += try bounds(rule)
        }
        let events = try timing.texts("event")
        if !events.isEmpty { parts.append("on " + events.joined(separator: ", ")) }
        return parts
    }

    /// Abbreviations of timings (http://terminology.hl7.org/CodeSystem/v3-GTSAbbreviation).
    private static let abbreviations = [
        "QD": "once a day", "BID": "twice a day", "TID": "3 times a day", "QID": "4 times a day",
        "QOD": "every 2 days", "Q1H": "every hour", "Q2H": "every 2 hours", "Q3H": "every 3 hours",
        "Q4H": "every 4 hours", "Q6H": "every 6 hours", "Q8H": "every 8 hours", "AM": "every morning",
        "PM": "every afternoon", "BED": "at bedtime", "WK": "once a week", "MO": "once a month",
    ]

    private static func abbreviation(of concept: FHIRElement) throws -> String? {
        try concept.objects("coding").lazy
            .compactMap { coding in try coding.text("code") }.compactMap { abbreviations[$0] }.first
    }

    /// How often, such as `twice a day` or `every 6 to 8 hours`.
    private static func frequency(_ rule: FHIRElement) throws -> String? {
        guard let unit = try rule.text("periodUnit").flatMap({ units[$0] }) else { return nil }
        let period = try rule.plainNumber("period") ?? "1"
        let longest = try rule.plainNumber("periodMax")
        let times = try rule.plainNumber("frequency") ?? "1"
        let most = try rule.plainNumber("frequencyMax")
        let span = longest.map { "\(period) to \($0) \(unit)s" } ?? (period == "1" ? unit : "\(period) \(unit)s")
        if times == "1", most == nil { return period == "1" && longest == nil ? "once a \(unit)" : "every \(span)" }
        let often = most.map { "\(times) to \($0) times" } ?? (times == "2" ? "twice" : "\(times) times")
        return period == "1" && longest == nil ? "\(often) a \(unit)" : "\(often) in \(span)"
    }

    private static let units = [
        "s": "second", "min": "minute", "h": "hour", "d": "day", "wk": "week", "mo": "month", "a": "year",
    ]

    private static let days = [
        "mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "fri": "Friday", "sat": "Saturday",
        "sun": "Sunday",
    ]

    /// Events of a day (http://hl7.org/fhir/ValueSet/event-timing).
    private static let moments = [
        "MORN": "in the morning", "MORN.early": "early in the morning", "MORN.late": "late in the morning",
        "NOON": "at noon", "AFT": "in the afternoon", "AFT.early": "early in the afternoon",
        "AFT.late": "late in the afternoon", "EVE": "in the evening", "EVE.early": "early in the evening",
        "EVE.late": "late in the evening", "NIGHT": "at night", "PHS": "after falling asleep", "HS": "at bedtime",
        "WAKE": "on waking", "C": "with meals", "CM": "with breakfast", "CD": "with lunch", "CV": "with dinner",
        "AC": "before meals", "ACM": "before breakfast", "ACD": "before lunch", "ACV": "before dinner",
        "PC": "after meals", "PCM": "after breakfast", "PCD": "after lunch", "PCV": "after dinner",
    ]

    private static func events(_ rule: FHIRElement) throws -> [String] {
        var parts: [String] = []
        let weekdays = try rule.texts("dayOfWeek").map { days[$0] ?? $0 }
        if !weekdays.isEmpty { parts.append("on " + weekdays.joined(separator: ", ")) }
        let times = try rule.texts("timeOfDay")
            .map { $0.hasSuffix(":00") && $0.utf8.count == 8 ? String($0.prefix(5)) : $0 }
        if !times.isEmpty { parts.append("at " + times.joined(separator: ", ")) }
        let offset = try rule.plainNumber("offset").map { "\($0) minutes " } ?? ""
        parts += try rule.texts("when").map { offset + (moments[$0] ?? $0) }
        return parts
    }

    private static func bounds(_ rule: FHIRElement) throws -> [String] {
        if let period = try rule.object("boundsPeriod") {
            return [
                try period.text("start").map { "from \($0)" }, try period.text("end").map { "until \($0)" },
            ]
            .compactMap(\.self)
        }
        if let length = try rule.object("boundsDuration").flatMap(duration) { return ["for \(length)"] }
        return try range(rule.object("boundsRange")).map { ["for \($0)"] } ?? []
    }

    /// A Duration such as `7 days`.
    private static func duration(_ element: FHIRElement) throws -> String? {
        guard let number = try element.plainNumber("value") else { return nil }
        guard let unit = try (element.text("code") ?? element.text("unit")).flatMap({ units[$0] }) else {
            return try quantity(element)
        }
        return "\(number) \(unit)\(number == "1" ? "" : "s")"
    }

    /// The length of an administration, such as `30 to 60 minutes`.
    private static func span(_ rule: FHIRElement, _ name: String) throws -> String? {
        guard let number = try rule.plainNumber(name), let unit = try rule.text(name + "Unit").flatMap({ units[$0] })
        else { return nil }
        let longest = try rule.plainNumber(name + "Max").map { " to \($0)" } ?? ""
        return "\(number)\(longest) \(unit)\(number == "1" && longest.isEmpty ? "" : "s")"
    }
}
