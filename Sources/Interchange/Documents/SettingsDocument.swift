package import HealthModel

/// The profile, the preferences or the subscription of an account, with the members that their fields describe.
package struct SettingsDocument<Settings: FieldDescribed>: APIDocument, Hashable {
    package var settings: Settings

    package init(_ settings: Settings) {
        self.settings = settings
    }

    /// The names of the members.
    package static var names: [String] { Settings.fields.map(\.name) }

    package static var schema: JSONValue {
        let required = Settings.fields.filter(\.isRequired)
        // A field that a group requires may be absent only with the whole group.
        let inner = Settings.fields.filter { !$0.isRequired }.flatMap { JSONSchema.presence(of: $0) }
        return [
            "type": "object",
            "required": .array(required.map { .string($0.name) }),
            "properties": .object(Settings.fields.map { .init($0.name, JSONSchema.schema(of: $0)) }),
            "allOf": .array([JSONSchema.present(required)] + inner),
            "additionalProperties": false,
        ]
    }

    package var json: JSONValue { .object(FieldCodec.native.members(settings.values, of: Settings.fields)) }

    /// Reads the document; an absent member is the default.
    package init(_ object: NativeObject) throws(ModelError) {
        let values = try object.values(of: Settings.fields)
        for field in Settings.fields where field.isRequired && values[field] == nil {
            throw ModelError(.invalid, field: object.path.appending(field.name).field, "is required")
        }
        for field in Settings.fields {
            if case .choice(let words) = field.type, let text = values.text(field), !words.contains(text) {
                let message: Message = "must be one of \(words.joined(separator: ", "))"
                throw ModelError(.invalid, field: object.path.appending(field.name).field, message)
            }
        }
        settings = Settings(values: values)
    }
}
