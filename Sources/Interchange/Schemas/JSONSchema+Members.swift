import HealthModel

/// The members that every entry has besides the fields of its kind.
extension JSONSchema {
    static let commonMembers: [JSONValue.Member] = [
        .init(
            "date",
            occurred.noting("When it happened: a date, a month, a year, or a time with its offset (RFC 3339).")
        ),
        .init("comment", text(maximum: Limits.paragraphs).noting("A comment.")),
        .init("voiceEntryUsed", .members(("type", types("boolean", "null")))),
        .init(
            "inferred",
            .members(
                (
                    "description",
                    .string("Names of fields whose value was guessed; a required one may then be left out.")
                ),
                ("type", types("array", "null")),
                ("maxItems", .integer(Limits.inferred)),
                ("items", nameOfField)
            )
        ),
        .init(
            "extra",
            .members(
                ("description", .string("Other fields of the source, stored so that an export contains them.")),
                ("type", types("object", "null")),
                ("maxProperties", .integer(Limits.extras)),
                ("propertyNames", nameOfField)
            )
        ),
    ]

    /// The journal's metadata of an entry; read-only, because clients cannot set it.
    static let journalMembers: [JSONValue.Member] = {
        let members: [JSONValue.Member] = [
            .init("id", id), .init("addedAt", moment("string")), .init("addedBy", id),
            .init("correctedAt", moment("string")), .init("correctedBy", id),
            .init("retractedAt", moment("string", "null")),
            .init("position", .members(("type", .string("integer")), ("minimum", .integer(1)))),
        ]
        return members.map { .init($0.name, $0.value.adding("readOnly", .bool(true))) }
    }()

    static let id = JSONValue.members(
        ("type", .string("string")),
        ("format", .string("uuid")),
        ("pattern", .string("^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"))
    )

    static let dayPattern = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
    /// A day, or a day and a time by the clock.
    static let wallMomentPattern = "\(dayPattern)(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9])?"
    /// A day and a time by the clock.
    static let wallTimePattern = "\(dayPattern)T(?:[01][0-9]|2[0-3]):[0-5][0-9]"
    static let partialDatePattern = "[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?"
    static let timePattern = "\(dayPattern)\(clockPattern)"
    private static let clockPattern =
        "[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"

    static func moment(_ names: String...) -> JSONValue {
        .members(
            ("type", types(names)),
            ("format", .string("date-time")),
            ("pattern", .string("^\(dayPattern)\(clockPattern)$"))
        )
    }

    /// A time or null; without `format`, because a validator's `format` may reject notations that the journal accepts.
    static let optionalMoment = JSONValue.members(
        ("type", types("string", "null")),
        ("pattern", .string("^\(dayPattern)\(clockPattern)$"))
    )

    static let day = JSONValue.members(
        ("type", types("string", "null")),
        ("format", .string("date")),
        ("pattern", .string("^\(dayPattern)$"))
    )

    /// A day, a month, a year or a time; an empty text counts as absent.
    private static let occurred = occurred("string", "null")

    /// A day, a month, a year or a time in a form, which has no null.
    package static let occurredText = occurred("string")

    private static func occurred(_ names: String...) -> JSONValue {
        .members(
            ("type", types(names)),
            ("pattern", .string("^(?:[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?|\(dayPattern)(?:\(clockPattern))?)?$"))
        )
    }

    static func types(_ names: String...) -> JSONValue { types(names) }

    private static func types(_ names: [String]) -> JSONValue {
        names.count == 1 ? .string(names[0]) : .array(names.map { .string($0) })
    }
}

extension JSONValue {
    static func members(_ members: (String, JSONValue)...) -> JSONValue {
        .object(members.map { Member($0.0, $0.1) })
    }

    /// Returns the schema with a description as its first member.
    func noting(_ description: String) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object([Member("description", .string(description))] + members)
    }

    func adding(_ name: String, _ value: JSONValue) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members + [Member(name, value)])
    }
}
