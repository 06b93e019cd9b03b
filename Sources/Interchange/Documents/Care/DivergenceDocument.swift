package import FoundationEssentials
package import HealthModel

/// Two versions of an entry between which no decision was made yet.
package struct DivergenceDocument: APIDocument, Hashable {
    /// The position that a decision names.
    package var position: UInt64
    package var record: UUID
    package var entry: UUID
    /// The names of the fields in which the versions disagree.
    package var fields: [String]
    package var shown: Version
    package var kept: Version

    package struct Version: Hashable, Sendable {
        package var author: UUID
        package var authorName: String?
        /// Nil for a version that was written at the service itself.
        package var device: UUID?
        package var deviceName: String?
        package var madeAt: Instant
        /// Whether the version withdraws the entry.
        package var isRetracted: Bool
        package var content: EntryContent

        package init(
            author: UUID,
            authorName: String?,
            device: UUID?,
            deviceName: String?,
            madeAt: Instant,
            isRetracted: Bool,
            content: EntryContent
        ) {
            self.author = author
            self.authorName = authorName
            self.device = device
            self.deviceName = deviceName
            self.madeAt = madeAt
            self.isRetracted = isRetracted
            self.content = content
        }
    }

    package init(
        position: UInt64,
        record: UUID,
        entry: UUID,
        fields: [String],
        shown: Version,
        kept: Version
    ) {
        self.position = position
        self.record = record
        self.entry = entry
        self.fields = fields
        self.shown = shown
        self.kept = kept
    }

    package var kind: Kind { shown.content.kind }
}

extension DivergenceDocument {
    package static let schema = JSONSchema.object([
        "position": JSONSchema.position, "record": JSONSchema.identifier, "entry": JSONSchema.identifier,
        "kind": ["enum": .array(Kind.all.map { .string($0.name) })],
        "fields": JSONSchema.array(of: ["type": "string"]), "shown": Version.schema, "kept": Version.schema,
    ])

    package var json: JSONValue {
        [
            "position": .integer(position), "record": .string(record.text), "entry": .string(entry.text),
            "kind": .string(kind.name), "fields": .array(fields.map { .string($0) }), "shown": shown.json,
            "kept": kept.json,
        ]
    }

    package init(_ object: NativeObject) throws(ModelError) {
        let kind = try object.kind()
        position = try object.number("position")
        record = try object.id("record")
        entry = try object.id("entry")
        fields = try object.texts("fields")
        shown = try Version(object.object("shown"), kind)
        kept = try Version(object.object("kept"), kind)
    }
}

extension DivergenceDocument.Version {
    fileprivate static let schema = JSONSchema.object(
        [
            "author": JSONSchema.identifier, "madeAt": JSONSchema.time, "retracted": ["type": "boolean"],
            "content": ["type": "object", "description": "The whole content, as in an entry of the kind."],
        ],
        optional: [
            "authorName": ["type": "string"], "device": JSONSchema.identifier, "deviceName": ["type": "string"],
        ]
    )

    fileprivate var json: JSONValue {
        .present([
            "author": .string(author.text), "authorName": authorName.map { .string($0) },
            "device": device.map { .string($0.text) }, "deviceName": deviceName.map { .string($0) },
            "madeAt": .time(madeAt), "retracted": .bool(isRetracted), "content": NativeDocument.write(content),
        ])
    }

    fileprivate init(_ object: NativeObject, _ kind: Kind) throws(ModelError) {
        author = try object.id("author")
        authorName = try object.text("authorName")
        device = try object.optionalID("device")
        deviceName = try object.text("deviceName")
        madeAt = try object.instant("madeAt")
        isRetracted = try object.flag("retracted")
        content = try object.object("content").decodeContent(of: kind)
    }
}
