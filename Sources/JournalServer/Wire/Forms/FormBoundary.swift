import HealthJournal
import Hummingbird

/// What stands between the parts of a form (RFC 2046, section 5.1.1).
struct FormBoundary: Equatable {
    /// With the hyphens before it.
    let delimiter: [UInt8]

    static let mediaType = "multipart/form-data"

    init(_ text: String) throws(JournalError) {
        let bytes = Array(text.utf8)
        guard (1...70).contains(bytes.count), bytes.allSatisfy(FormBoundary.signs.contains), bytes.last != Byte.space
        else {
            throw JournalError(
                .invalid,
                field: "Content-Type",
                "must name a boundary of 1 to 70 signs that are allowed in one (RFC 2046)"
            )
        }
        delimiter = [Byte.hyphen, Byte.hyphen] + bytes
    }

    private static let signs = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'()+_,-./:=? ".utf8
    )
}

extension Request {
    /// What stands between the parts of the form that the request brings.
    func requireForm() throws -> FormBoundary {
        try requireMediaType([FormBoundary.mediaType])
        do {
            return try FormBoundary(HeaderValue(headers[.contentType] ?? "")["boundary"] ?? "")
        } catch {
            throw JournalError(error.code, field: "Content-Type", error.message)
        }
    }
}
