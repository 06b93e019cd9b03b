internal import EventLog
package import FoundationEssentials
package import JournalCore

// The time zones are in Foundation, not in FoundationEssentials.
internal import Foundation
internal import HealthModel
package import Interchange
internal import JournalEvents
internal import MedicalRecords

/// What to do with a CSV file.
package struct CSVRequest: Sendable {
    package var bytes: [UInt8]
    package var record: UUID
    /// Nil to recognize the file by its columns, by a mapping of an earlier import into the record before a built-in one.
    package var mapping: CSVMapping?
    /// What the sender says of the numbers and dates of the file, instead of the mapping.
    package var decimal: UInt8?
    package var datePattern: CSVDatePattern?

    package init(_ bytes: [UInt8], into record: UUID, as mapping: CSVMapping? = nil) {
        (self.bytes, self.record, self.mapping) = (bytes, record, mapping)
    }
}

extension Journal.Imports {
    /// Reads a CSV file for a record, and appends nothing.
    ///
    /// The faults of its lines are part of the result. Throws if the caller may not import into the record, if the file
    /// cannot be divided into lines, or if no mapping fits its columns.
    package func read(_ request: CSVRequest, isTrial: Bool, _ caller: Caller) async throws(JournalError) -> CSVDocument
    {
        try await journal.retrying {
            try await admitTable(request, caller)
            var options = CSVOptions(
                now: journal.now,
                zone: journal.zone,
                namespace: try journal.imports.namespaces(of: "csv", isTrial: isTrial).entries(request.record)
            ) { TimeZone(identifier: $0) }
            options.decimal = request.decimal
            options.datePattern = request.datePattern
            if let mapping = request.mapping {
                return try CSVDocument(request.bytes, as: mapping, options: options)
            }
            if CSVTable.isTable(request.bytes) {
                let entries =
                    try journal.contents(for: .importing).record(request.record, asOf: journal.log.head())?.entries
                    ?? []
                let known = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
                return try CSVTable.read(request.bytes, known: known, options: options)
            }
            guard let mapping = try mapping(for: request) else {
                let names = CSVMapping.builtIn.map(\.source).joined(separator: ", ")
                throw ModelError(
                    .invalid,
                    "has columns that no known mapping fits: give a mapping, or one of \(names) by its name"
                )
            }
            return try CSVDocument(request.bytes, as: mapping, options: options)
        }
    }

    /// Returns the columns of a file if a person has to say what they contain: no mapping is given, and none is known.
    ///
    /// Throws like ``read(_:isTrial:_:)``.
    package func unknownColumns(of request: CSVRequest, _ caller: Caller) async throws(JournalError) -> CSVColumns? {
        try await journal.retrying {
            try await admitTable(request, caller)
            guard request.mapping == nil, !CSVTable.isTable(request.bytes), try mapping(for: request) == nil else {
                return nil
            }
            return try CSVColumns(request.bytes)
        }
    }

    private func admitTable(_ request: CSVRequest, _ caller: Caller) async throws {
        try await journal.access.admit(caller, to: .importRecords)
        _ = try await journal.access.admit(caller, to: .manage, on: request.record)
        guard request.bytes.count <= CSVDocument.maximumBytes else {
            throw ModelError(.invalid, "is larger than \(CSVDocument.maximumBytes >> 20) MiB: split the file")
        }
    }

    /// Returns the mapping that the columns of a file fit: the one of the latest import into the record that is not undone,
    /// or a built-in one.
    private func mapping(for request: CSVRequest) throws -> CSVMapping? {
        let names = try CSVMapping.columnNames(request.bytes)
        for recorded in try recordedImports(into: request.record) where recorded.import.undone == nil {
            guard let text = recorded.mapping,
                let mapping = try? CSVMapping(JSONReader.read(Array(text.utf8))), mapping.fitsExactly(names)
            else { continue }
            return mapping
        }
        return CSVMapping.builtIn(for: names)
    }
}
