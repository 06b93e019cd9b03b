internal import EventLog
package import FoundationEssentials
internal import HealthModel
package import JournalCore
internal import JournalEvents
internal import MedicalRecords

/// A whole record, as it was shown to one reader.
package enum WholeAnswer: Sendable {
    case rendered(RenderedAnswer)
    /// The record is long, so it is to be written in parts.
    case inParts(ExportedRecord)
}

extension Journal.Exports {
    /// Reads a whole record in the form that `render` produces, or in parts if it has more than
    /// ``Journal/Records/maximumEntriesInMemory`` entries.
    ///
    /// `enter` reserves a slot for an answer in parts. If it throws, nothing is shown and nothing is recorded.
    package func readWhole(
        _ record: UUID,
        _ options: ReadOptions,
        _ caller: Caller,
        enter: () throws(JournalError) -> Void,
        render: (RecordAnswer) -> [UInt8]
    ) async throws(JournalError) -> WholeAnswer {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .reading(options, .read), on: record)
            let question = QueryKey(form: .record, options: options, right: admission.right, scope: admission.scope)
            if let kept = try journal.records.kept(admission, options, question) {
                return .rendered(try await journal.records.traced(kept, admission, options, caller))
            }
            let position = try journal.log.position(asOf: options.asOf)
            if try journal.medicalRecords.hasMore(
                than: Journal.Records.maximumEntriesInMemory,
                of: record,
                asOf: position,
                journal.records.selection(admission, options)
            ) {
                try enter()
                return .inParts(try await export(admission, options, asOf: position, by: caller))
            }
            let rendered = try journal.records.rendered(admission, options, question, render)
            return .rendered(try await journal.records.traced(rendered, admission, options, caller))
        }
    }
}
