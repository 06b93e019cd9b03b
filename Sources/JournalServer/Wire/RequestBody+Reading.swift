import HTTPTypes
import HealthModel
import Hummingbird
import Interchange
import NIOCore

/// What a request may bring, and how long it may take.
enum BodyLimits {
    static let jsonBytes = 2 << 20
    /// Of somebody of whom nothing is known yet: a thousand who never finish must not fill the memory.
    static let strangersBytes = 16 << 10
    static let duration: Duration = .seconds(30)
}

extension Request {
    /// The whole body, refused when it is larger than a limit or takes too long to come.
    func bytes(atMost limit: Int = BodyLimits.jsonBytes) async throws -> [UInt8] {
        if let length = headers[.contentLength].flatMap(Int.init), length > limit {
            throw Problem.tooLarge(limit)
        }
        let body = body
        let buffer = try await withThrowingTaskGroup(of: ByteBuffer?.self) { group in
            group.addTask { try await body.collect(upTo: limit) }
            group.addTask {
                try await Task.sleep(for: BodyLimits.duration)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next().flatMap(\.self)
        }
        guard let buffer else {
            throw Problem("slow", .requestTimeout, "the request's body did not come within \(BodyLimits.duration)")
        }
        return Array(buffer.readableBytesView)
    }

    /// The media type of the body, without its parameters.
    var mediaType: String {
        (headers[.contentType] ?? "").prefix { $0 != ";" }.lowercased().trimming(\.isWhitespace)
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
