package import HealthModel

/// A list of names of medication that was loaded.
package struct LoadedNamesDocument: APIDocument, Hashable {
    package var name: String
    package var version: String?
    package var digest: String
    package var count: Int
    package var position: UInt64
    package var loadedAt: Instant
    /// Whether no newer list of the same name was loaded.
    package var isCurrent: Bool

    package init(_ names: NamesLoaded, _ stamp: Stamp, isCurrent: Bool) {
        name = names.name
        version = names.version.isEmpty ? nil : names.version
        digest = names.digest
        count = names.count
        position = stamp.position
        loadedAt = stamp.recordedAt
        self.isCurrent = isCurrent
    }

    package static let schema = JSONSchema.object(
        [
            "name": ["type": "string"],
            "digest": ["type": "string", "description": "The SHA-256 of the file, in hexadecimal digits."],
            "count": ["type": "integer", "minimum": 1, "description": "The number of names, without synonyms."],
            "position": JSONSchema.position, "loadedAt": JSONSchema.time,
            "isCurrent": [
                "type": "boolean", "description": "Whether it is used: no newer list of the same name was loaded.",
            ],
        ],
        optional: ["version": ["type": "string"]]
    )

    package var json: JSONValue {
        .present([
            "name": .string(name), "digest": .string(digest), "count": .integer(count),
            "position": .integer(position), "loadedAt": .time(loadedAt), "isCurrent": .bool(isCurrent),
            "version": version.map { .string($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        name = try object.required("name")
        version = try object.text("version")
        digest = try object.required("digest")
        count = try object.optionalInteger("count") ?? 0
        position = try object.number("position")
        loadedAt = try object.instant("loadedAt")
        isCurrent = try object.flag("isCurrent")
    }
}
