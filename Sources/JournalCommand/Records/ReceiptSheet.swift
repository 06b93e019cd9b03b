import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import Platform

/// Writes a receipt to a file or to the standard output.
struct ReceiptSheet {
    let record: UUID
    let position: UInt64
    /// The destination file; nil for the standard output.
    let file: OutputFile?

    /// Prints that the erasure is done, and writes its receipt; if that fails, explains how to get the receipt later.
    func give(_ session: Session, _ receipt: () async throws -> Receipt) async throws {
        let output = session.output
        output.note("the record \(record.text) is erased (position \(position))")
        let text: String
        do {
            text = try await receipt().text
            try file?.write(Array(text.utf8))
        } catch {
            output.note("its receipt could not be written; try: healthjournal record receipt \(record.text)")
            throw error
        }
        if output.isJSON {
            output.json(
                .object([
                    .init("position", .integer(position)), .init("record", .string(record.text)),
                    .init("receipt", .string(text)),
                ]),
                .compact
            )
        } else if let file {
            output.note("wrote the receipt \(file.path)")
        } else {
            output.data(text)
        }
    }
}
