package import HealthModel
import FoundationEssentials

/// An event of a record as JSON: where and when it was recorded, by whom, and what it says.
package enum NativeEvent {
    /// With the name of whoever did it, where that is known.
    package static func write(_ event: RecordedEvent, actorName: String? = nil) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("position", .integer(event.stamp.position)),
            .init("recordedAt", .string(event.stamp.recordedAt.description)),
            .init("type", .string(event.type.name)),
            .init("actor", .string(event.stamp.actor.text)),
            .init("record", .string(event.subject.text)),
        ]
        if let actorName { members.insert(.init("actorName", .string(actorName)), at: members.count - 1) }
        if let entry = event.entry { members.append(.init("entry", .string(entry.text))) }
        if let kind = event.event.content?.kind { members.append(.init("kind", .string(kind.name))) }
        if !event.reason.isEmpty { members.append(.init("reason", .string(event.reason))) }
        if let data = data(event.event) { members.append(.init("data", data)) }
        return .object(members)
    }

    /// What the event itself says; nil where its type says all.
    ///
    /// Neither digests nor anything else by which somebody could sign in.
    package static func data(_ event: JournalEvent) -> JSONValue? {
        switch event {
        case .recordCreated(let profile, _), .recordChanged(let profile): NativeDocument.profile(profile)
        case .recordHeld(let until): .object([.init("until", .string(until.description))])
        case .entryAdded(let content), .entryCorrected(let content): .object(NativeDocument.members(of: content))
        case .caregiverGranted(let account, let terms):
            .object([.init("account", .string(account.text))] + NativeGrant.members(of: terms))
        case .caregiverRevoked(let account), .recordOwnerAdded(let account), .recordOwnerRemoved(let account),
            .recordTransferred(let account):
            .object([.init("account", .string(account.text))])
        case .caregiverInvited(let invitation):
            .object(
                [
                    .init("invitation", .string(invitation.id.text)),
                    .init("expires", .string(invitation.expires.description)),
                ] + NativeGrant.members(of: invitation.terms)
            )
        case .invitationAccepted(let id), .invitationWithdrawn(let id):
            .object([.init("invitation", .string(id.text))])
        case .emergencyOpened(let account, let expires):
            .object([.init("account", .string(account.text)), .init("expires", .string(expires.description))])
        case .noticeAcknowledged(let position): .object([.init("notice", .integer(position))])
        case .recordRead(let access), .accessDenied(let access): .object(members(of: access))
        case .accountAdded(let profile):
            .object([.init("name", .string(profile.name)), .init("kind", .string(profile.kind.name))])
        case .tokenIssued(let token):
            .object(
                [.init("token", .string(token.id.text)), .init("scope", .string(token.scope.description))]
                    + (token.expires.map { [.init("expires", .string($0.description))] } ?? [])
            )
        case .tokenRevoked(let token): .object([.init("token", .string(token.text))])
        case .journalCreated(_, let zone): .object([.init("zone", .string(zone))])
        case .journalBackedUp(_, let head), .journalRestored(let head, _): .object([.init("head", .integer(head))])
        case .externalReceived(let stream, let type, let bytes): received(stream, type, bytes)
        default: nil
        }
    }

    /// An event of another tool as it came; as bytes where it is no JSON that we read.
    private static func received(_ stream: String, _ type: String, _ bytes: [UInt8]) -> JSONValue {
        let event: JSONValue.Member =
            if let read = try? JSONReader.read(bytes) {
                .init("event", read)
            } else {
                .init("event_base64", .string(Data(bytes).base64EncodedString()))
            }
        return .object([.init("stream", .string(stream)), .init("contenttype", .string(type)), event])
    }

    private static func members(of access: Access) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("action", .string(access.action.rawValue)),
            .init("sections", .array(access.sections.map { .string($0.name) })),
            .init("entries", .integer(access.entryCount)),
        ]
        if let asOf = access.asOf { members.append(.init("asOf", .integer(asOf))) }
        if let day = access.happenedBy { members.append(.init("happenedBy", .string(day.description))) }
        if let right = access.grantedBy { members.append(.init("right", .string(name(of: right)))) }
        if !access.purpose.isEmpty { members.append(.init("purpose", .string(access.purpose))) }
        return members
    }

    private static func name(of right: AccessRight) -> String {
        switch right {
        case .owner: "owner"
        case .grant(let position): "grant of position \(position)"
        case .emergency(let position): "emergency of position \(position)"
        case .role(let kind): kind.name
        }
    }
}
