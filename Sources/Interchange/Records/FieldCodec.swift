import FoundationEssentials
import HealthModel

/// Converts the values of described fields to and from JSON; the only place that maps field types to JSON.
struct FieldCodec {
    enum Decimals {
        /// As strings, which no parser rounds.
        case text
        /// As JSON numbers, as the source's app expects them.
        case number
    }

    let decimals: Decimals

    static let native = FieldCodec(decimals: .text)
    static let purus = FieldCodec(decimals: .number)

    func json(_ value: FieldValue, as type: FieldType) -> JSONValue {
        switch value {
        case .text(let text): .string(text)
        case .decimal(let decimal):
            // A fraction such as 1/3 is no number of JSON.
            decimals == .text || !decimal.isDecimal ? .string(decimal.description) : .number(decimal.description)
        case .integer(let integer): .integer(integer)
        case .flag(let flag): .bool(flag)
        case .day(let day): .string(day.description)
        case .instant(let instant): .string(instant.description)
        case .id(let id): .string(id.text)
        case .bytes(let bytes): .string(Data(bytes).base64EncodedString())
        case .group(let values):
            if case .group(let fields) = type { .object(members(values, of: fields)) } else { .null }
        case .list(let values):
            if case .list(let element, _) = type { .array(values.map { json($0, as: element) }) } else { .null }
        }
    }

    /// The members of the values that are present, in the order of the fields.
    func members(_ values: FieldValues, of fields: [Field]) -> [JSONValue.Member] {
        fields.compactMap { field in
            values[field].map { JSONValue.Member(field.name, json($0, as: field.type)) }
        }
    }

    /// Parses a value; null is an absent value.
    func value(_ json: JSONValue, as field: Field, at path: DocumentPath) throws(ModelError) -> FieldValue? {
        try value(json, as: field.type, at: path)
    }

    private func value(_ json: JSONValue, as type: FieldType, at path: DocumentPath) throws(ModelError) -> FieldValue? {
        switch (type, json) {
        case (_, .null): return nil
        case (.text(let maximum), .string(let text)):
            return .text(try TextCheck.received(text, field: path.field, maximum: maximum))
        case (.choice, .string(let text)): return .text(text)
        case (.decimal, .number(let text)): return .decimal(try Self.decimal(text, at: path))
        case (.decimal(_, fractions: true), .string(let text)): return .decimal(try Self.amount(text, at: path))
        case (.decimal, .string(let text)) where decimals == .text: return .decimal(try Self.decimal(text, at: path))
        case (.integer, .number(let text)): return .integer(try Self.integer(text, at: path))
        case (.flag, .bool(let flag)): return .flag(flag)
        // CloudKit has no Booleans: it stores 0 and 1.
        case (.flag, .number("0")) where decimals == .number: return .flag(false)
        case (.flag, .number("1")) where decimals == .number: return .flag(true)
        case (.day, .string(let text)):
            do { return .day(try Day(parsing: text)) } catch { throw error.at(path) }
        case (.instant, .string(let text)):
            do { return .instant(try Instant(parsing: text)) } catch { throw error.at(path) }
        case (.wallTime, .string(let text)), (.wallMoment, .string(let text)), (.partialDate, .string(let text)),
            (.dayOrPeriod, .string(let text)), (.zone, .string(let text)):
            if text.isEmpty { return nil }
            do { return try FieldValue(parsing: text, as: Field(0, "", "", type)) } catch { throw error.at(path) }
        case (.id, .string(let text)), (.entry, .string(let text)):
            guard let id = UUID(uuidString: text) else {
                throw ModelError(.invalid, field: path.field, "must be an id")
            }
            return .id(id)
        case (.bytes, .string(let text)):
            guard let bytes = Data(base64Encoded: text) else {
                throw ModelError(.invalid, field: path.field, "must be bytes in base64")
            }
            return .bytes([UInt8](bytes))
        case (.list(let element, _), .array(let items)):
            var values: [FieldValue] = []
            for (index, item) in items.enumerated() {
                let place = path.appending(index)
                guard let value = try value(item, as: element, at: place) else {
                    throw ModelError(.invalid, field: place.field, "must be \(element.noun), not null")
                }
                values.append(value)
            }
            return .list(values)
        case (.group(let fields), .object(let members)): return .group(try group(members, of: fields, at: path))
        default:
            throw ModelError(.invalid, field: path.field, "must be \(type.noun), not \(json.typeName)")
        }
    }

    private func group(
        _ members: [JSONValue.Member],
        of fields: [Field],
        at path: DocumentPath
    ) throws(ModelError) -> FieldValues {
        var values = FieldValues()
        for member in members {
            let inner = path.appending(member.name)
            guard let field = fields.first(where: { $0.name == member.name }) else {
                throw ModelError(.invalid, field: inner.field, "there is no such field")
            }
            values[field] = try value(member.value, as: field, at: inner)
        }
        return values
    }

    static func decimal(_ text: String, at path: DocumentPath) throws(ModelError) -> ExactDecimal {
        do { return try ExactDecimal(parsing: text) } catch { throw error.at(path) }
    }

    private static func amount(_ text: String, at path: DocumentPath) throws(ModelError) -> ExactDecimal {
        do { return try ExactDecimal(parsingAmount: text) } catch { throw error.at(path) }
    }

    /// Parses a whole number, which may be written as `2024.0`.
    static func integer(_ text: String, at path: DocumentPath) throws(ModelError) -> Int64 {
        let decimal = try decimal(text, at: path).withoutTrailingZeros
        guard decimal.scale == 0 else { throw ModelError(.invalid, field: path.field, "must be a whole number") }
        return decimal.coefficient
    }
}

extension ModelError {
    /// The same error for another path.
    func at(_ path: DocumentPath) -> ModelError {
        ModelError(code, field: path.field, text)
    }
}
