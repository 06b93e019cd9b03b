internal import FoundationEssentials
package import HealthModel
package import Interchange

extension UndoneChange {
    /// The members of an answer besides those of the result; `entry` is the schema of an entry with its record and kind.
    package static func members(entry: JSONValue) -> JSONValue {
        [
            "undone": [
                "type": "integer", "minimum": 0, "description": "The position of the change that was undone.",
            ],
            "entries": JSONSchema.array(of: entry)
                .merging(["description": "The entries as they are now; empty if the request is sent again."]),
        ]
    }

    package var members: [JSONValue.Member] {
        [.init("undone", .integer(position)), .init("entries", .array(entries.map(\.found)))]
    }

    /// Reads an answer whose result is known.
    package init(_ result: WriteResult, _ object: NativeObject) throws(ModelError) {
        self.result = result
        position = try object.number("undone")
        entries = try object.objects("entries").map { found throws(ModelError) in try EntryState(found: found) }
    }
}

extension EntryState {
    /// The entry with its record and its kind.
    package var found: JSONValue {
        ["record": .string(record.text), "kind": .string(kind.name), "entry": NativeDocument.entry(self)]
    }

    package init(found: NativeObject) throws(ModelError) {
        self = try NativeDocument.decode(found.object("entry"), of: found.kind(), in: found.id("record"))
    }
}

extension Corrections {
    /// The body of a request.
    package static let schema = JSONSchema.object(
        [
            "kind": ["enum": .array(Kind.all.map { .string($0.name) })],
            "set": fields("The corrected values; an empty text clears a field."),
        ],
        optional: [
            "where": JSONSchema.orNull(
                fields("The values of the entries that are corrected; an empty text matches an absent value.")
            ),
            "happenedFrom": JSONSchema.orNull(JSONSchema.partialDate),
            "happenedBy": JSONSchema.orNull(JSONSchema.partialDate),
            "dryRun": [
                "type": ["boolean", "null"], "description": "Only say what would be corrected.",
            ],
            "count": [
                "type": ["integer", "null"], "minimum": 0,
                "description": "How many entries must be corrected, as a dry run said; otherwise nothing is.",
            ],
        ]
    )

    private static func fields(_ description: String) -> JSONValue {
        [
            "type": "object", "additionalProperties": ["type": "string"], "description": .string(description),
        ]
    }

    /// Reads the body of a request, whether it is a dry run, and how many entries must be corrected.
    package static func read(
        _ object: NativeObject
    ) throws(ModelError) -> (corrections: Corrections, isDryRun: Bool, count: Int?) {
        try object.requireMembers(schema["properties"]?.members.map(\.name) ?? [])
        let corrections = Corrections(
            of: try object.kind(),
            where: try object.has("where") ? assignments(object.object("where")) : [],
            set: try assignments(object.object("set")),
            during: try object.period()
        )
        let count = try object.optionalInteger("count")
        guard count.map({ $0 >= 0 }) ?? true else {
            throw ModelError(.invalid, field: "count", "must not be negative")
        }
        return (corrections, try object.optionalFlag("dryRun"), count)
    }

    private static func assignments(_ object: NativeObject) throws(ModelError) -> [Assignment] {
        try object.members.map { member throws(ModelError) in
            Assignment(member.name, try object.text(member.name) ?? "")
        }
    }

    package func json(isDryRun: Bool, count: Int?) -> JSONValue {
        func fields(_ assignments: [Assignment]) -> JSONValue {
            .object(assignments.map { .init($0.name, .string($0.text)) })
        }
        return .present([
            "kind": .string(kind.name), "where": conditions.isEmpty ? nil : fields(conditions), "set": fields(values),
            "happenedFrom": period.first.map { .string($0.description) },
            "happenedBy": period.last.map { .string($0.description) },
            "dryRun": isDryRun ? .bool(true) : nil, "count": count.map { .integer($0) },
        ])
    }
}

extension CorrectedEntries {
    package static let schema = JSONSchema.object(
        [
            "entries": JSONSchema.array(of: Item.schema),
            "changed": ["type": "boolean", "description": "False if nothing was changed, as after a dry run."],
        ],
        optional: ["position": JSONSchema.position]
    )

    package var json: JSONValue {
        .present([
            "entries": .array(items.map(\.json)), "changed": .bool(result?.isChanged ?? false),
            "position": result.map { .integer($0.position) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        items = try object.objects("entries").map { item throws(ModelError) in try Item(item) }
        result = nil
        if object.has("position") {
            result = WriteResult(position: try object.number("position"), isChanged: try object.flag("changed"))
        }
    }
}

extension CorrectedEntries.Item {
    fileprivate static let schema = JSONSchema.object(
        [
            "entry": JSONSchema.identifier, "title": ["type": "string"],
            "changes": JSONSchema.array(
                of: JSONSchema.object([
                    "field": ["type": "string"], "label": ["type": "string"], "before": ["type": ["string", "null"]],
                    "after": ["type": ["string", "null"]],
                ])
            ),
        ],
        optional: ["date": ["type": "string"]]
    )

    fileprivate var json: JSONValue {
        .present([
            "entry": .string(entry.text), "title": .string(title), "date": date.map { .string($0.description) },
            "changes": .array(
                changes.map { change in
                    [
                        "field": .string(change.path), "label": .string(change.label),
                        "before": change.before.map { .string($0) } ?? .null,
                        "after": change.after.map { .string($0) } ?? .null,
                    ]
                }
            ),
        ])
    }

    fileprivate init(_ object: NativeObject) throws(ModelError) {
        entry = try object.id("entry")
        title = try object.text("title") ?? ""
        date = try object.parsed("date") { text throws(ModelError) in try OccurredDate(parsing: text) }
        changes = try object.objects("changes")
            .map { change throws(ModelError) in
                FieldChange(
                    path: try change.required("field"),
                    label: try change.required("label"),
                    before: try change.text("before"),
                    after: try change.text("after")
                )
            }
    }
}

extension EntryDoubt {
    package static let schema = JSONSchema.object(
        ["reason": JSONSchema.word(of: Reason.self), "value": ["type": "string"], "text": ["type": "string"]],
        optional: [
            "entry": JSONSchema.identifier.merging(["description": "The entry with which it was compared."]),
            "entryValue": ["type": "string"], "entryDate": ["type": "string"],
        ]
    )

    package var json: JSONValue {
        .present([
            "reason": .string(reason.rawValue), "value": .string(value), "text": .string(text),
            "entry": other.map { .string($0.entry.text) }, "entryValue": other.map { .string($0.value) },
            "entryDate": other?.date.map { .string($0.description) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        self.init(try object.choice("reason", Reason.self), value: try object.text("value") ?? "")
        if let entry = try object.optionalID("entry") {
            other = Other(
                entry: entry,
                value: try object.text("entryValue") ?? "",
                date: try object.parsed("entryDate") { text throws(ModelError) in try OccurredDate(parsing: text) }
            )
        }
    }
}
