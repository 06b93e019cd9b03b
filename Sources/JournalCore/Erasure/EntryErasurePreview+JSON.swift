internal import FoundationEssentials
package import HealthModel
package import Interchange

extension EntryErasurePreview {
    /// The schema of a preview; `entry` is the schema of an entry with its record and kind.
    package static func schema(entry: JSONValue) -> JSONValue {
        JSONSchema.object([
            "entry": entry,
            "versions": [
                "type": "integer", "minimum": 1, "description": "The number of versions, including the present one.",
            ],
            "hasFile": [
                "type": "boolean",
                "description": "Whether a file is destroyed: one that no other entry of the record has.",
            ],
            "referring":
                JSONSchema.array(
                    of: JSONSchema.object([
                        "kind": ["enum": .array(Kind.all.map { .string($0.name) })],
                        "count": ["type": "integer", "minimum": 1],
                    ])
                )
                .merging(["description": "The number of entries that refer to it, by kind; they stay."]),
            "copies":
                JSONSchema.array(
                    of: JSONSchema.object(
                        [
                            "what": JSONSchema.word(of: EntryCopy.What.self),
                            "fate": JSONSchema.word(of: EntryCopy.Fate.self),
                        ],
                        optional: ["id": JSONSchema.orNull(JSONSchema.identifier)]
                    )
                )
                .merging([
                    "description": """
                    What else in the journal contains a part of the entry. With the fate `erased` it is erased with it; \
                    any other fate is why it stays. The receipt states the same.
                    """
                ]),
        ])
    }

    package var json: JSONValue {
        [
            "entry": entry.found, "versions": .integer(versionCount), "hasFile": .bool(hasFile),
            "referring": .array(
                referring.sorted { $0.key.code < $1.key.code }
                    .map { ["kind": .string($0.key.name), "count": .integer($0.value)] }
            ),
            "copies": .array(
                copies.map { copy in
                    .present([
                        "what": .string(copy.what.name), "id": copy.id.map { .string($0.text) },
                        "fate": .string(copy.fate.name),
                    ])
                }
            ),
        ]
    }

    package init(_ object: NativeObject) throws(ModelError) {
        var referring: [Kind: Int] = [:]
        for item in try object.objects("referring") { referring[try item.kind()] = Int(try item.number("count")) }
        var copies: [EntryCopy] = []
        for item in try object.objects("copies") { copies.append(try EntryCopy(item)) }
        self.init(
            entry: try EntryState(found: object.object("entry")),
            versionCount: Int(try object.number("versions")),
            hasFile: try object.flag("hasFile"),
            referring: referring,
            copies: copies
        )
    }
}
