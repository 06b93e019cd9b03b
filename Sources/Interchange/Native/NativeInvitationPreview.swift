package import FoundationEssentials
package import HealthModel

/// The JSON form of an invitation's preview: the terms that it gives, and the grant that they would replace.
package enum NativeInvitationPreview {
    package static func write(record: UUID, terms: GrantTerms, replaced: Grant?, today: Day) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("record", .string(record.text)), .init("terms", NativeGrant.write(terms)),
        ]
        if let replaced { members.append(.init("replaces", NativeGrant.write(replaced, today: today))) }
        return .object(members)
    }

    /// Decodes a preview that a journal's own service returned.
    package static func read(
        _ object: NativeObject
    ) throws(ModelError) -> (record: UUID, terms: GrantTerms, replaced: Grant?) {
        var replaced: Grant?
        if object.members.contains(where: { $0.name == "replaces" }) {
            replaced = try NativeGrant.decode(object.object("replaces"))
        }
        return (try object.id("record"), try NativeGrant.decodeTerms(object.object("terms")), replaced)
    }
}
