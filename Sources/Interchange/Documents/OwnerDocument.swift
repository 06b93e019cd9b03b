package import FoundationEssentials
package import HealthModel

/// An owner of a record.
package struct OwnerDocument: APIDocument, Hashable {
    package var account: UUID
    package var name: String?

    package init(account: UUID, name: String?) {
        self.account = account
        self.name = name
    }
}

extension OwnerDocument {
    package static let schema = JSONSchema.object(
        ["account": JSONSchema.identifier],
        optional: ["name": ["type": "string"]]
    )

    package var json: JSONValue {
        .present(["account": .string(account.text), "name": name.map { .string($0) }])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        account = try object.id("account")
        name = try object.text("name")
    }
}
