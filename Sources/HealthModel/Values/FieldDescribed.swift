/// A profile or settings, which are stored as a whole and described by fields.
///
/// The command line, JSON, its schema and the forms are derived from the fields.
package protocol FieldDescribed: Hashable, Sendable {
    static var fields: [Field] { get }
    /// The values of the fields; a field without a value is absent.
    var values: FieldValues { get }
    /// Creates it from the values of the fields; an absent value is the default.
    init(values: FieldValues)
    /// Throws an error that names the field if a value contradicts another one.
    func check() throws(ModelError)
}

extension FieldDescribed {
    package func check() throws(ModelError) {}

    /// Throws an error that names the field if a value is invalid.
    package func validate(now: Instant) throws(ModelError) {
        try values.validate(as: Self.fields, inferred: [], now: now)
        try check()
    }

    /// Sets a field such as `quiet.from` from text; empty text restores the default.
    package mutating func set(_ path: String, text: String) throws(ModelError) {
        var values = values
        try values.set(path, text: text, in: Self.fields)
        self = Self(values: values)
    }
}

extension FieldValues {
    /// The time of day in a field; nil if the field is absent or contains something else.
    func wallTime(_ field: Field) -> WallTime? { text(field).flatMap { try? WallTime(parsing: $0) } }
}
