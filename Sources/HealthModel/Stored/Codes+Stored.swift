import SwiftProtobuf

/// An enum of the model with the same raw values as an enum of the stored form.
///
/// Tests check that the values of both are equal.
protocol StoredCode: RawRepresentable where RawValue == UInt8 {
    associatedtype Stored: SwiftProtobuf.Enum
    static var storedName: String { get }
}

extension StoredCode {
    var stored: Stored { Stored(rawValue: Int(rawValue)) ?? Stored() }

    init(stored: Stored) throws(ModelError) {
        guard let code = UInt8(exactly: stored.rawValue), let value = Self(rawValue: code) else {
            throw ModelError(
                .invalid,
                field: Self.storedName,
                "this program does not know \(Self.storedName) \(stored.rawValue); a newer one may have written it"
            )
        }
        self = value
    }

    static func all(stored: [Stored]) throws(ModelError) -> [Self] {
        var values: [Self] = []
        for code in stored { values.append(try Self(stored: code)) }
        return values
    }
}

extension Section: StoredCode {
    typealias Stored = StoredSection
    static var storedName: String { "section" }
}

extension AccountKind: StoredCode {
    typealias Stored = StoredAccountKind
    static var storedName: String { "account kind" }
}
