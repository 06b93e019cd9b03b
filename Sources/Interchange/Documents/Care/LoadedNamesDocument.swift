package import HealthModel

/// A list of names of medication that was loaded.
package struct LoadedNamesDocument: DefinedDocument, Hashable {
    package var name: String
    package var digest: String
    package var count: Int
    package var position: UInt64
    package var loadedAt: Instant
    /// Whether no newer list of the same name was loaded.
    package var isCurrent: Bool
    package var version: String?

    package static let definition = DocumentDefinition(
        LoadedNamesDocument.init,
        DocumentMember("name", \.name),
        DocumentMember("digest", \.digest, "The SHA-256 of the file, in hexadecimal digits."),
        DocumentMember(
            "count",
            \.count,
            schema: ["type": "integer", "minimum": 1],
            "The number of names, without synonyms."
        ),
        DocumentMember("position", \.position),
        DocumentMember("loadedAt", \.loadedAt),
        DocumentMember("isCurrent", \.isCurrent, "Whether it is used: no newer list of the same name was loaded."),
        DocumentMember("version", \.version)
    )
}

extension LoadedNamesDocument {
    package init(_ names: NamesLoaded, _ stamp: Stamp, isCurrent: Bool) {
        name = names.name
        version = names.version.isEmpty ? nil : names.version
        digest = names.digest
        count = names.count
        position = stamp.position
        loadedAt = stamp.recordedAt
        self.isCurrent = isCurrent
    }
}
