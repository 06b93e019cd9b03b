/// The import of a document into the record begins with this event.
///
/// The events of the import follow, with the same correlation id, up to its ``ImportEnded``.
package struct ImportBegun: EventData {
    /// The name of the document's format, such as `fhir`.
    package var format: String
    /// The SHA-256 of the document in hex; empty if it is not known.
    package var digest: String
    /// The mapping that a person gave for the columns of a table, as JSON; later files with the same columns use it.
    package var mapping: String?

    package init(format: String, digest: String, mapping: String? = nil) {
        (self.format, self.digest, self.mapping) = (format, digest, mapping)
    }

    package static var type: EventType { EventType(code: 8) }

    package static let definition = EventDefinition(
        "import.begun",
        .record,
        "Import begun",
        ImportBegun.init,
        EventField(1, "format", \.format),
        EventField(2, "digest", \.digest, .json),
        EventField(3, "mapping", \.mapping, .json)
    )

    package var summary: EventSummary { "of a document in the format \(format)" }
}

/// The import of a document into the record is complete.
package struct ImportEnded: EventData {
    /// The name of the document's format, such as `fhir`.
    package var format: String
    /// The numbers of entries.
    package var added: Int
    package var corrected: Int
    package var retracted: Int

    package init(format: String, added: Int, corrected: Int, retracted: Int) {
        (self.format, self.added, self.corrected, self.retracted) = (format, added, corrected, retracted)
    }

    package static var type: EventType { EventType(code: 9) }

    package static let definition = EventDefinition(
        "import.ended",
        .record,
        "Import complete",
        ImportEnded.init,
        EventField(1, "format", \.format),
        EventField(2, "added", \.added),
        EventField(3, "corrected", \.corrected),
        EventField(4, "retracted", \.retracted)
    )

    package var summary: EventSummary { "added \(added), corrected \(corrected), retracted \(retracted)" }
}

extension JournalEvent {
    package static func importBegun(_ begun: ImportBegun) -> JournalEvent { JournalEvent(begun) }
    package static func importEnded(_ ended: ImportEnded) -> JournalEvent { JournalEvent(ended) }
}
