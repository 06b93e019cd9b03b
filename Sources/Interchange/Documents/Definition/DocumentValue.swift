package import FoundationEssentials
package import HealthModel

/// A value that a member of a document can have.
package protocol DocumentValue: SendableMetatype {
    static var schema: JSONValue { get }
    /// Whether the member must be there.
    static var isRequired: Bool { get }
    /// The value as JSON; nil if the member is absent.
    var memberValue: JSONValue? { get }

    static func read(_ name: String, of object: NativeObject) throws(ModelError) -> Self
}

extension DocumentValue {
    package static var isRequired: Bool { true }
}

/// A value that a member of a document can have several of.
package protocol DocumentItem: DocumentValue {
    static func readAll(_ name: String, of object: NativeObject) throws(ModelError) -> [Self]
}

extension Optional: DocumentValue where Wrapped: DocumentValue {
    package static var schema: JSONValue { Wrapped.schema }
    package static var isRequired: Bool { false }
    package var memberValue: JSONValue? { flatMap(\.memberValue) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> Self {
        object.has(name) ? try Wrapped.read(name, of: object) : nil
    }
}

extension Array: DocumentValue where Element: DocumentItem {
    package static var schema: JSONValue { JSONSchema.array(of: Element.schema) }
    package var memberValue: JSONValue? { .array(compactMap(\.memberValue)) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> Self {
        try Element.readAll(name, of: object)
    }
}

extension APIDocument {
    package var memberValue: JSONValue? { json }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> Self {
        try Self(object.object(name))
    }

    package static func readAll(_ name: String, of object: NativeObject) throws(ModelError) -> [Self] {
        try object.documents(name)
    }
}

extension String: DocumentItem {
    package static var schema: JSONValue { ["type": "string"] }
    package var memberValue: JSONValue? { .string(self) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> String {
        try object.required(name)
    }

    package static func readAll(_ name: String, of object: NativeObject) throws(ModelError) -> [String] {
        try object.texts(name)
    }
}

extension UUID: DocumentItem {
    package static var schema: JSONValue { JSONSchema.identifier }
    package var memberValue: JSONValue? { .string(text) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> UUID {
        try object.id(name)
    }

    package static func readAll(_ name: String, of object: NativeObject) throws(ModelError) -> [UUID] {
        try object.ids(name)
    }
}

extension Bool: DocumentValue {
    package static var schema: JSONValue { ["type": "boolean"] }
    package var memberValue: JSONValue? { .bool(self) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> Bool {
        try object.flag(name)
    }
}

extension Int: DocumentValue {
    package static var schema: JSONValue { ["type": "integer"] }
    package var memberValue: JSONValue? { .integer(self) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> Int {
        guard let number = try object.optionalInteger(name) else {
            throw ModelError(.invalid, field: object.path.appending(name).field, "is missing")
        }
        return number
    }
}

/// A position in the log.
extension UInt64: DocumentValue {
    package static var schema: JSONValue { JSONSchema.position }
    package var memberValue: JSONValue? { .integer(self) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> UInt64 {
        try object.number(name)
    }
}

extension Instant: DocumentValue {
    package static var schema: JSONValue { JSONSchema.time }
    package var memberValue: JSONValue? { .time(self) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> Instant {
        try object.instant(name)
    }
}

extension Day: DocumentValue {
    package static var schema: JSONValue { JSONSchema.dayText }
    package var memberValue: JSONValue? { .string(description) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> Day {
        try object.day(name)
    }
}

extension WallMoment: DocumentValue {
    package static var schema: JSONValue { ["type": "string"] }
    package var memberValue: JSONValue? { .string(description) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> WallMoment {
        try object.wall(name)
    }
}

/// An amount, which is a decimal number or a fraction.
extension ExactDecimal: DocumentValue {
    package static var schema: JSONValue { JSONSchema.amountText }
    package var memberValue: JSONValue? { .string(description) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> ExactDecimal {
        try object.requiredAmount(name)
    }
}

extension Kind: DocumentValue {
    package static var schema: JSONValue { ["enum": .array(Kind.all.map { .string($0.name) })] }
    package var memberValue: JSONValue? { .string(self.name) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> Kind {
        try object.kind(name)
    }
}

/// An enumeration whose raw values are the words of documents.
package protocol DocumentWord: DocumentItem, CaseIterable, RawRepresentable<String> {}

extension DocumentWord {
    package static var schema: JSONValue { JSONSchema.word(of: Self.self) }
    package var memberValue: JSONValue? { .string(rawValue) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> Self {
        try object.choice(name, Self.self)
    }

    /// Words that this version does not know are left out.
    package static func readAll(_ name: String, of object: NativeObject) throws(ModelError) -> [Self] {
        try object.texts(name).compactMap { Self(rawValue: $0) }
    }
}

/// An enumeration whose names are the words of documents.
package protocol DocumentCode: DocumentItem, NamedCode {}

extension DocumentCode {
    package static var schema: JSONValue { JSONSchema.name(of: Self.self) }
    package var memberValue: JSONValue? { .string(name) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> Self {
        try Self(named: object.required(name))
    }

    package static func readAll(_ name: String, of object: NativeObject) throws(ModelError) -> [Self] {
        var codes: [Self] = []
        for text in try object.texts(name) { codes.append(try Self(named: text)) }
        return codes
    }
}

/// A profile or settings, which a document contains with the members that its fields describe.
package protocol DocumentSettings: DocumentValue, FieldDescribed, Hashable {}

extension DocumentSettings {
    package static var schema: JSONValue { SettingsDocument<Self>.schema }
    package var memberValue: JSONValue? { SettingsDocument(self).json }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> Self {
        try SettingsDocument<Self>(object.object(name)).settings
    }
}
