import HTTPTypes
import HealthModel
import Hummingbird
import Interchange
import NIOCore
import Platform

/// Limits on the sizes of request bodies, and on the time in which they must arrive.
enum BodyLimits {
    static let jsonBytes = 2 << 20
    /// For unauthenticated clients: a thousand requests that never finish must not fill the memory.
    static let strangersBytes = 16 << 10
    static let duration: Duration = .seconds(30)
    /// A whole form with a file; it is held in memory until the file is sealed.
    static let formBytes = 32 << 20
    static let formParts = 64
    /// The header of one part of a form.
    static let partHeadBytes = 8 << 10
    /// Forms that are processed at once, of one account and in total.
    static let formsPerAccount = 2
    static let forms = 4
    /// The lowest transfer rate that is allowed, in bytes a second.
    private static let bytesPerSecond = 128 << 10

    /// The time in which a body of a size must arrive.
    static func duration(of bytes: Int) -> Duration { duration + .seconds(bytes / bytesPerSecond) }
}

extension Request {
    /// The size of the body, if the request states it.
    private var length: Int? { headers.value(of: .contentLength).flatMap(Int.init) }

    /// Rejects a body whose stated size exceeds a limit.
    func requireLength(atMost limit: Int) throws {
        if let length, length > limit { throw Problem.tooLarge(limit) }
    }

    /// Reads a form; the time limit grows with the stated size.
    func formBytes() async throws -> [UInt8] {
        let limit = BodyLimits.formBytes
        return try await bytes(atMost: limit, within: BodyLimits.duration(of: min(length ?? limit, limit)))
    }

    /// Reads the whole body; throws if it exceeds the size limit or the time limit.
    func bytes(
        atMost limit: Int = BodyLimits.jsonBytes,
        within duration: Duration = BodyLimits.duration
    ) async throws -> [UInt8] {
        try requireLength(atMost: limit)
        let body = body
        let buffer = try await withThrowingTaskGroup(of: ByteBuffer?.self) { group in
            let isThere = Guarded(false)
            // Most bodies arrive together with their head: they are read at once, without a timer.
            group.addImmediateTask {
                let buffer = try await body.collect(upTo: limit)
                isThere.withLock { $0 = true }
                return buffer
            }
            if !isThere.withLock({ $0 }) {
                group.addTask {
                    try await Task.sleep(for: duration)
                    return nil
                }
            }
            defer { group.cancelAll() }
            return try await group.next().flatMap(\.self)
        }
        guard let buffer else {
            throw Problem("slow", .requestTimeout, "the request's body did not arrive within \(duration)")
        }
        return Array(buffer.readableBytesView)
    }

    /// The media type of the body, without its parameters.
    var mediaType: String {
        guard let value = headers.value(of: .contentType) else { return "" }
        // Fast path for the usual spelling.
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
