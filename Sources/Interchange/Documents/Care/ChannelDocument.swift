package import FoundationEssentials
package import HealthModel

/// A channel for the reminders of an account; never contains the key of a webhook.
package struct ChannelDocument: DefinedDocument, Hashable {
    package var id: UUID
    package var kind: ReminderChannel.Kind
    package var address: String
    package var detail: ReminderDetail
    package var addedAt: Instant
    /// Why nothing is sent to the channel, or why something was sent late or not at all; nil if nothing is known.
    package var warning: String?

    package static let definition = DocumentDefinition(
        ChannelDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("kind", \.kind),
        DocumentMember("address", \.address),
        DocumentMember("detail", \.detail),
        DocumentMember("addedAt", \.addedAt),
        DocumentMember(
            "warning",
            \.warning,
            "Why nothing is sent to the channel, or why something was sent late or not at all."
        )
    )
}

extension ChannelDocument {
    package init(_ state: ReminderChannelState, warning: String? = nil) {
        self.warning = warning
        id = state.id
        kind = state.channel.kind
        address = state.channel.address
        detail = ReminderDetail(showsNames: state.channel.showsNames)
        addedAt = state.added.recordedAt
    }
}
