import AsyncAlgorithms
import HealthJournal
import Hummingbird
import NIOCore

extension ResponseBody {
    /// A body that `write` produces in parts; each part is produced after the client has accepted the one before.
    ///
    /// If producing a part fails, the connection is closed before the end, so that the client does not mistake the
    /// beginning for the whole.
    init(parts write: @escaping @Sendable (ExportedRecord.Sink) async throws -> Void) {
        self.init { writer in try await ResponseBody.send(write, &writer) }
    }

    @concurrent private static func send(
        _ write: @escaping @Sendable (ExportedRecord.Sink) async throws -> Void,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        let parts = AsyncThrowingChannel<ByteBuffer, any Error>()
        try await withThrowingTaskGroup { group in
            group.addTask {
                do {
                    try await write { await parts.send(ByteBuffer(bytes: $0)) }
                    parts.finish()
                } catch {
                    parts.fail(error)
                }
            }
            // Cancels the producer if the client disconnects.
            defer { group.cancelAll() }
            for try await part in parts { try await writer.write(part) }
        }
        try await writer.finish(nil)
    }
}
