package import HealthModel

/// Schemas of the data of events: the counterpart of `NativeEvent.data`.
extension JSONSchema {
    /// The schema of the data of an event that is defined by its fields; nil if none of them is in its JSON.
    package static func data(of definition: EventDefinition) -> JSONValue? {
        let fields = definition.fields.filter { $0.visibility.contains(.json) }.map(\.field)
        guard !fields.isEmpty else { return nil }
        var required = fields.filter { $0.isRequired || $0.type.isList }.map { JSONValue.string($0.name) }
        var properties = fields.map { JSONValue.Member($0.name, shown($0.type)) }
        if definition === EntryDiverged.definition {
            required += ["kind", "values"]
            properties += [
                .init("kind", ["enum": .array(Kind.all.map { .string($0.name) })]),
                .init("values", ["type": "object", "description": "The whole content, as in an entry of the kind."]),
            ]
        }
        return .members(
            ("type", .string("object")),
            ("description", .string(definition.label)),
            ("required", .array(required)),
            ("properties", .object(properties)),
            ("additionalProperties", .bool(false))
        )
    }

    /// The schema of a value that is present.
    private static func shown(_ type: FieldType) -> JSONValue {
        switch type {
        case .text, .bytes, .decimal, .wallTime, .wallMoment, .partialDate, .dayOrPeriod, .zone:
            .members(("type", .string("string")))
        case .integer(let range):
            .members(("type", .string("integer")), ("minimum", .integer(range.lowerBound)))
        case .flag: .members(("type", .string("boolean")), ("description", .string("False if absent.")))
        case .day: .members(("type", .string("string")), ("format", .string("date")))
        case .instant: time
        case .id, .entry: identifier
        case .choice(let words): .members(("enum", .array(words.map { .string($0) })))
        case .group(let fields):
            .members(
                ("type", .string("object")),
                ("properties", .object(fields.map { .init($0.name, shown($0.type)) })),
                ("additionalProperties", .bool(false))
            )
        case .list(let element, _): .members(("type", .string("array")), ("items", shown(element)))
        }
    }
}

extension FieldType {
    fileprivate var isList: Bool {
        if case .list = self { true } else { false }
    }
}
