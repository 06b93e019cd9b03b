package import HealthModel

/// The Purus Health representation of one kind of entry.
package struct PurusKind: Sendable {
    package let kind: Kind
    /// The field of the record in the CloudKit shape.
    package let cloudKitName: String
    /// The field of the record in the models shape.
    let modelsName: String
    /// The key of an entry's id; nil if the CloudKit shape gives entries of this kind none.
    let idName: String?
    /// Whether entries of this kind have the times of creation and change in the CloudKit shape.
    let hasStamps: Bool
    let keys: PurusKeys

    init(
        _ kind: Kind,
        cloudKit: String,
        models: String,
        id: String? = nil,
        hasStamps: Bool = false,
        own: [PurusKey],
        further: [PurusKey] = []
    ) {
        self.kind = kind
        cloudKitName = cloudKit
        modelsName = models
        idName = id
        self.hasStamps = hasStamps
        keys = PurusKeys(own: own, further: further + Self.common, fields: kind.fields)
    }

    /// Keys that every entry may have; a kind's own keys take precedence.
    private static let common = [
        PurusKey("date", .date),
        PurusKey("datePrecision", .datePrecision),
        PurusKey("comment", .comment),
        PurusKey("voiceEntryUsed", .voiceEntryUsed),
    ]

    static func of(_ kind: Kind) -> PurusKind { byKind[kind] ?? unknownToPurus(kind) }

    /// A kind that Purus does not have is written under its own names.
    private static func unknownToPurus(_ kind: Kind) -> PurusKind {
        PurusKind(kind, cloudKit: kind.name + "Entries", models: kind.name + "Entries", own: [])
    }

    /// The kinds of Purus in its order, then the other kinds.
    package static let all: [PurusKind] = {
        let known = Set(ofPurus.map(\.kind))
        return ofPurus + Kind.all.filter { !known.contains($0) }.map(unknownToPurus)
    }()

    static let namesOfPurus = Set(ofPurus.map(\.cloudKitName))
    private static let byKind = Dictionary(all.map { ($0.kind, $0) }) { first, _ in first }
}
