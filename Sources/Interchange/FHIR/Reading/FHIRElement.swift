import HealthModel

/// An element of a FHIR resource, with its path for errors.
///
/// A member of another JSON type than FHIR defines is an error that names the path, never the value.
struct FHIRElement: Sendable {
    let value: JSONValue
    let path: DocumentPath

    /// The member with a name; nil if it is missing.
    subscript(name: String) -> FHIRElement? {
        value[name].map { FHIRElement(value: $0, path: path.appending(name)) }
    }

    /// A text of at least one character; nil if the member is missing.
    func text(_ name: String) throws -> String? {
        guard let member = self[name] else { return nil }
        guard case .string(let text) = member.value else { throw member.error(needs: "text") }
        return text.isEmpty ? nil : text
    }

    /// A number with its digits as they were written; nil if the member is missing.
    func number(_ name: String) throws -> String? {
        guard let member = self[name] else { return nil }
        guard case .number(let text) = member.value else { throw member.error(needs: "a number") }
        return text
    }

    func flag(_ name: String) throws -> Bool? {
        guard let member = self[name] else { return nil }
        guard case .bool(let flag) = member.value else { throw member.error(needs: "true or false") }
        return flag
    }

    func object(_ name: String) throws -> FHIRElement? {
        guard let member = self[name] else { return nil }
        guard case .object = member.value else { throw member.error(needs: "an object") }
        return member
    }

    /// The items of a list of objects; none if the member is missing.
    func objects(_ name: String) throws -> [FHIRElement] {
        guard let member = self[name] else { return [] }
        guard case .array(let items) = member.value else { throw member.error(needs: "an array") }
        var found: [FHIRElement] = []
        for (index, item) in items.enumerated() {
            let element = FHIRElement(value: item, path: member.path.appending(index))
            guard case .object = item else { throw element.error(needs: "an object") }
            found.append(element)
        }
        return found
    }

    /// The items of a list of texts; none if the member is missing.
    func texts(_ name: String) throws -> [String] {
        guard let member = self[name] else { return [] }
        guard case .array(let items) = member.value else { throw member.error(needs: "an array") }
        var found: [String] = []
        for (index, item) in items.enumerated() {
            switch item {
            case .string(let text): found.append(text)
            // A missing part of a list whose elements have extensions.
            case .null: break
            default: throw FHIRElement(value: item, path: member.path.appending(index)).error(needs: "text")
            }
        }
        return found
    }

    private func error(needs noun: String) -> ModelError {
        ModelError(.invalid, field: path.field, "must be \(noun), not \(value.typeName)")
    }
}

// MARK: - Data types

extension FHIRElement {
    /// The words of a CodeableConcept: its text, or what its first coding means.
    func conceptText() throws -> String? {
        if let text = try text("text") { return text }
        for coding in try objects("coding") {
            if let display = try coding.text("display") { return display }
        }
        for coding in try objects("coding") {
            if let code = try coding.text("code") { return code }
        }
        return nil
    }

    /// The codes of a CodeableConcept, as the field `codes` contains them; nil if it has none.
    func conceptCodes() throws -> FieldValue? {
        var codes: [FieldValue] = []
        for coding in try objects("coding") {
            guard let code = try coding.text("code") else { continue }
            var values = FieldValues()
            values[SharedFields.code] = .text(code)
            values[SharedFields.system] = try coding.text("system").map { .text($0) }
            values[SharedFields.display] = try coding.text("display").map { .text($0) }
            values[SharedFields.version] = try coding.text("version").map { .text($0) }
            codes.append(.group(values))
        }
        return codes.isEmpty ? nil : .list(codes)
    }

    /// Whether a CodeableConcept has one of several codes, in whatever system.
    func hasCode(_ codes: Set<String>) throws -> Bool {
        for coding in try objects("coding") {
            if let code = try coding.text("code"), codes.contains(code) { return true }
        }
        return false
    }

    /// A date, a year, a month or an instant; nil if the member is missing.
    func date(_ name: String) throws -> OccurredDate? {
        guard let text = try text(name) else { return nil }
        // A leap second is the last second of its minute; the text that is kept still has it.
        do { return try OccurredDate(parsing: text.utf8.count > 10 ? text.withoutLeapSecond : text) } catch {
            throw error.at(path.appending(name))
        }
    }

    /// The date of an element that FHIR writes as `…DateTime`, `…Instant` or `…Period`: the start of a period.
    func date(of name: String) throws -> OccurredDate? {
        if let date = try date("\(name)DateTime") ?? date("\(name)Instant") { return date }
        return try object("\(name)Period")?.date("start")
    }

    /// The resource without the dates that cannot be read; nil if there is none, or if one is the end of something, which would
    /// seem to go on without it.
    var withoutUnreadableDates: FHIRElement? {
        let ends: Set = ["abatementDateTime", "expirationDate", "end"]
        var isEnd = false
        func isUnreadable(_ member: JSONValue.Member) -> Bool {
            let isDate =
                ends.contains(member.name) || member.name == "start" || member.name == "authoredOn"
                || member.name.hasSuffix("DateTime") || member.name.hasSuffix("Instant")
                || member.name.lowercased().hasSuffix("date")
            guard isDate, case .string(let text) = member.value, (try? OccurredDate(parsing: text)) == nil else {
                return false
            }
            if ends.contains(member.name) { isEnd = true }
            return true
        }
        let readable = value.members.compactMap { member -> JSONValue.Member? in
            if isUnreadable(member) { return nil }
            guard member.name.lowercased().hasSuffix("period"), case .object(let parts) = member.value else {
                return member
            }
            return .init(member.name, .object(parts.filter { !isUnreadable($0) }))
        }
        let result = JSONValue.object(readable)
        return isEnd || result == value ? nil : FHIRElement(value: result, path: path)
    }

    /// The texts of the notes.
    func notes() throws -> [String] { try objects("note").compactMap { note in try note.text("text") } }

    /// A number with its digits and without an exponent, as people write it: `120` for `1.2E+2`; nil if the member is missing.
    func plainNumber(_ name: String) throws -> String? {
        guard let number = try number(name) else { return nil }
        guard number.contains(where: { $0 == "e" || $0 == "E" }) else { return number }
        // One with more digits than a decimal has stays as it came.
        return (try? ExactDecimal(parsing: number))?.description ?? number
    }

    /// Whether the resource says of itself that it was entered by mistake.
    var isEnteredInError: Bool {
        let codings = value["verificationStatus"]?["coding"]
        let isUnverified =
            if case .array(let items)? = codings { items.contains { $0["code"] == "entered-in-error" } } else { false }
        return isUnverified || value["status"] == "entered-in-error"
    }
}

extension OccurredDate {
    /// The date without a time of day, as a field for a partial date contains it.
    var partial: PartialDate {
        switch self {
        case .date(let date): date
        case .instant(let instant): .day(Day(of: instant))
        }
    }
}

extension String {
    /// An RFC 3339 time in which the second 60 is the second 59.
    fileprivate var withoutLeapSecond: String {
        let bytes = Array(utf8)
        guard bytes.count > 18, bytes[17] == UInt8(ascii: "6"), bytes[18] == UInt8(ascii: "0") else { return self }
        return String(decoding: bytes[..<17] + Array("59".utf8) + bytes[19...], as: UTF8.self)
    }
}
