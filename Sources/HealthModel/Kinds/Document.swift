/// A document that belongs to the record: a letter, a scan, a picture.
package enum Document {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
    package static let mediaType = Field(2, "mediaType", "Media type", .text(maximum: 255))
    /// The reference to the journal's encrypted blob that contains the bytes.
    package static let content = Field(3, "content", "Content", .group([digest, size]))
    /// Set if the source mentions a document but does not contain its bytes.
    package static let missing = Field(4, "missing", "Missing", .flag)

    /// The SHA-256 of the bytes, in hex.
    package static let digest = Field(
        1,
        "digest",
        "Digest",
        .text(maximum: 64),
        isRequired: true,
        format: .digest
    )
    /// The number of bytes.
    package static let size = Field(2, "size", "Size", .integer(0...Int64.max), isRequired: true)

    package static let kind = Kind(
        code: 18,
        name: "document",
        label: "Document",
        plural: "Documents",
        section: .myhealth,
        fields: [name, mediaType, content, missing],
        exclusions: [
            .init(flag: missing, other: content, message: "a document with content is not missing")
        ],
        example: ["date": "2024-02-16", "name": "Discharge letter", "missing": "true"]
    )
}

extension EntryContent {
    /// The digest by which the file of a document is found.
    package var fileDigest: String? {
        kind == Document.kind ? body.group(Document.content)?.text(Document.digest) : nil
    }
}
