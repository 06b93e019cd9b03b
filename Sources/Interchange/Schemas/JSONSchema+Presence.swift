package import HealthModel

/// Rules for the presence of required fields.
extension JSONSchema {
    /// Returns the rules for each required field, including those within groups.
    ///
    /// A required field may be absent if `inferred` names it, and a field of a group also if the whole group is empty.
    static func presence(of field: Field, within groups: [Field] = []) -> [JSONValue] {
        let path = groups + [field]
        var rules: [JSONValue] = []
        if field.isRequired {
            let group = groups.isEmpty ? [] : [holding(groups.dropLast(), nothing(of: groups[groups.count - 1]))]
            rules.append(.members(("anyOf", .array([said(path[...]), guessed(path)] + group))))
        }
        if case .group(let fields) = field.type {
            rules += fields.flatMap { presence(of: $0, within: path) }
        }
        return rules
    }

    /// The rule that a change of a plan says from when on it applies.
    package static let planChange = JSONValue.members(
        (
            "allOf",
            .array([
                said([PlanFields.lastChange]), said([PlanFields.lastChange, PlanFields.Change.effective]),
            ])
        )
    )

    /// The rule that an entry of a kind says what it is about: in a field, in the comment or in a field of its source.
    package static func subject(of kind: Kind) -> JSONValue {
        let extra = JSONValue.members(
            ("required", .array([.string("extra")])),
            ("properties", .members(("extra", .members(("type", .string("object")), ("minProperties", .integer(1))))))
        )
        return .members(("anyOf", .array(kind.subjectFields.map(stated) + [visible("comment"), extra])))
    }

    /// Requires that a field has a value, and a text more than white space.
    private static func stated(_ field: Field) -> JSONValue {
        if case .text = field.type { return visible(field.name) }
        return .members(
            ("required", .array([.string(field.name)])),
            ("properties", .members((field.name, .members(("not", nothing(of: field))))))
        )
    }

    private static func visible(_ name: String) -> JSONValue {
        .members(
            ("required", .array([.string(name)])),
            ("properties", .members((name, .members(("type", .string("string")), ("pattern", .string("\\S"))))))
        )
    }

    /// The rule that the flag is not set or the other field is empty.
    static func exclusion(_ rule: Kind.Exclusion) -> JSONValue {
        let isNotSet = JSONValue.members(("not", .members(("const", .bool(true)))))
        return .members(
            (
                "anyOf",
                .array([
                    .members(("properties", .members((rule.flag.name, isNotSet)))),
                    .members(("properties", .members((rule.other.name, nothing(of: rule.other))))),
                ])
            )
        )
    }

    /// Requires that the field at a path is present and not empty.
    private static func said(_ path: ArraySlice<Field>) -> JSONValue {
        guard let field = path.first else { return notEmpty }
        return .members(
            ("required", .array([.string(field.name)])),
            ("properties", .members((field.name, said(path.dropFirst()))))
        )
    }

    private static func guessed(_ path: [Field]) -> JSONValue {
        let name = path.map(\.name).joined(separator: ".")
        return .members(
            ("required", .array([.string("inferred")])),
            (
                "properties",
                .members(
                    (
                        "inferred",
                        .members(("type", .string("array")), ("contains", .members(("const", .string(name)))))
                    )
                )
            )
        )
    }

    /// Requires that the member within nested groups satisfies `schema`, if it is present.
    private static func holding(_ groups: ArraySlice<Field>, _ schema: (name: String, JSONValue)) -> JSONValue {
        let inner = JSONValue.members(("properties", .members(schema)))
        guard let group = groups.last else { return inner }
        return holding(groups.dropLast(), (group.name, inner))
    }

    private static func nothing(of group: Field) -> (name: String, JSONValue) { (group.name, nothing(of: group)) }

    /// Matches a value that the journal treats as absent.
    private static func nothing(of field: Field) -> JSONValue {
        switch field.type {
        case .text, .choice, .wallTime, .wallMoment, .partialDate, .dayOrPeriod, .zone:
            return .members(("enum", .array([.null, .string("")])))
        case .decimal, .integer, .flag, .day, .instant, .id, .entry:
            return .members(("const", .null))
        case .bytes:
            return .members(("enum", .array([.null, .string("")])))
        case .list:
            return .members(("type", types("array", "null")), ("maxItems", .integer(0)))
        case .group(let fields):
            let properties = fields.map { JSONValue.Member($0.name, nothing(of: $0)) }
            return .members(("type", types("object", "null")), ("properties", .object(properties)))
        }
    }
}
