package import FoundationEssentials

/// What a document of another program said of a part of a practice and the journal has no fields for, as it came.
///
/// It has a stream of its own and is sealed under the key of the part's subject, so that it is erased with the part.
package struct SourceKept: EventData {
    /// The name of the document's format.
    package var format: String
    /// The specialist, client, appointment, triage or practice that the document describes.
    package var about: UUID
    /// The members of the document, as JSON in UTF-8.
    package var members: [UInt8]

    package init(format: String, about: UUID, members: [UInt8]) {
        (self.format, self.about, self.members) = (format, about, members)
    }

    package static var type: EventType { EventType(code: 185) }

    package static let definition = EventDefinition(
        "source.kept",
        .practice,
        "Kept as imported",
        sets: "source",
        SourceKept.init,
        EventField(1, "format", \.format),
        EventField(2, "about", \.about, .json),
        EventField(3, "members", \.members, .stored)
    )

    package var summary: EventSummary { "of \(format)" }
}
