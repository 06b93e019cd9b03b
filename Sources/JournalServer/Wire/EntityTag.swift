import HTTPTypes
import HealthModel
import Hummingbird

/// The entity tag of a record or an entry: the position of its last change.
struct EntityTag {
    let version: UInt64

    var text: String { "\"\(version)\"" }
}

extension Request {
    /// The version that the client expects (`If-Match`); nil without the header and for `*`.
    ///
    /// A tag that this service never issued, or a weak one, matches no version.
    func expectedVersion() throws -> UInt64? {
        guard let value = headers[.ifMatch]?.trimming(\.isWhitespace), value != "*" else { return nil }
        guard !value.contains(",") else {
            throw Problem("invalid", .badRequest, "must contain exactly one entity tag", field: "If-Match")
        }
        let tag = value.hasPrefix("W/") ? value.dropFirst(2) : value[...]
        guard tag.count > 1, tag.hasPrefix("\""), tag.hasSuffix("\"") else {
            throw Problem("invalid", .badRequest, "must be an entity tag in quotes, or *", field: "If-Match")
        }
        return tag.startIndex == value.startIndex ? UInt64(tag.dropFirst().dropLast()) ?? .max : .max
    }

    /// Whether the client already has the version (`If-None-Match`).
    func holds(_ version: UInt64) -> Bool { holds(EntityTag(version: version).text) }

    /// Whether the client already has the content with an entity tag, which includes its quotes.
    func holds(_ entityTag: String) -> Bool {
        guard let value = headers[.ifNoneMatch] else { return false }
        return value.split(separator: ",")
            .contains { tag in
                let tag = String(tag).trimming(\.isWhitespace)
                return tag == entityTag || tag == "W/" + entityTag
            }
    }
}

extension String {
    func trimming(_ isTrimmed: (Character) -> Bool) -> String {
        guard let first = firstIndex(where: { !isTrimmed($0) }), let last = lastIndex(where: { !isTrimmed($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
