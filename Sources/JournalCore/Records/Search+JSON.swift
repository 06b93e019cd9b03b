internal import FoundationEssentials
package import HealthModel
package import Interchange

extension SearchRequest {
    /// The body of a request.
    package static let schema = JSONSchema.object(
        [
            "text": JSONSchema.lineText(maximum: SearchQuery.maximumText)
                .merging(["minLength": 1, "description": .string("The words, at most \(SearchQuery.maximumWords).")])
        ],
        optional: [
            "record": JSONSchema.orNull(JSONSchema.identifier)
                .merging(["description": "Search this record only; by default, all records of the account."]),
            "kinds": [
                "type": ["array", "null"], "items": ["enum": .array(Kind.all.map { .string($0.name) })], "minItems": 1,
                "description": "Search entries of these kinds only.",
            ],
            "happenedFrom": JSONSchema.orNull(JSONSchema.partialDate)
                .merging(["description": "Only what happened from this day, month or year on."]),
            "happenedBy": JSONSchema.orNull(JSONSchema.partialDate)
                .merging([
                    "description":
                        "Only what happened by the end of it; what has no date is found without `happenedFrom`."
                ]),
            "asOf": JSONSchema.orNull(JSONSchema.asOfText)
                .merging([
                    "description":
                        "What was known then: a position in the log, a time, or the end of a day or a minute."
                ]),
            "retracted": [
                "type": ["boolean", "null"], "description": "Whether retracted entries are searched too.",
            ],
            "limit": [
                "type": ["integer", "null"], "minimum": 1, "maximum": .integer(maximumLimit),
                "description": .string("The maximum number of entries in the answer; \(usualLimit) by default."),
            ],
        ]
    )

    /// Reads the body of a request.
    package init(_ object: NativeObject) throws(ModelError) {
        try object.requireMembers(SearchRequest.schema["properties"]?.members.map(\.name) ?? [])
        let kinds = object.has("kinds") ? try object.texts("kinds") : nil
        if kinds?.isEmpty == true { throw ModelError(.invalid, field: "kinds", "must name a kind") }
        let period = try object.period()
        var options = ReadOptions(
            asOf: try object.parsed("asOf") { text throws(ModelError) in try AsOf(parsing: text) },
            happenedFrom: period.first,
            happenedBy: period.last,
            includesRetracted: try object.optionalFlag("retracted")
        )
        options.kinds = try kinds?
            .map { name throws(ModelError) in
                guard let kind = Kind.named(name) else {
                    throw ModelError(.invalid, field: "kinds", "there is no such kind of entry")
                }
                return kind
            }
        let limit = try object.optionalInteger("limit") ?? SearchRequest.usualLimit
        guard (1...SearchRequest.maximumLimit).contains(limit) else {
            throw ModelError(.invalid, field: "limit", "must be in 1...\(SearchRequest.maximumLimit)")
        }
        options.page.limit = limit
        self.init(try SearchQuery(object.required("text")), in: try object.optionalID("record"), options)
    }

    /// The body of a request.
    package var json: JSONValue {
        .present([
            "text": .string(query.text), "record": record.map { .string($0.text) },
            "kinds": options.kinds.map { .array($0.map { .string($0.name) }) },
            "happenedFrom": options.happenedFrom.map { .string($0.description) },
            "happenedBy": options.happenedBy.map { .string($0.description) },
            "asOf": options.asOf.map { .string($0.description) },
            "retracted": options.includesRetracted ? .bool(true) : nil,
            "limit": .integer(min(options.page.limit, SearchRequest.maximumLimit)),
        ])
    }
}

extension NativeObject {
    /// The days from `happenedFrom` to `happenedBy`, each given as a day, a month or a year.
    func period() throws(ModelError) -> Period {
        let period = Period(
            from: try parsed("happenedFrom") { text throws(ModelError) in try PartialDate(parsing: text) },
            until: try parsed("happenedBy") { text throws(ModelError) in try PartialDate(parsing: text) }
        )
        try period.check(field: "happenedBy")
        return period
    }

    /// Parses the text of a member; an error names the member.
    ///
    /// Nil if it is missing or null.
    func parsed<Value>(
        _ name: String,
        _ parse: (String) throws(ModelError) -> Value
    ) throws(ModelError) -> Value? {
        guard let text = try text(name) else { return nil }
        do {
            return try parse(text)
        } catch {
            throw ModelError(error.code, field: name, error.text)
        }
    }
}

extension SearchAnswer {
    /// Returns the schema of an answer; `entry` is that of an entry with its record and kind.
    package static func schema(entry: JSONValue) -> JSONValue {
        JSONSchema.object(
            [
                "records": JSONSchema.array(
                    of: JSONSchema.object([
                        "id": JSONSchema.identifier, "name": ["type": "string"],
                        "subject": JSONSchema.name(of: Subject.self),
                        "matches": [
                            "type": "boolean", "description": "Whether the profile matches, and not only entries.",
                        ],
                    ])
                ),
                "entries": JSONSchema.array(of: entry),
                "count": [
                    "type": "integer", "minimum": 0,
                    "description": "How many entries match; the answer contains the latest of them.",
                ],
                "isNear": [
                    "type": "boolean",
                    "description": "Whether nothing matches as typed, so that words with a typing error were searched.",
                ],
                "searched": ["type": "integer", "minimum": 0, "description": "How many records were searched."],
            ],
            optional: ["asOf": ["type": "integer", "minimum": 0, "description": "The position, if `asOf` was given."]]
        )
    }

    package var json: JSONValue {
        .present([
            "records": .array(records.map(\.json)),
            "entries": .array(entries.map(\.found)),
            "count": .integer(count), "isNear": .bool(isNear), "searched": .integer(searched),
            "asOf": position.map { .integer($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        records = try object.objects("records")
            .map { found throws(ModelError) in
                FoundRecord(
                    id: try found.id("id"),
                    name: try found.required("name"),
                    subject: try Subject(named: found.required("subject")),
                    matches: try found.flag("matches")
                )
            }
        entries = try object.objects("entries").map { found throws(ModelError) in try EntryState(found: found) }
        count = Int(try object.number("count"))
        isNear = try object.flag("isNear")
        searched = Int(try object.number("searched"))
        position = object.has("asOf") ? try object.number("asOf") : nil
    }
}

extension SearchAnswer.FoundRecord {
    fileprivate var json: JSONValue {
        [
            "id": .string(id.text), "name": .string(name), "subject": .string(subject.name), "matches": .bool(matches),
        ]
    }
}
