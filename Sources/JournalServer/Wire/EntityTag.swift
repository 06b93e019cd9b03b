import HTTPTypes
import Hummingbird

/// The state of a record or an entry: the position of its last change.
struct EntityTag {
    let version: UInt64

    var text: String { "\"\(version)\"" }
}

extension Request {
    /// The state that the client has seen, if it says so.
    ///
    /// A tag that this service never made matches nothing.
    func expectedVersion() throws -> UInt64? {
        guard let value = headers[.ifMatch]?.trimming(\.isWhitespace), value != "*" else { return nil }
        guard !value.contains(",") else {
            throw Problem("invalid", .badRequest, "takes one entity tag", field: "If-Match")
        }
        guard value.count > 2, value.hasPrefix("\""), value.hasSuffix("\""),
            let version = UInt64(value.dropFirst().dropLast())
        else { return UInt64.max }
        return version
    }

    /// Whether the client holds that state already.
    func holds(_ version: UInt64) -> Bool {
        guard let value = headers[.ifNoneMatch] else { return false }
        return value.split(separator: ",")
            .contains { tag in
                let tag = String(tag).trimming(\.isWhitespace)
                return tag == EntityTag(version: version).text || tag == "W/" + EntityTag(version: version).text
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
