package import FoundationEssentials
package import HealthModel

/// A channel for the reminders of an account; never contains the key of a webhook.
package struct ChannelDocument: APIDocument, Hashable {
    package var id: UUID
    package var kind: ReminderChannel.Kind
    package var address: String
    package var detail: ReminderDetail
    package var addedAt: Instant

    package init(_ state: ReminderChannelState) {
        id = state.id
        kind = state.channel.kind
        address = state.channel.address
        detail = ReminderDetail(showsNames: state.channel.showsNames)
        addedAt = state.added.recordedAt
    }
}

extension ChannelDocument {
    package static let schema = JSONSchema.object([
        "id": JSONSchema.identifier, "kind": JSONSchema.word(of: ReminderChannel.Kind.self),
        "address": ["type": "string"], "detail": JSONSchema.word(of: ReminderDetail.self),
        "addedAt": JSONSchema.time,
    ])

    package var json: JSONValue {
        [
            "id": .string(id.text), "kind": .string(kind.name), "address": .string(address),
            "detail": .string(detail.rawValue), "addedAt": .time(addedAt),
        ]
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        kind = try object.choice("kind", ReminderChannel.Kind.self)
        address = try object.required("address")
        detail = try object.choice("detail", ReminderDetail.self)
        addedAt = try object.instant("addedAt")
    }
}
