import Foundation
import HealthModel

/// An id as a person types it: whole, or its beginning.
struct Identifier {
    static let shortest = 8

    /// Hex digits in lower case without dashes.
    private let digits: String

    var isWhole: Bool { digits.count == 32 }

    /// Nil where the text cannot be the beginning of an id.
    init?(_ text: String) {
        let digits = text.lowercased().filter { $0 != "-" }
        guard (Identifier.shortest...32).contains(digits.count), digits.allSatisfy({ "0123456789abcdef".contains($0) })
        else { return nil }
        self.digits = digits
    }

    func matches(_ id: UUID) -> Bool {
        id.text.filter { $0 != "-" }.hasPrefix(digits)
    }
}

extension UUID {
    /// As much of an id as a person needs to tell it from others.
    var short: String { String(text.prefix(Identifier.shortest)) }
}
