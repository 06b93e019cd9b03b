/// The error that the model throws when it refuses a value or a command.
///
/// It contains the name of the field, never the value that was given.
package struct ModelError: Error, Hashable, Sendable {
    package enum Code: String, Sendable {
        case invalid
        case conflict
        /// The rules of a plan contradict each other, or a change reaches into the past.
        case scheduleConflict
        /// The time of a specialist, a room or a patient is taken.
        case slotTaken
        case notFound
    }

    package let code: Code
    /// The path of the invalid field, such as `vet.email` or `weightEntries[3].weightKg`; nil if no field is invalid.
    package let field: String?
    /// The problem and how to correct it, for the user.
    package let text: Message

    package init(_ code: Code, field: String? = nil, _ text: Message) {
        self.code = code
        self.field = field
        self.text = text
    }

    /// The problem and how to correct it, in English.
    package var message: String { text.description }
}

extension ModelError: CustomStringConvertible {
    package var description: String {
        field.map { "\($0): \(message)" } ?? message
    }
}
