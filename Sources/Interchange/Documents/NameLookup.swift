package import FoundationEssentials
package import HealthModel

/// The records that a name refers to, among those that the caller sees.
package enum NameLookup: APIDocument, Hashable {
    /// One record has the name. `name` is the whole name if only its beginning was given.
    case one(UUID, name: String?)
    /// Several have it.
    case several([NamedDocument])
    /// None has it; these are similar.
    case similar([NamedDocument])

    /// How many records an answer lists.
    package static let maximumListed = 8

    package static let schema = JSONSchema.object(
        [:],
        optional: [
            "record": JSONSchema.identifier.merging(["description": "The only record with the name."]),
            "name": ["type": "string", "description": "The name of that record, if only its beginning was given."],
            "several": list("The records with the name, if there are several."),
            "similar": list("If no record has the name: those that it may mean."),
        ]
    )

    private static func list(_ description: String) -> JSONValue {
        JSONSchema.array(of: NamedDocument.schema)
            .merging(["maxItems": .integer(maximumListed), "description": .string(description)])
    }

    package var json: JSONValue {
        switch self {
        case .one(let record, let name):
            .object([.init("record", .string(record.text))] + (name.map { [.init("name", .string($0))] } ?? []))
        case .several(let names): ["several": .array(names.map(\.json))]
        case .similar(let names): ["similar": .array(names.map(\.json))]
        }
    }

    package init(_ object: NativeObject) throws(ModelError) {
        if let record = try object.optionalID("record") {
            self = .one(record, name: try object.text("name"))
        } else if object.has("several") {
            self = .several(try object.documents("several"))
        } else {
            self = .similar(object.has("similar") ? try object.documents("similar") : [])
        }
    }
}
