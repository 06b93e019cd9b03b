import HealthModel

/// Schemas of fields: the counterpart of parsing by `FieldCodec` and validation by the model.
extension JSONSchema {
    static func schema(of field: Field) -> JSONValue {
        let schema = schema(of: field.type, format: field.format)
        // Without a title: generators of clients would name a type by it, and several groups have the same.
        if case .group = field.type { return schema }
        return .members(("title", .string(field.label))).merging(schema)
    }

    private static func schema(of type: FieldType, format: TextFormat) -> JSONValue {
        switch type {
        case .text(let maximum): text(maximum: maximum, format: format)
        case .decimal(let range, let fractions): decimal(range, fractions: fractions)
        case .integer(let range):
            .members(
                ("type", types("integer", "null")),
                ("minimum", .integer(range.lowerBound)),
                ("maximum", .integer(range.upperBound))
            )
        case .flag: .members(("type", types("boolean", "null")))
        case .day: day
        case .instant: optionalMoment
        case .wallTime: optionalText("(?:[01][0-9]|2[0-3]):[0-5][0-9]")
        case .wallMoment: optionalText(wallMomentPattern)
        case .partialDate, .dayOrPeriod: optionalText(partialDatePattern)
        case .zone: optionalText("(?!/)[A-Za-z0-9/_+-]{1,64}")
        case .id, .entry: .members(("type", types("string", "null")), ("format", .string("uuid")))
        case .bytes(let maximum):
            .members(
                ("type", types("string", "null")),
                ("contentEncoding", .string("base64")),
                ("maxLength", .integer((maximum + 2) / 3 * 4))
            )
        // An empty text counts as absent, like null.
        case .choice(let words): .members(("enum", .array(words.map { .string($0) } + [.string(""), .null])))
        case .group(let fields):
            .members(
                ("type", types("object", "null")),
                ("properties", .object(fields.map { .init($0.name, self.schema(of: $0)) })),
                ("additionalProperties", .bool(false))
            )
        case .list(let element, let maximum):
            .members(("type", types("array", "null")), ("items", item(of: element)), ("maxItems", .integer(maximum)))
        }
    }

    /// A text that matches a pattern; null and an empty text count as absent.
    private static func optionalText(_ pattern: String) -> JSONValue {
        .members(("type", types("string", "null")), ("pattern", .string("^(?:\(pattern))?$")))
    }

    /// A value of a list: it is never absent, and the required fields of a group are present.
    private static func item(of type: FieldType) -> JSONValue {
        var rules = [schema(of: type, format: .any), notEmpty]
        if case .group(let fields) = type { rules.append(present(fields.filter(\.isRequired))) }
        return .members(("allOf", .array(rules)))
    }

    /// Requires that fields are present and not empty.
    static func present(_ fields: [Field]) -> JSONValue {
        .members(
            ("required", .array(fields.map { .string($0.name) })),
            ("properties", .object(fields.map { .init($0.name, notEmpty) }))
        )
    }

    /// Excludes the values that count as absent.
    static let notEmpty = JSONValue.members(("not", .members(("enum", .array([.null, .string("")])))))

    static func text(maximum: Int, _ names: String...) -> JSONValue {
        text(maximum: maximum, format: .any, names.isEmpty ? ["string", "null"] : names)
    }

    /// Excludes control characters other than tabs and line breaks, and the noncharacters of the Basic Multilingual
    /// Plane.
    private static let plainPattern =
        "^(?:[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\ufdd0-\\ufdef\\ufffe\\uffff]|\\r\\n)*$"

    /// Excludes line breaks as well.
    private static let linePattern =
        "^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufdd0-\\ufdef\\ufffe\\uffff]*$"

    /// A name, in which line breaks of forms (CR LF) are not allowed.
    static let nameOfField = name(maximum: Limits.line)

    static func name(maximum: Int) -> JSONValue {
        .members(
            ("type", .string("string")),
            ("maxLength", .integer(maximum)),
            (
                "pattern",
                .string("^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\ufdd0-\\ufdef\\ufffe\\uffff]*$")
            )
        )
    }

    private static func text(
        maximum: Int,
        format: TextFormat,
        _ names: [String] = ["string", "null"]
    ) -> JSONValue {
        let pattern =
            switch format {
            case .any: plainPattern
            case .line: linePattern
            case .languageTag: "^(?:[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)?$"
            case .currency: "^(?:[A-Z]{3})?$"
            case .digest: "^(?:[0-9a-f]{64})?$"
            }
        return .members(
            ("type", names.count == 1 ? .string(names[0]) : .array(names.map { .string($0) })),
            ("maxLength", .integer(maximum)),
            ("pattern", .string(pattern))
        )
    }

    /// A decimal as a string, which no parser rounds, or as a number.
    private static func decimal(_ range: ClosedRange<Int64>, fractions: Bool) -> JSONValue {
        // A pattern can check only the sign, not the bounds themselves.
        let sign = range.lowerBound < 0 ? "" : "(?!-[0.]*[1-9])"
        let form = fractions ? "; an amount may also be a fraction, such as 1/3 or 1 1/2" : ""
        let decimal = "[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
        let number = fractions ? "(?:\(decimal)|(?:[0-9]{1,9} )?[0-9]{1,9}/[0-9]{1,9})" : decimal
        return .members(
            (
                "description",
                .string(
                    "Between \(range.lowerBound) and \(range.upperBound), of at most 18 digits; in quotes, so that none is lost\(form)."
                )
            ),
            ("type", types("string", "number", "null")),
            ("minimum", .integer(range.lowerBound)),
            ("maximum", .integer(range.upperBound)),
            ("maxLength", .integer(64)),
            ("pattern", .string("^\(sign)-?\(number)$"))
        )
    }
}

extension JSONValue {
    /// Returns the members of two objects in one.
    package func merging(_ other: JSONValue) -> JSONValue {
        guard case .object(let members) = self, case .object(let more) = other else { return other }
        return .object(members + more)
    }
}
