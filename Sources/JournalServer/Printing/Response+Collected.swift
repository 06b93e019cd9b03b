import HTTPTypes
import Hummingbird
import NIOCore
import Platform

extension Response {
    /// Collects the whole body in memory.
    func collected() async throws -> [UInt8] {
        let parts = CollectedParts()
        try await body.write(CollectingWriter(parts: parts))
        return parts.bytes.withLock { $0 }
    }
}

private final class CollectedParts: Sendable {
    let bytes = Guarded<[UInt8]>([])
}

private struct CollectingWriter: ResponseBodyWriter {
    let parts: CollectedParts

    mutating func write(_ buffer: ByteBuffer) async throws {
        parts.bytes.withLock { $0 += Array(buffer.readableBytesView) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
