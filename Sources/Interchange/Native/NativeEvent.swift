package import HealthModel
import FoundationEssentials

/// The JSON form of a record's event: when, where in the log and by whom it was recorded, and its data.
package enum NativeEvent {
    /// Encodes an event, with the name of its actor if it is given.
    package static func write(_ event: RecordedEvent, actorName: String? = nil) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("position", .integer(event.stamp.position)),
            .init("recordedAt", .string(event.stamp.recordedAt.description)),
            .init("type", .string(event.type.name)),
            .init("actor", .string(event.stamp.actor.text)),
            .init("record", .string(event.subject.text)),
        ]
        if let clock = event.clock { members.insert(.init("clock", .string(clock.description)), at: 2) }
        if let actorName { members.insert(.init("actorName", .string(actorName)), at: members.count - 1) }
        if let entry = event.entry { members.append(.init("entry", .string(entry.text))) }
        if let kind = event.event.content?.kind { members.append(.init("kind", .string(kind.name))) }
        if !event.reason.isEmpty { members.append(.init("reason", .string(event.reason))) }
        if let data = data(event.event) { members.append(.init("data", data)) }
        return .object(members)
    }

    /// Encodes the data of an event; nil if its type is the whole information.
    ///
    /// The result contains neither digests nor anything else that could be used to sign in.
    package static func data(_ event: JournalEvent) -> JSONValue? {
        if let content = event.content { return .object(NativeDocument.members(of: content)) }
        if let profile = event.profile { return NativeDocument.profile(profile) }
        if let access = event.access { return .object(members(of: access)) }
        if let received = event.data as? ExternalReceived {
            return self.received(received.streamName, received.contentType, received.data)
        }
        let values = event.values
        let members = event.definition.fields.compactMap { field -> JSONValue.Member? in
            guard field.visibility.contains(.json), let value = values[field.field] ?? field.field.type.whenEmpty else {
                return nil
            }
            return .init(field.field.name, FieldCodec.native.json(value, as: field.field.type))
        }
        if let diverged = event.data as? EntryDiverged {
            let content = diverged.content
            return .object(
                members + [.init("kind", .string(content.kind.name)), .init("values", NativeDocument.write(content))]
            )
        }
        return members.isEmpty ? nil : .object(members)
    }

    /// Encodes an external event as received; in base64 if it cannot be parsed as JSON.
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
        if let version = access.version { members.append(.init("version", .integer(version))) }
        if !access.shown.isEmpty { members.append(.init("shown", .array(access.shown.map(shown)))) }
        if access.includesRetracted { members.append(.init("includesRetracted", .bool(true))) }
        if let events = access.events {
            members.append(
                .init(
                    "events",
                    .object([.init("first", .integer(events.lowerBound)), .init("last", .integer(events.upperBound))])
                )
            )
        }
        if let right = access.grantedBy { members.append(.init("right", right.json)) }
        if !access.purpose.isEmpty { members.append(.init("purpose", .string(access.purpose))) }
        return members
    }

    /// Encodes the entries of one kind that a read showed: all, or those added from the first to the last position.
    private static func shown(_ entries: ShownEntries) -> JSONValue {
        let kind = Kind.coded(entries.kind)?.name ?? String(entries.kind)
        var members: [JSONValue.Member] = [.init("kind", .string(kind))]
        if let added = entries.added {
            members.append(.init("first", .integer(added.lowerBound)))
            members.append(.init("last", .integer(added.upperBound)))
        }
        return .object(members)
    }
}

extension FieldType {
    /// The value of an absent field: an empty list is not stored, but shown.
    fileprivate var whenEmpty: FieldValue? {
        if case .list = self { .list([]) } else { nil }
    }
}
