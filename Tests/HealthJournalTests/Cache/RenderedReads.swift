import Foundation
import HealthJournal
import HealthModel
import Interchange
import Platform

@testable import JournalCore

/// Reads records through the cache, as the service does, and counts how often an answer is rendered.
final class RenderedReads: Sendable {
    private let renderings = Guarded(0)

    var count: Int { renderings.withLock { $0 } }

    func read(
        _ record: UUID,
        _ journal: Journal,
        _ caller: Caller,
        _ options: ReadOptions = ReadOptions(),
        as form: AnswerForm = .record
    ) async throws(JournalError) -> String {
        let answer = try await journal.records.read(record, options, as: form, caller) { answer in
            renderings.withLock { $0 += 1 }
            return RenderedReads.bytes(answer, form)
        }
        return String(decoding: answer.bytes, as: UTF8.self)
    }

    /// Reads without the cache.
    func fresh(
        _ record: UUID,
        _ journal: Journal,
        _ caller: Caller,
        _ options: ReadOptions = ReadOptions(),
        as form: AnswerForm = .record
    ) async throws(JournalError) -> String {
        let answer = try await journal.records.read(record, options, caller)
        return String(decoding: RenderedReads.bytes(answer, form), as: UTF8.self)
    }

    private static func bytes(_ answer: RecordAnswer, _ form: AnswerForm) -> [UInt8] {
        switch form {
        case .entries: JSONWriter.bytes(.array(answer.state.entries.map(NativeDocument.entry)))
        case .record, .fhir: JSONWriter.bytes(.object(NativeDocument.members(of: answer.state)))
        }
    }
}
