import FoundationEssentials
package import HealthModel

extension GrantTerms {
    /// Describes the terms that a request sends.
    package static let requestSchema: JSONValue = [
        "type": "object",
        "description": "Defaults: all sections, read only, from now on, without an end.",
        "properties": [
            "sections": ["type": ["array", "null"], "items": JSONSchema.name(of: Section.self), "minItems": 1],
            "verbs": ["type": ["array", "null"], "items": JSONSchema.name(of: Verb.self), "minItems": 1],
            "from": ["anyOf": [JSONSchema.date, ["const": ""]], "description": "The first day."],
            "until": ["anyOf": [JSONSchema.date, ["const": ""]], "description": "The last day."],
            "emergencyAfterEnd": emergencyAfterEndSchema, "notify": notifySchema,
        ],
        "additionalProperties": false,
    ]

    /// Describes the members that documents with terms always have.
    static let requiredMembers: [JSONValue.Member] = [
        .init("sections", JSONSchema.array(of: JSONSchema.name(of: Section.self))),
        .init("verbs", JSONSchema.array(of: JSONSchema.name(of: Verb.self))),
    ]

    static let optionalMembers: [JSONValue.Member] = [
        .init("from", JSONSchema.date), .init("until", JSONSchema.date),
        .init("emergencyAfterEnd", emergencyAfterEndSchema), .init("notify", notifySchema),
    ]

    private static let emergencyAfterEndSchema: JSONValue = [
        "type": ["boolean", "null"],
        "description": "Whether the caregiver may open the emergency view after the last day as well. False if absent.",
    ]

    private static let notifySchema: JSONValue = [
        "type": ["boolean", "null"],
        "description": "Whether the caregiver is told about missed critical doses. True if absent.",
    ]

    /// The terms as JSON, as requests send them and documents contain them.
    package var json: JSONValue {
        .present([
            "sections": .array(sectionNames.map { .string($0) }), "verbs": .array(verbNames.map { .string($0) }),
            "from": from.map { .string($0.description) }, "until": until.map { .string($0.description) },
            "emergencyAfterEnd": emergencyAfterEnd ? true : nil, "notify": notifies ? nil : false,
        ])
    }

    /// Reads the terms that a request sends; the defaults are those of the command line.
    package init(request: JSONValue) throws(ModelError) {
        let object = try NativeObject(request)
        let names = GrantTerms.requestSchema["properties"]?.members.map(\.name) ?? []
        if let unknown = object.members.first(where: { !names.contains($0.name) }) {
            throw ModelError(.invalid, field: DocumentPath().appending(unknown.name).field, "a grant has no such field")
        }
        self.init()
        if let names = try object.requestedTexts("sections") {
            sections = []
            for name in names { sections.insert(try Section(named: name)) }
        }
        if let names = try object.requestedTexts("verbs") {
            verbs = []
            for name in names { verbs.insert(try Verb(named: name)) }
        }
        from = try object.requestedDay("from")
        until = try object.requestedDay("until")
        emergencyAfterEnd = try object.optionalFlag("emergencyAfterEnd")
        notifies = try object.optionalFlag("notify", default: true)
    }

    /// Reads the terms of a document that a journal's own service returned; other members are ignored.
    package init(_ object: NativeObject) throws(ModelError) {
        self.init(sections: [], verbs: [])
        for name in try object.texts("sections") { sections.insert(try Section(named: name)) }
        for name in try object.texts("verbs") { verbs.insert(try Verb(named: name)) }
        from = try object.optionalDay("from")
        until = try object.optionalDay("until")
        emergencyAfterEnd = try object.optionalFlag("emergencyAfterEnd")
        notifies = try object.optionalFlag("notify", default: true)
    }
}

extension NativeObject {
    /// A member with several texts; nil if it is missing or null.
    fileprivate func requestedTexts(_ name: String) throws(ModelError) -> [String]? {
        guard let value = members.first(where: { $0.name == name })?.value, value != .null else { return nil }
        let place = path.appending(name)
        guard case .array(let items) = value else {
            throw ModelError(.invalid, field: place.field, "must be an array, not \(value.typeName)")
        }
        var texts: [String] = []
        for (index, item) in items.enumerated() {
            guard case .string(let text) = item else {
                throw ModelError(.invalid, field: place.appending(index).field, "must be text, not \(item.typeName)")
            }
            texts.append(text)
        }
        return texts
    }

    /// A day; nil if it is missing, null or an empty text.
    fileprivate func requestedDay(_ name: String) throws(ModelError) -> Day? {
        try text(name)?.isEmpty == false ? optionalDay(name) : nil
    }
}
