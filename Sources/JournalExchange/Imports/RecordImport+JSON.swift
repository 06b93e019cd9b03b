internal import FoundationEssentials
package import HealthModel
package import Interchange
internal import JournalCore

extension RecordImport: APIDocument {
    package var json: JSONValue {
        .present([
            "position": .integer(position), "recordedAt": .string(recordedAt.description), "format": .string(format),
            "added": .integer(added), "corrected": .integer(corrected), "retracted": .integer(retracted),
            "complete": .bool(isComplete), "undone": undone.map { .integer($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        self.init(
            position: try object.number("position"),
            recordedAt: try object.instant("recordedAt"),
            format: try object.required("format"),
            added: Int(try object.number("added")),
            corrected: Int(try object.number("corrected")),
            retracted: Int(try object.number("retracted")),
            isComplete: try object.optionalFlag("complete", default: true)
        )
        if object.members.contains(where: { $0.name == "undone" }) { undone = try object.number("undone") }
    }

    fileprivate static let count: JSONValue = ["type": "integer", "minimum": 0]

    package static let schema = JSONSchema.object(
        [
            "position": JSONSchema.position, "recordedAt": JSONSchema.time,
            "format": ["type": "string", "description": "The name of the document's format."],
            "added": RecordImport.count, "corrected": RecordImport.count, "retracted": RecordImport.count,
            "complete": [
                "type": "boolean",
                "description": """
                Whether the import ended. One that did not was interrupted, or is still running; repeating it completes it, and its \
                position is that of its beginning.
                """,
            ],
        ],
        optional: ["undone": JSONSchema.position]
    )
}

extension UndoneImport: APIDocument {
    package var json: JSONValue {
        .present([
            "position": position.map { .integer($0) }, "retracted": .integer(retracted), "restored": .integer(restored),
            "corrected": .integer(corrected), "profileRestored": .bool(isProfileRestored),
            "kept": .array(kept.map { ["entry": .string($0.id.text), "kind": .string($0.kind.name)] }),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        self.init(
            retracted: Int(try object.number("retracted")),
            restored: Int(try object.number("restored")),
            corrected: Int(try object.number("corrected")),
            isProfileRestored: try object.flag("profileRestored")
        )
        for entry in try object.objects("kept") {
            kept.append(Entry(id: try entry.id("entry"), kind: try entry.kind()))
        }
        if object.members.contains(where: { $0.name == "position" }) { position = try object.number("position") }
    }

    package static let schema = JSONSchema.object(
        [
            "retracted": RecordImport.count, "restored": RecordImport.count, "corrected": RecordImport.count,
            "profileRestored": ["type": "boolean"],
            "kept": [
                "type": "array",
                "items": JSONSchema.object(["entry": JSONSchema.identifier, "kind": ["type": "string"]]),
                "description": "Entries that were changed since the import.",
            ],
        ],
        optional: ["position": JSONSchema.position]
    )
}
