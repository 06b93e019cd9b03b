internal import EventLog
internal import HealthModel
package import Interchange
internal import JournalCore

extension ExportedRecord {
    /// Receives one part of a document; the next part is produced when it returns.
    package typealias Sink = ([UInt8]) async throws -> Void

    /// The size at which a part is passed on, in bytes.
    static let partLength = 64 << 10

    /// Writes the whole record as a document in the journal's own format.
    ///
    /// `closing` are members that follow those of the record.
    package func writeNative(
        _ style: JSONWriter.Style = .pretty,
        closing: [JSONValue.Member] = [],
        to sink: Sink
    ) async throws {
        let scope = answer.scope
        var json = JSONStream(style)
        json.beginObject()
        json.add(NativeDocument.opening(asOf: answer.asOf) + NativeDocument.head(of: answer.state, scope: scope))
        json.name("entries")
        json.beginObject()
        for kind in kinds {
            json.name(kind.name)
            json.beginArray()
            try await forEachPage(of: kind) { page in
                for entry in page {
                    json.add(NativeDocument.entry(entry))
                    if json.count > ExportedRecord.partLength { try await sink(json.take()) }
                }
            }
            json.end()
        }
        json.end()
        json.add(closing)
        json.end()
        try await sink(json.take() + (style == .pretty ? "\n" : "").utf8)
    }

    /// Writes the doctors and emergency contacts as cards of an address book.
    package func writeCards(to sink: Sink) async throws {
        try await forEachPage(of: VCard.kinds.filter(kinds.contains)) { _, page in
            let text = page.filter { !$0.isRetracted }.compactMap { VCard.text($0) }.joined()
            try await sink(Array(text.utf8))
        }
    }

    /// Writes the entries as a table.
    package func writeTable(isForSpreadsheets: Bool = false, to sink: Sink) async throws {
        let table = CSVTable(kinds: kinds, isForSpreadsheets: isForSpreadsheets)
        var part = Array(table.header.utf8)
        try await forEachPage(of: kinds) { _, page in
            for entry in page { part += table.row(entry).utf8 }
            if part.count > ExportedRecord.partLength {
                try await sink(part)
                part = []
            }
        }
        try await sink(part)
    }

    /// Writes the record in the format of Purus Health, with its attachments.
    ///
    /// Throws if a stored attachment is damaged.
    package func writePurus(to sink: Sink) async throws {
        let namespace = try journal.log.opaqueID(of: "purus", subject: answer.state.id)
        var writer = PurusWriter(answer.state, namespace: namespace, scope: answer.scope)
        var names = writer.opening.map(\.name)
        var json = JSONStream(.pretty)
        json.beginObject()
        json.add(writer.opening)
        for kind in PurusKind.all {
            let count = writer.scope.includes(kind.kind) ? counts[kind.kind, default: 0] : 0
            guard kind.isWritten(isEmpty: count == 0) else { continue }
            names.append(kind.cloudKitName)
            json.name(kind.cloudKitName)
            json.beginText()
            // The value of the member is a string that contains an array.
            var items = JSONStream(.compact)
            items.beginArray()
            if count > 0 {
                try await forEachPage(of: kind.kind) { page in
                    for entry in page {
                        items.add(writer.item(entry, of: kind, attachment: try attachment(of: entry)))
                        json.addText(items.take())
                        if json.count > ExportedRecord.partLength { try await sink(json.take()) }
                    }
                }
            }
            items.end()
            json.addText(items.take())
            json.endText()
        }
        json.add(writer.closing(after: names))
        json.end()
        try await sink(json.take() + "\n".utf8)
    }

    private func attachment(of entry: EntryState) throws -> [UInt8]? {
        try journal.entries.fileBytes(of: entry)
    }
}
