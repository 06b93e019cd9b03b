import Foundation
import HealthModel

/// An id as the user types it: complete, or a prefix.
struct Identifier {
    static let shortest = 8

    /// Hex digits in lower case without dashes.
    private let digits: String

    var isWhole: Bool { digits.count == 32 }

    /// Nil if the text cannot be an id or a prefix of at least `shortest` characters.
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
