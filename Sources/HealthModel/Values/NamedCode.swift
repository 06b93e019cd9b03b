/// An enum whose raw values are stable codes of the stored form, and whose cases also have stable names.
package protocol NamedCode: CaseIterable, Comparable, RawRepresentable where RawValue == UInt8 {
    /// The name on the command line, in JSON and in the API; permanent, like the code.
    var name: String { get }
    /// The member of a JSON object, or the option, that contains the name.
    static var field: String { get }
}

extension NamedCode {
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
