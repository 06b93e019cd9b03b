internal import EmbeddedFiles
package import HealthModel

/// The file of a rule set for the check of interactions: `healthjournal-interactions/1`.
package enum RuleSetDocument {
    package static let format = "healthjournal-interactions/1"
    /// The largest file that is read.
    package static let maximumBytes = JSONReader.maximumBytes
    /// The maximum number of names in all classes and synonyms.
    static let maximumNames = 1_000_000
    /// The maximum length of the texts of a rule, in UTF-8 bytes.
    static let maximumText = 10_000

    /// The rules that come with the program; no pharmacist has reviewed them.
    package static let starter = embeddedFile("starter.json")

    /// Parses a file; the error names the place in the document.
    package static func read(_ bytes: [UInt8]) throws(ModelError) -> RuleSet {
        let document = try JSONReader.read(bytes, maximumBytes: maximumBytes)
        let root = try NativeObject(document)
        guard document["format"] == .string(format) else {
            throw ModelError(.invalid, field: "format", "must be \(format)")
        }
        try root.requireMembers(of: schema)
        var names = 0
        let classes = try readClasses(document["classes"], &names)
        var set = RuleSet(
            name: try root.line("name"),
            version: try root.line("version"),
            licence: try root.line("licence"),
            language: try root.text("language") ?? "en",
            classes: classes,
            synonyms: try readSynonyms(document["synonyms"], &names),
            rules: []
        )
        // A finding of the journal itself bears this name.
        guard set.name != InteractionFinding.ownRules else {
            throw ModelError(.invalid, field: "name", "is reserved for what the journal finds without rules")
        }
        let rules = try root.objects("rules")
        guard rules.count <= RuleSet.maximumRules else {
            throw ModelError(.invalid, field: "rules", "has more than \(RuleSet.maximumRules) rules")
        }
        var places: [String: Int] = [:]
        for (index, object) in rules.enumerated() {
            let rule = try InteractionRule(object, classes: classes)
            if let other = places.updateValue(index, forKey: rule.id) {
                throw object.error("id", "is also that of rules[\(other)]")
            }
            set.rules.append(rule)
        }
        return set
    }

    /// Describes the members of a file.
    ///
    /// The members of a rule depend on its kind, and are not described.
    package static let schema: JSONValue = [
        "type": "object",
        "description": .string("A rule set, in the format \(format)."),
        "required": ["format", "name", "version", "licence", "rules"],
        "properties": [
            "format": ["const": .string(format)],
            "name": line, "version": line, "licence": line,
            "language": ["type": ["string", "null"]],
            "classes": [
                "type": ["object", "null"],
                "additionalProperties": ["type": "array", "items": line],
            ],
            "synonyms": ["type": ["object", "null"], "additionalProperties": line],
            "rules": ["type": "array", "items": ["type": "object"], "maxItems": .integer(RuleSet.maximumRules)],
        ],
        "additionalProperties": false,
    ]

    private static let line = JSONSchema.lineText(maximum: Limits.line).merging(["minLength": 1])

    private static func readClasses(
        _ value: JSONValue?,
        _ count: inout Int
    ) throws(ModelError) -> [String: [FoldedName]] {
        guard let value, value != .null else { return [:] }
        let object = try NativeObject(value, at: DocumentPath("classes"))
        var classes: [String: [FoldedName]] = [:]
        for member in object.members {
            let path = object.path.appending(member.name)
            guard case .array(let items) = member.value else {
                throw ModelError(.invalid, field: path.field, "must be an array of names")
            }
            var names: [FoldedName] = []
            for (index, item) in items.enumerated() { names.append(try name(item, at: path.appending(index), &count)) }
            classes[member.name] = names
        }
        return classes
    }

    private static func readSynonyms(
        _ value: JSONValue?,
        _ count: inout Int
    ) throws(ModelError) -> [FoldedName: FoldedName] {
        guard let value, value != .null else { return [:] }
        let object = try NativeObject(value, at: DocumentPath("synonyms"))
        var synonyms: [FoldedName: FoldedName] = [:]
        for member in object.members {
            let path = object.path.appending(member.name)
            let other = try name(.string(member.name), at: path, &count)
            let target = try name(member.value, at: path, &count)
            if other == target { throw ModelError(.invalid, field: path.field, "is the same name") }
            if let known = synonyms.updateValue(target, forKey: other), known != target {
                throw ModelError(.invalid, field: path.field, "names two substances")
            }
        }
        for (other, target) in synonyms where synonyms[target] != nil {
            let path = object.path.appending(other.text)
            throw ModelError(.invalid, field: path.field, "must name the substance itself, not another synonym")
        }
        return synonyms
    }

    private static func name(
        _ value: JSONValue,
        at path: DocumentPath,
        _ count: inout Int
    ) throws(ModelError) -> FoldedName {
        guard case .string(let text) = value else {
            throw ModelError(.invalid, field: path.field, "must be text, not \(value.typeName)")
        }
        try TextCheck.check(text, field: path.text, maximum: Limits.line)
        let name = FoldedName(text)
        if name.isEmpty { throw ModelError(.invalid, field: path.field, "must contain a letter or a digit") }
        count += 1
        guard count <= maximumNames else {
            throw ModelError(.invalid, field: path.field, "there are more than \(maximumNames) names")
        }
        return name
    }
}

extension NativeObject {
    /// Creates an error about a member.
    fileprivate func error(_ member: String, _ message: Message) -> ModelError {
        ModelError(.invalid, field: path.appending(member).field, message)
    }

    /// A text of one line that is not empty.
    fileprivate func line(_ member: String) throws(ModelError) -> String {
        let text = try required(member)
        if text.isEmpty || text.contains(where: \.isNewline) { throw error(member, "must be one line of text") }
        try TextCheck.check(text, field: path.appending(member).text, maximum: Limits.line)
        return text
    }

    fileprivate func paragraph(_ member: String) throws(ModelError) -> String {
        let text = try text(member) ?? ""
        try TextCheck.check(text, field: path.appending(member).text, maximum: RuleSetDocument.maximumText)
        return text
    }
}

extension InteractionRule {
    private static let members = [
        "id", "kind", "a", "b", "severity", "effect", "advice", "source", "standing", "amount", "unit",
    ]

    fileprivate init(_ object: NativeObject, classes: [String: [FoldedName]]) throws(ModelError) {
        try object.requireMembers(InteractionRule.members)
        let kind = try object.choice("kind", Kind.self)
        guard let rated = try InteractionSeverity.reading(object.required("severity")) else {
            throw object.error("severity", "must be one of \(InteractionSeverity.words.joined(separator: ", "))")
        }
        let source = try object.object("source")
        try source.requireMembers(["name", "ref"])
        self.init(
            id: try object.line("id"),
            kind: kind,
            a: try InteractionRule.term("a", of: object, classes),
            severity: rated.severity,
            isUnrated: rated.isUnrated,
            effect: try object.paragraph("effect"),
            advice: try object.paragraph("advice"),
            source: Source(name: try source.line("name"), reference: try source.paragraph("ref"))
        )
        switch kind {
        case .pair, .allergy, .food, .foodAllergy:
            b = try InteractionRule.term("b", of: object, classes)
        case .duplicate, .maximum:
            if try object.text("b") != nil {
                throw object.error("b", "is not used by a rule of the kind \(kind.rawValue)")
            }
        }
        if kind == .duplicate, case .name = a {
            throw object.error("a", "must be a class: one substance in two plans is found without a rule")
        }
        if object.members.contains(where: { $0.name == "standing" }) {
            isStanding = try object.flag("standing")
            if isStanding, kind != .food { throw object.error("standing", "is only for rules of the kind food") }
        }
        if kind == .maximum {
            guard let amount = try object.decimal("amount") else { throw object.error("amount", "is missing") }
            guard amount > .zero else { throw object.error("amount", "must be greater than 0") }
            guard let limit = SubstanceAmount(amount, unit: try object.required("unit")) else {
                throw object.error("unit", "must be one of mg, µg, g, IU, mmol, mL")
            }
            self.limit = limit
        } else {
            for member in ["amount", "unit"] where try object.text(member) != nil {
                throw object.error(member, "is only for rules of the kind maximum")
            }
        }
    }

    private static func term(
        _ member: String,
        of object: NativeObject,
        _ classes: [String: [FoldedName]]
    ) throws(ModelError) -> Term {
        let text = try object.line(member)
        let prefix = "class:"
        guard text.hasPrefix(prefix) else {
            let name = FoldedName(text)
            if name.isEmpty { throw object.error(member, "must contain a letter or a digit") }
            return .name(name)
        }
        let group = String(text.dropFirst(prefix.count))
        guard classes[group] != nil else { throw object.error(member, "names a class that the file does not define") }
        return .group(group)
    }
}
