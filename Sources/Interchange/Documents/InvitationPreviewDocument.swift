package import FoundationEssentials
package import HealthModel

/// What accepting an invitation would do: the terms that it gives, and the grant that they would replace.
package struct InvitationPreviewDocument: APIDocument, Hashable {
    package var record: UUID
    package var terms: GrantTerms
    package var replaced: GrantDocument?

    package init(record: UUID, terms: GrantTerms, replaced: GrantDocument?) {
        self.record = record
        self.terms = terms
        self.replaced = replaced
    }
}

extension InvitationPreviewDocument {
    package static let schema = JSONSchema.object(
        ["record": JSONSchema.identifier, "terms": GrantTerms.requestSchema],
        optional: ["replaces": GrantDocument.schema]
    )

    package var json: JSONValue {
        .present(["record": .string(record.text), "terms": terms.json, "replaces": replaced?.json])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        record = try object.id("record")
        terms = try GrantTerms(object.object("terms"))
        let isReplacing = object.members.contains { $0.name == "replaces" }
        replaced = isReplacing ? try GrantDocument(object.object("replaces")) : nil
    }
}
