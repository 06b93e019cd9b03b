import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Imports a document of FHIR R4, and exports what it became.
public struct ExchangeWork: Sendable {
    /// The path of the document.
    public var document: String
    /// Whether nothing is imported, and only the report is made.
    public var isTrial = false

    /// Creates the workload with a document.
    public init(document: String) { self.document = document }

    /// Runs the workload, and returns the measured values.
    public func run(in folder: WorkFolder) async throws -> WorkResult {
        let journal = try await folder.createJournal()
        defer { journal.close() }
        let owner = try journal.accounts.caller(Journal.ownerName, source: .import)
        let begin = ContinuousClock.now
        let (documents, size, digest) = try read(journal.imports.fhirOptions(isTrial: isTrial))
        let read = ContinuousClock.now - begin
        let reports = try await journal.imports.take(consume documents, digest: digest, isTrial: isTrial, owner)
        let taken = ContinuousClock.now - begin
        let resources = reports.reduce(0) { $0 + $1.added }
        guard resources > 0 else { throw WorkError.wrongAnswer }
        let mebibyte = 1_048_576.0
        var result = WorkResult("exchange", events: resources, in: taken)
            .with("read_seconds", read.seconds)
            .with("peak_mib", Double(Self.peakKibibytes) / 1_024)
            .with("document_mib", Double(size) / mebibyte)
        if !isTrial {
            let begin = ContinuousClock.now
            var length = 0
            for report in reports {
                let exported = try await journal.exports.export(report.record, ReadOptions(), by: owner)
                try await exported.writeFHIR(as: .collection) { part in length += part.count }
            }
            result = result.with("export_seconds", (ContinuousClock.now - begin).seconds)
                .with("export_mib", Double(length) / mebibyte)
        }
        return result
    }

    /// Reads the document, whose bytes are not kept.
    private func read(_ options: FHIROptions) throws -> (records: [ImportedRecord], size: Int, digest: String) {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: document)))
        return (try FHIRDocument.read(bytes, options: options), bytes.count, BlobStore.digest(of: bytes))
    }

    /// The peak of the memory of this process, in KiB.
    static var peakKibibytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
