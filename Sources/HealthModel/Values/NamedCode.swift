/// An enum whose raw values are stable codes of the stored form, and whose cases also have stable names.
package protocol NamedCode: CaseIterable, Comparable, RawRepresentable where RawValue == UInt8 {
    /// The name in JSON and in the API; permanent, like the code.
    var name: String { get }
    /// The word that people read and type on the command line; `name` unless it has one of its own.
    var word: String { get }
    /// The member of a JSON object, or the option, that contains the name.
    static var field: String { get }
}

extension NamedCode {
    package var word: String { name }

    /// Creates the case with a word or a name that a person typed; throws for another one.
    package init(typed text: String) throws(ModelError) {
        guard let value = Self.allCases.first(where: { $0.word == text.lowercased() || $0.name == text }) else {
            let words = Self.allCases.map(\.word).joined(separator: ", ")
            throw ModelError(.invalid, field: Self.field, "must be one of \(words)")
        }
        self = value
    }

    /// Orders the cases by their codes.
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Creates the case with a name; throws for an unknown name.
    package init(named name: String) throws(ModelError) {
        guard let value = Self.allCases.first(where: { $0.name == name }) else {
            let names = Self.allCases.map(\.name).joined(separator: ", ")
            throw ModelError(.invalid, field: Self.field, "must be one of \(names)")
        }
        self = value
    }
}
