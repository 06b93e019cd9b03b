import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import Platform

/// Writes a receipt to a file or to the standard output.
struct ReceiptSheet {
    let record: UUID
    /// The entry that was erased; nil for the whole record.
    var entry: UUID?
    let position: UInt64
    /// The destination file; nil for the standard output.
    let file: OutputFile?

    /// Prints that the erasure is done, and writes its receipt; if that fails, explains how to get the receipt later.
    func give(_ session: Session, _ receipt: () async throws -> Receipt) async throws {
        let output = session.output
        let what = entry.map { "entry \($0.text)" } ?? "record \(record.text)"
        output.note("the \(what) is erased (position \(position))")
        let text: String
        do {
            text = try await receipt().text
            try file?.write(Array(text.utf8))
        } catch {
            let option = entry.map { " --entry \($0.text)" } ?? ""
            output.note("its receipt could not be written; try: healthjournal record receipt \(record.text)\(option)")
            throw error
        }
        if output.isJSON {
            output.json(
                .present([
                    "position": .integer(position), "record": .string(record.text),
                    "entry": entry.map { .string($0.text) }, "receipt": .string(text),
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
