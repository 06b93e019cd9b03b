/// Why the model refused a value or a command.
///
/// Never holds a value, only the name of its field.
package struct ModelError: Error, Hashable, Sendable {
    package enum Code: String, Sendable {
        case invalid
        case conflict
        case notFound
    }

    package let code: Code
    /// The path of the field at fault, as `vet.email` or `weightEntries[3].weightKg`, if one is.
    package let field: String?
    /// What was wrong and what to do, for the person who reads it.
    package let message: String

    package init(_ code: Code, field: String? = nil, _ message: String) {
        self.code = code
        self.field = field
        self.message = message
    }
}

extension ModelError: CustomStringConvertible {
    package var description: String {
        field.map { "\($0): \(message)" } ?? message
    }
}
