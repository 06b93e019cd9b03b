package import HealthModel

/// Schemas of profiles, and building blocks for the schemas of requests and responses.
extension JSONSchema {
    /// The schema of a profile in a request, in which null removes a value.
    package static func profile(of subject: Subject) -> JSONValue {
        [
            "type": "object",
            "properties": .object(profileMembers(of: subject)),
            "additionalProperties": false,
        ]
    }

    /// The schema of a profile in a response, with inferred names and extra fields.
    package static func shownProfile(of subject: Subject) -> JSONValue {
        let unsaid = commonMembers.filter { ["inferred", "extra"].contains($0.name) }
        return [
            "type": "object",
            "properties": .object(profileMembers(of: subject) + unsaid),
            "additionalProperties": false,
        ]
    }

    private static func profileMembers(of subject: Subject) -> [JSONValue.Member] {
        RecordProfile.fields(for: subject).map { .init($0.name, schema(of: $0)) }
    }

    /// A complete id.
    package static var identifier: JSONValue { id }
    /// A recorded time.
    package static var time: JSONValue { moment("string") }
    /// A time in a request; without `format`, as in `optionalMoment`.
    package static var sentTime: JSONValue { ["type": "string", "pattern": .string("^\(timePattern)$")] }
    /// The pattern of a time in a request, without its start and end.
    package static var sentTimePattern: String { timePattern }
    /// The pattern of a day and a time by the clock, without its start and end.
    package static var clockTimePattern: String { wallTimePattern }
    /// A date, or null for none.
    package static var date: JSONValue { day }
    /// A day, which is not null.
    package static var dayText: JSONValue {
        ["type": "string", "format": "date", "pattern": .string("^\(dayPattern)$")]
    }
    /// A position, a time or a day at which a query is evaluated, as text.
    package static var asOfText: JSONValue {
        [
            "type": "string",
            "pattern": .string("^(?:[0-9]{1,18}|\(dayPattern)(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9])?|\(timePattern))$"),
        ]
    }
    /// A day, a month or a year, which is not null.
    package static var partialDate: JSONValue { ["type": "string", "pattern": .string("^(?:\(partialDatePattern))$")] }
    /// The number of an event in the log.
    package static var position: JSONValue { ["type": "integer", "minimum": 1] }

    /// A text without control characters; may have several lines.
    package static func plainText(maximum: Int) -> JSONValue { text(maximum: maximum, "string") }

    /// A text like a name: without control characters and without CR LF line breaks.
    package static func lineText(maximum: Int) -> JSONValue { name(maximum: maximum) }

    /// A schema as a part of another document, without `$schema` and `$id`.
    ///
    /// It has no title either: generators of clients would name a type by it, and several schemas have the same title.
    package static func part(_ schema: JSONValue) -> JSONValue {
        guard case .object(let members) = schema else { return schema }
        return .object(members.filter { !["$schema", "$id", "title"].contains($0.name) })
    }
}
