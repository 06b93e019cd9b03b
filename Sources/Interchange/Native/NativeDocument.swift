import HealthModel

/// The journal's own JSON: everything that a record says, driven by the descriptions of its fields.
package enum NativeDocument {
    package static let format = "healthjournal/1"

    /// What every entry says besides the fields of its kind.
    static let contentNames: Set<String> = ["date", "comment", "voiceEntryUsed", "inferred", "extra"]

    /// The names of an entry that are no fields of its kind: what the journal says of it among them.
    static let entryNames = contentNames.union([
        "id", "addedAt", "addedBy", "position", "correctedAt", "correctedBy", "retractedAt",
    ])

    /// The names that an entry of each kind may have, and what it says without what the journal says of it.
    static let namesOfEntries = names(besides: entryNames)
    static let namesOfContents = names(besides: contentNames)

    private static func names(besides names: Set<String>) -> [Kind: Set<String>] {
        Dictionary(uniqueKeysWithValues: Kind.all.map { ($0, names.union($0.fields.map(\.name))) })
    }
}
