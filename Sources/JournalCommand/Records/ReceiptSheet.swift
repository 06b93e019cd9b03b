import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// A receipt on its way to a file or the screen.
struct ReceiptSheet {
    let record: UUID
    let position: UInt64

    /// The erasure is done whatever becomes of its receipt: where that fails, it is said how to get it later.
    func give(_ session: Session, to path: String?, _ receipt: () async throws -> Receipt) async throws {
        let output = session.output
        output.note("the record \(record.text) is erased (position \(position))")
        let text: String
        do {
            text = try await receipt().text
            if let path { try OutputFile.write(Array(text.utf8), to: path) }
        } catch {
            output.note("its receipt could not be given; try: healthjournal record receipt \(record.text)")
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
        } else if let path {
            output.note("wrote the receipt \(path)")
        } else {
            output.data(text)
        }
    }
}
