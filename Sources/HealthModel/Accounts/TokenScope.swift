/// The most that a token permits; the rights of its account limit it further.
package enum TokenScope: Hashable, Sendable {
    case full
    case read
    /// Permits only to append: to one category of streams, or to any if `category` is nil.
    case append(category: String?)
    case audit
}

extension TokenScope: CustomStringConvertible {
    /// Parses `full`, `read`, `append`, `append:CATEGORY` or `audit`.
    package init(parsing text: String) throws(ModelError) {
        switch text {
        case "full": self = .full
        case "read": self = .read
        case "append": self = .append(category: nil)
        case "audit": self = .audit
        default:
            guard text.hasPrefix("append:"), text.utf8.count > 7, text.utf8.count <= 100 + 7,
                text.utf8.dropFirst(7).allSatisfy(\.isNameCharacter)
            else {
                throw ModelError(
                    .invalid,
                    field: "scope",
                    "must be full, read, append, append:CATEGORY or audit"
                )
            }
            self = .append(category: String(text.dropFirst(7)))
        }
    }

    package var description: String {
        switch self {
        case .full: "full"
        case .read: "read"
        case .append(let category): category.map { "append:\($0)" } ?? "append"
        case .audit: "audit"
        }
    }
}

extension UInt8 {
    /// Whether the byte may occur in a category of streams: an ASCII letter or digit, or one of `.-_/`.
    fileprivate var isNameCharacter: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || ".-_/".utf8.contains(self)
    }
}
