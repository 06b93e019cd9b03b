/// An enum whose stable name is stored.
package protocol EventChoice: EventValue, CaseIterable {
    var name: String { get }
}

extension EventChoice {
    package static var fieldType: FieldType { .choice(allCases.map(\.name)) }
    package var fieldValue: FieldValue? { .text(name) }

    package init?(fieldValue: FieldValue?) {
        guard case .text(let name)? = fieldValue, let value = Self.allCases.first(where: { $0.name == name }) else {
            return nil
        }
        self = value
    }
}

extension Section: EventChoice, EventListElement {}
extension Verb: EventChoice, EventListElement {}
extension AccountKind: EventChoice {}

extension AccessAction: EventChoice {
    package var name: String { rawValue }
}

extension TokenScope: EventValue {
    package static var fieldType: FieldType { .text(maximum: Limits.line) }
    package var fieldValue: FieldValue? { .text(description) }

    package init?(fieldValue: FieldValue?) {
        guard case .text(let text)? = fieldValue, let scope = try? TokenScope(parsing: text) else { return nil }
        self = scope
    }
}

extension RecordProfile: EventValue {
    private static let subject = Field(1, "subject", "Subject", .choice(Subject.allCases.map(\.name)))
    private static let values = Field(2, "values", "Values", .group([]))
    private static let inferred = Field(3, "inferred", "Guessed fields", [String].fieldType)
    private static let extra = Field(4, "extra", "Extra", [Extra].fieldType)

    package static var fieldType: FieldType { .group([subject, values, inferred, extra]) }

    package var fieldValue: FieldValue? {
        var stored = FieldValues()
        stored[RecordProfile.subject] = .text(subject.name)
        stored[RecordProfile.values] = .group(values)
        stored[RecordProfile.inferred] = inferred.fieldValue
        stored[RecordProfile.extra] = extra.fieldValue
        return .group(stored)
    }

    package init?(fieldValue: FieldValue?) {
        guard case .group(let stored)? = fieldValue, let name = stored.text(RecordProfile.subject),
            let subject = try? Subject(named: name),
            let inferred = [String](fieldValue: stored[RecordProfile.inferred]),
            let extra = [Extra](fieldValue: stored[RecordProfile.extra])
        else { return nil }
        let values = stored[RecordProfile.values] ?? .group(FieldValues())
        guard case .group(let values) = values else { return nil }
        self.init(subject: subject, values: values, inferred: inferred, extra: extra)
    }
}

extension String: EventListElement {}

extension Extra: EventValue, EventListElement {
    private static let name = Field(1, "name", "Name", .text(maximum: Limits.line))
    private static let json = Field(2, "json", "JSON", .text(maximum: Limits.paragraphs))

    package static var fieldType: FieldType { .group([name, json]) }

    package var fieldValue: FieldValue? {
        var stored = FieldValues()
        stored[Extra.name] = .text(name)
        stored[Extra.json] = .text(json)
        return .group(stored)
    }

    package init?(fieldValue: FieldValue?) {
        guard case .group(let stored)? = fieldValue, let name = String(fieldValue: stored[Extra.name]),
            let json = String(fieldValue: stored[Extra.json])
        else { return nil }
        self.init(name: name, json: json)
    }
}
