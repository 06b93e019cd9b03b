import HTTPTypes
import HealthModel
import Hummingbird
import Interchange
import NIOConcurrencyHelpers
import NIOCore

/// What a request may bring, and how long it may take.
enum BodyLimits {
    static let jsonBytes = 2 << 20
    /// Of somebody of whom nothing is known yet: a thousand who never finish must not fill the memory.
    static let strangersBytes = 16 << 10
    static let duration: Duration = .seconds(30)
    /// A form with a file, all of it: it is held in memory until the file is sealed.
    static let formBytes = 32 << 20
    static let formParts = 64
    /// The header of one part of a form.
    static let partHeadBytes = 8 << 10
    /// Forms that are taken in at once, of one account and of all.
    static let formsPerAccount = 2
    static let forms = 4
    /// What a line brings in a second that is not slow.
    private static let bytesPerSecond = 128 << 10

    /// How long a body of a size may take.
    static func duration(of bytes: Int) -> Duration { duration + .seconds(bytes / bytesPerSecond) }
}

extension Request {
    /// The size of the body, where the request tells it.
    private var length: Int? { headers.value(of: .contentLength).flatMap(Int.init) }

    /// Refuses a body that says of itself that it is larger than a limit.
    func requireLength(atMost limit: Int) throws {
        if let length, length > limit { throw Problem.tooLarge(limit) }
    }

    /// A form, which may take as long as its size allows.
    func formBytes() async throws -> [UInt8] {
        let limit = BodyLimits.formBytes
        return try await bytes(atMost: limit, within: BodyLimits.duration(of: min(length ?? limit, limit)))
    }

    /// The whole body, refused when it is larger than a limit or takes too long to come.
    func bytes(
        atMost limit: Int = BodyLimits.jsonBytes,
        within duration: Duration = BodyLimits.duration
    ) async throws -> [UInt8] {
        try requireLength(atMost: limit)
        let body = body
        let buffer = try await withThrowingTaskGroup(of: ByteBuffer?.self) { group in
            let isThere = NIOLockedValueBox(false)
            // Most bodies come together with their head: they are read at once, and no clock is set.
            group.addImmediateTask {
                let buffer = try await body.collect(upTo: limit)
                isThere.withLockedValue { $0 = true }
                return buffer
            }
            if !isThere.withLockedValue({ $0 }) {
                group.addTask {
                    try await Task.sleep(for: duration)
                    return nil
                }
            }
            defer { group.cancelAll() }
            return try await group.next().flatMap(\.self)
        }
        guard let buffer else {
            throw Problem("slow", .requestTimeout, "the request's body did not come within \(duration)")
        }
        return Array(buffer.readableBytesView)
    }

    /// The media type of the body, without its parameters.
    var mediaType: String {
        guard let value = headers.value(of: .contentType) else { return "" }
        // As nearly all write it.
        if value == "application/json" { return value }
        return value.prefix { $0 != ";" }.lowercased().trimming(\.isWhitespace)
    }

    func requireMediaType(_ types: [String]) throws {
        guard types.contains(mediaType) else {
            throw Problem(
                "media-type",
                .unsupportedMediaType,
                "must be \(types.joined(separator: " or "))",
                field: "Content-Type"
            )
        }
    }
}

extension Problem {
    static func tooLarge(_ limit: Int) -> Problem {
        Problem("too-large", .contentTooLarge, "the request's body is larger than \(limit) bytes")
    }
}
