import HealthModel

/// The values of described fields as JSON, in and out: the one place where a field's type meets JSON.
struct FieldCodec {
    enum Decimals {
        /// As text, which no reader rounds.
        case text
        /// As JSON numbers, as the source's app reads them.
        case number
    }

    let decimals: Decimals

    static let native = FieldCodec(decimals: .text)
    static let purus = FieldCodec(decimals: .number)

    func json(_ value: FieldValue, as field: Field) -> JSONValue {
        switch value {
        case .text(let text): .string(text)
        case .decimal(let decimal): decimals == .text ? .string(decimal.description) : .number(decimal.description)
        case .integer(let integer): .integer(integer)
        case .flag(let flag): .bool(flag)
        case .day(let day): .string(day.description)
        case .group(let values):
            if case .group(let fields) = field.type { .object(members(values, of: fields)) } else { .null }
        }
    }

    /// The values that are there, in the order of the fields.
    func members(_ values: FieldValues, of fields: [Field]) -> [JSONValue.Member] {
        fields.compactMap { field in
            values[field].map { JSONValue.Member(field.name, json($0, as: field)) }
        }
    }

    /// Reads a value; null is an absent one.
    func value(_ json: JSONValue, as field: Field, at path: DocumentPath) throws(ModelError) -> FieldValue? {
        switch (field.type, json) {
        case (_, .null): return nil
        case (.text, .string(let text)), (.choice, .string(let text)): return .text(Self.unified(text))
        case (.decimal, .number(let text)): return .decimal(try Self.decimal(text, at: path))
        case (.decimal, .string(let text)) where decimals == .text: return .decimal(try Self.decimal(text, at: path))
        case (.integer, .number(let text)): return .integer(try Self.integer(text, at: path))
        case (.flag, .bool(let flag)): return .flag(flag)
        // CloudKit has no Booleans: it stores 0 and 1.
        case (.flag, .number("0")) where decimals == .number: return .flag(false)
        case (.flag, .number("1")) where decimals == .number: return .flag(true)
        case (.day, .string(let text)):
            do { return .day(try Day(parsing: text)) } catch { throw error.at(path) }
        case (.group(let fields), .object(let members)): return .group(try group(members, of: fields, at: path))
        default:
            throw ModelError(.invalid, field: path.field, "must be \(field.type.noun), not \(json.typeName)")
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

    /// Line ends as the journal has them; a carriage return alone is left for validation to refuse.
    static func unified(_ text: String) -> String {
        guard text.utf8.contains(0x0D) else { return text }
        return text.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
    }

    static func decimal(_ text: String, at path: DocumentPath) throws(ModelError) -> ExactDecimal {
        do { return try ExactDecimal(parsing: text) } catch { throw error.at(path) }
    }

    /// A whole number, also written as `2024.0`.
    static func integer(_ text: String, at path: DocumentPath) throws(ModelError) -> Int64 {
        let decimal = try decimal(text, at: path).withoutTrailingZeros
        guard decimal.scale == 0 else { throw ModelError(.invalid, field: path.field, "must be a whole number") }
        return decimal.coefficient
    }
}

extension ModelError {
    /// The same complaint about another place.
    func at(_ path: DocumentPath) -> ModelError {
        ModelError(code, field: path.field, message)
    }
}
