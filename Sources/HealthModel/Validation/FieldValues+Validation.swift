extension FieldValues {
    /// Checks the values against the fields that describe them.
    ///
    /// Numbers without a field are not checked: a newer program wrote them, and they are kept.
    ///
    /// A required field may be absent if `inferred` names it: the source left it out, and no value is invented.
    func validate(
        as fields: [Field],
        inferred: [String],
        path: String = "",
        now: Instant
    ) throws(ModelError) {
        for field in fields {
            let name = path + field.name
            guard let value = self[field] else {
                if field.isRequired, !inferred.contains(name) {
                    throw ModelError(.invalid, field: name, "is required")
                }
                continue
            }
            try value.validate(as: field, name: name, inferred: inferred, now: now)
        }
    }
}

extension FieldValue {
    fileprivate func validate(
        as field: Field,
        name: String,
        inferred: [String],
        now: Instant
    ) throws(ModelError) {
        switch (field.type, self) {
        case (.text(let maximum), .text(let text)):
            try TextCheck.check(text, field: name, maximum: maximum)
            try field.format.check(text, field: name)
        case (.choice(let words), .text(let text)):
            guard words.contains(text) else {
                throw ModelError(.invalid, field: name, "must be one of \(words.joined(separator: ", "))")
            }
        case (.decimal(let range, let fractions), .decimal(let decimal)):
            let low = ExactDecimal(coefficient: range.lowerBound, scale: 0)
            let high = ExactDecimal(coefficient: range.upperBound, scale: 0)
            guard decimal >= low, decimal <= high else { throw Self.outside(range, field, name: name) }
            guard decimal.isStorable else {
                throw ModelError(.invalid, field: name, "has more than 18 digits")
            }
            guard decimal.isDecimal || fractions else {
                throw ModelError(.invalid, field: name, "must be a decimal number, such as 0.5")
            }
        case (.integer(let range), .integer(let integer)):
            guard range.contains(integer) else { throw Self.outside(range, field, name: name) }
        case (.day, .day(let day)), (.dayOrPeriod, .day(let day)):
            try day.check(field: name, now: now)
        case (.flag, .flag), (.instant, .instant), (.id, .id), (.entry, .id):
            break
        case (.wallTime, .text(let text)), (.wallMoment, .text(let text)), (.zone, .text(let text)):
            try Self.check(text, as: field, name: name)
        case (.partialDate, .text(let text)), (.dayOrPeriod, .text(let text)):
            try Self.check(text, as: field, name: name)
            try PartialDate(parsing: text).firstDay.check(field: name, now: now)
        case (.bytes(let maximum), .bytes(let bytes)):
            if bytes.count > maximum { throw ModelError(.invalid, field: name, "is longer than \(maximum) bytes") }
        case (.list(let type, let maximum), .list(let values)):
            if values.count > maximum { throw ModelError(.invalid, field: name, "has more than \(maximum) values") }
            for (index, value) in values.enumerated() {
                let element = Field(field.number, field.name, field.label, type)
                // A value of a list is complete: nothing in it is guessed.
                try value.validate(as: element, name: "\(name).\(index)", inferred: [], now: now)
            }
        case (.group(let fields), .group(let values)):
            try values.validate(as: fields, inferred: inferred, path: name + ".", now: now)
        default:
            throw ModelError(.invalid, field: name, "must be \(field.type.noun)")
        }
    }

    /// Requires that a text is the canonical text of a value of the field's type.
    private static func check(_ text: String, as field: Field, name: String) throws(ModelError) {
        do throws(ModelError) {
            guard try FieldValue(parsing: text, as: field) == .text(text) else {
                throw ModelError(.invalid, "must be \(field.type.noun)")
            }
        } catch {
            throw ModelError(error.code, field: name, error.text)
        }
    }

    private static func outside(_ range: ClosedRange<Int64>, _ field: Field, name: String) -> ModelError {
        ModelError(
            .invalid,
            field: name,
            field.label.hasSuffix("(min)")
                ? "must be between \(range.lowerBound) and \(range.upperBound) minutes"
                : "must be between \(range.lowerBound) and \(range.upperBound)"
        )
    }
}

extension FieldType {
    /// The description of a value of the type in error messages.
    package var noun: String {
        switch self {
        case .text: "text"
        case .decimal: "a number"
        case .integer: "a whole number"
        case .flag: "true or false"
        case .day: "a date"
        case .choice: "a word"
        case .instant: "a date and time"
        case .wallTime: "a time of day"
        case .wallMoment: "a date, with or without a time"
        case .partialDate, .dayOrPeriod: "a date, a month or a year"
        case .zone: "a time zone"
        case .id, .entry: "an id"
        case .bytes: "bytes"
        case .list: "a list"
        case .group: "a group of fields"
        }
    }
}

extension TextFormat {
    fileprivate func check(_ text: String, field: String) throws(ModelError) {
        switch self {
        case .any:
            break
        case .line:
            if text.contains(where: \.isNewline) { throw ModelError(.invalid, field: field, "contains a line break") }
        case .languageTag:
            guard Self.isLanguageTag(text) else {
                throw ModelError(.invalid, field: field, "must be a language tag (BCP 47), such as en or de-CH")
            }
        case .currency:
            let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
            guard text.utf8.count == 3, text.utf8.allSatisfy(capitals.contains) else {
                throw ModelError(.invalid, field: field, "must be three capital letters, such as EUR")
            }
        case .digest:
            let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
            guard text.utf8.count == 64, text.utf8.allSatisfy({ $0.isDigit || letters.contains($0) }) else {
                throw ModelError(.invalid, field: field, "must be a SHA-256 in 64 lowercase hex digits")
            }
        }
    }

    private static func isLanguageTag(_ text: String) -> Bool {
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = subtags.first, (2...8).contains(first.utf8.count),
            first.utf8.allSatisfy(\.isLetter)
        else { return false }
        return subtags.dropFirst()
            .allSatisfy { (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.isLetter || $0.isDigit } }
    }
}
