import HealthModel

/// The journal's own JSON format, which contains a record's whole content and is generated from the field descriptions.
package enum NativeDocument {
    package static let format = "healthjournal/1"

    /// The member names that every entry has besides the fields of its kind.
    static let contentNames: Set<String> = ["date", "comment", "voiceEntryUsed", "inferred", "extra"]

    /// All member names of an entry that are not fields of its kind, including the journal's metadata.
    static let entryNames = contentNames.union([
        "id", "addedAt", "addedBy", "position", "correctedAt", "correctedBy", "retractedAt",
    ])

    /// The allowed member names by kind: of an entry with the journal's metadata, and of its content alone.
    static let namesOfEntries = names(besides: entryNames)
    static let namesOfContents = names(besides: contentNames)

    private static func names(besides names: Set<String>) -> [Kind: Set<String>] {
        Dictionary(uniqueKeysWithValues: Kind.all.map { ($0, names.union($0.fields.map(\.name))) })
    }
}
