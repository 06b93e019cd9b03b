package import FoundationEssentials
package import HealthModel

/// A channel for the reminders of an account; never contains the key of a webhook.
package struct ChannelDocument: APIDocument, Hashable {
    package var id: UUID
    package var kind: ReminderChannel.Kind
    package var address: String
    package var detail: ReminderDetail
    package var addedAt: Instant
    /// Why nothing is sent to the channel, or why something was sent late or not at all; nil if nothing is known.
    package var warning: String?

    package init(_ state: ReminderChannelState, warning: String? = nil) {
        self.warning = warning
        id = state.id
        kind = state.channel.kind
        address = state.channel.address
        detail = ReminderDetail(showsNames: state.channel.showsNames)
        addedAt = state.added.recordedAt
    }
}

extension ChannelDocument {
    package static let schema = JSONSchema.object(
        [
            "id": JSONSchema.identifier, "kind": JSONSchema.word(of: ReminderChannel.Kind.self),
            "address": ["type": "string"], "detail": JSONSchema.word(of: ReminderDetail.self),
            "addedAt": JSONSchema.time,
        ],
        optional: [
            "warning": [
                "type": "string",
                "description": "Why nothing is sent to the channel, or why something was sent late or not at all.",
            ]
        ]
    )

    package var json: JSONValue {
        .present([
            "id": .string(id.text), "kind": .string(kind.name), "address": .string(address),
            "detail": .string(detail.rawValue), "addedAt": .time(addedAt), "warning": warning.map { .string($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        kind = try object.choice("kind", ReminderChannel.Kind.self)
        address = try object.required("address")
        detail = try object.choice("detail", ReminderDetail.self)
        addedAt = try object.instant("addedAt")
        warning = try object.text("warning")
    }
}
