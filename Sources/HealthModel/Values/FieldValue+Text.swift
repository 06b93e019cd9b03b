import FoundationEssentials

extension FieldValue {
    /// Parses one value from text that a user or another tool wrote.
    package init(parsing text: String, as field: Field) throws(ModelError) {
        switch field.type {
        case .text:
            self = .text(text.withUnixLines)
        case .decimal(_, let fractions):
            self = .decimal(fractions ? try ExactDecimal(parsingAmount: text) : try ExactDecimal(parsing: text))
        case .integer:
            guard let integer = Int64(text) else { throw ModelError(.invalid, "not a whole number") }
            self = .integer(integer)
        case .flag:
            self = .flag(try Bool(flag: text))
        case .day:
            self = .day(try Day(parsing: text))
        case .choice(let words):
            guard words.contains(text) else {
                throw ModelError(.invalid, "must be one of \(words.joined(separator: ", "))")
            }
            self = .text(text)
        case .wallTime:
            self = .text(try WallTime(parsing: text).description)
        case .wallMoment:
            self = .text(try WallMoment(parsing: text).description)
        case .partialDate:
            self = .text(try PartialDate(parsing: text).description)
        case .dayOrPeriod:
            self = FieldValue(try PartialDate(parsing: text))
        case .zone:
            try TextCheck.check(zone: text)
            self = .text(text)
        case .instant:
            self = .instant(try Instant(parsing: text))
        case .id, .entry:
            guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be an id") }
            self = .id(id)
        case .list(.text(let maximum), _) where maximum <= Limits.line:
            let items = text.withUnixLines.split(separator: ",").map { String($0).trimmed }
            self = .list(items.filter { !$0.isEmpty }.map { FieldValue.text($0) })
        case .list:
            throw ModelError(.invalid, "is a list; set the fields of one item, such as \(field.name).0")
        case .bytes:
            throw ModelError(.invalid, "cannot be given as text")
        case .group(let fields):
            let names = fields.map { "\(field.name).\($0.name)" }.joined(separator: ", ")
            throw ModelError(.invalid, "is a group; use one of its fields: \(names)")
        }
    }

    /// The value of a field of the type ``FieldType/dayOrPeriod``.
    package init(_ date: PartialDate) {
        if case .day(let day) = date { self = .day(day) } else { self = .text(date.description) }
    }

    /// The value as text that ``init(parsing:as:)`` can parse, if the type permits it.
    ///
    /// The text of a list contains the texts of its values, separated by commas; one that has a comma itself is parsed as two.
    /// Nil for a group and for bytes.
    package var text: String? {
        switch self {
        case .text(let text): text
        case .decimal(let decimal): decimal.description
        case .integer(let integer): String(integer)
        case .flag(let flag): flag ? "true" : "false"
        case .day(let day): day.description
        case .instant(let instant): instant.description
        case .id(let id): id.text
        case .list(let values): values.map(\.textInList).joined(separator: ", ")
        case .group, .bytes: nil
        }
    }
}

extension FieldValue {
    /// The value as text for people: the items of a list are without their ids, which say nothing to a reader.
    package var shownText: String {
        guard case .list(let values) = self else { return text ?? "" }
        return values.map(\.shownInList).joined(separator: ", ")
    }

    private var shownInList: String {
        guard case .group(let values) = self else { return shownText }
        return values.items.map(\.value)
            .compactMap { value in if case .id = value { nil } else { value.shownInList } }
            .joined(separator: " ")
    }

    /// The text of a value of a list: that of a group contains the texts of its values, separated by spaces.
    private var textInList: String {
        if case .group(let values) = self {
            values.items.map(\.value.textInList).joined(separator: " ")
        } else {
            text ?? ""
        }
    }
}

extension Bool {
    /// Parses `true`, `yes` or `1` and `false`, `no` or `0`, ignoring case.
    init(flag text: String) throws(ModelError) {
        switch text.lowercased() {
        case "true", "yes", "1": self = true
        case "false", "no", "0": self = false
        default: throw ModelError(.invalid, "must be true or false")
        }
    }
}

extension FieldValues {
    /// Sets the field at a path such as `address.city` from text; empty text clears it.
    package mutating func set(_ path: String, text: String, in fields: [Field]) throws(ModelError) {
        try set(path, text: text, in: fields, otherNames: [])
    }

    mutating func set(_ path: String, text: String, in fields: [Field], otherNames: [String]) throws(ModelError) {
        guard let found = fields.path(named: path), let field = found.fields.last else {
            let names = (fields.leaves.map(\.name) + otherNames).joined(separator: ", ")
            throw ModelError(.invalid, field: path.printable, "there is no such field; the fields are \(names)")
        }
        if let (index, count) = countOfList(at: found), index > count {
            throw ModelError(.invalid, field: path, "there is no such item; the next new one has the number \(count)")
        }
        if text.isEmpty {
            self[found] = nil
            return
        }
        do {
            self[found] = try FieldValue(parsing: text, as: field)
        } catch {
            throw ModelError(error.code, field: path, error.text)
        }
    }
}

extension String {
    /// The text without control characters and cut to 100 Unicode scalars, so that an error can show input safely.
    var printable: String {
        let safe = unicodeScalars.lazy.filter { $0.properties.generalCategory != .control }.prefix(100)
        return String(String.UnicodeScalarView(safe))
    }
}
