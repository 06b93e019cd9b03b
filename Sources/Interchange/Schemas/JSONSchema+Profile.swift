package import HealthModel

/// Profiles, and the parts that descriptions of requests and answers are put together from.
extension JSONSchema {
    /// What a request says of a record: nulls take values away.
    package static func profile(of subject: Subject) -> JSONValue {
        [
            "type": "object",
            "properties": .object(profileMembers(of: subject)),
            "additionalProperties": false,
        ]
    }

    /// The same as it is answered, with what was guessed and what no field has.
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

    /// An id, written in full.
    package static var identifier: JSONValue { id }
    /// A recorded time.
    package static var time: JSONValue { moment("string") }
    /// A date, or null for none.
    package static var date: JSONValue { day }
    /// The number of an event in the log.
    package static var position: JSONValue { ["type": "integer", "minimum": 1] }

    /// A text without control characters.
    package static func plainText(maximum: Int) -> JSONValue { text(maximum: maximum, "string") }

    /// The same of one line, as names have it.
    package static func lineText(maximum: Int) -> JSONValue { name(maximum: maximum) }

    /// A schema that is a part of another document, which names it.
    package static func part(_ schema: JSONValue) -> JSONValue {
        guard case .object(let members) = schema else { return schema }
        return .object(members.filter { !["$schema", "$id"].contains($0.name) })
    }
}
