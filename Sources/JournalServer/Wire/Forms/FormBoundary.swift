import HealthJournal
import HealthModel
import Hummingbird

/// The boundary between the parts of a form (RFC 2046, section 5.1.1).
struct FormBoundary: Equatable {
    /// The boundary with the two hyphens before it.
    let delimiter: [UInt8]

    static let mediaType = "multipart/form-data"

    init(_ text: String) throws(JournalError) {
        let bytes = Array(text.utf8)
        guard (1...70).contains(bytes.count), bytes.allSatisfy(FormBoundary.signs.contains), bytes.last != Byte.space
        else {
            throw JournalError(
                .invalid,
                field: "Content-Type",
                "must contain a boundary of 1 to 70 permitted characters (RFC 2046)"
            )
        }
        delimiter = [Byte.hyphen, Byte.hyphen] + bytes
    }

    private static let signs = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'()+_,-./:=? ".utf8)
}

extension Request {
    /// The boundary of the form in the request's body; throws if the body is not a form.
    func requireForm() throws -> FormBoundary {
        try requireMediaType([FormBoundary.mediaType])
        do {
            return try FormBoundary(HeaderValue(headers[.contentType] ?? "")["boundary"] ?? "")
        } catch {
            throw JournalError(error.code, field: "Content-Type", error.text)
        }
    }
}
