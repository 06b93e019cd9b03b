import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Imports an export of Apple Health into a new record.
public struct AppleWork: Sendable {
    /// The path of the export: the archive, or the document in it.
    public var document: String

    /// Creates the workload with an export.
    public init(document: String) { self.document = document }

    /// Runs the workload, and returns the measured values; the events are the records of the export.
    public func run(in folder: WorkFolder) async throws -> WorkResult {
        let journal = try await folder.createJournal()
        defer { journal.close() }
        let owner = try journal.accounts.caller(Journal.ownerName, source: .import)
        guard let record = try await journal.records.createRecord(RecordProfile(subject: .human), owner).record else {
            throw WorkError.wrongAnswer
        }
        let begin = ContinuousClock.now
        let export = try await journal.imports.readAppleHealth(document, into: record, owner)
        let read = ContinuousClock.now - begin
        let (reports, _) = try await journal.imports.take(export, into: record, isTrial: false, owner)
        let taken = ContinuousClock.now - begin
        guard reports.contains(where: { $0.added > 0 }) else { throw WorkError.wrongAnswer }
        return WorkResult("apple", events: export.report.records, in: taken)
            .with("read_seconds", read.seconds)
            .with("peak_mib", Double(ExchangeWork.peakKibibytes) / 1_024)
    }
}
