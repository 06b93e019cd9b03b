import FoundationEssentials
package import HealthModel

extension NativeEvent {
    /// Decodes an event of an entry that a journal's own service returned.
    package static func decode(_ event: NativeObject) throws(ModelError) -> RecordedEvent {
        var stamp = try event.stamp("recordedAt", by: "actor")
        stamp.position = try event.number("position")
        let entry = try event.id("entry")
        return RecordedEvent(
            stamp: stamp,
            subject: try event.id("record"),
            stream: entry,
            entry: entry,
            event: try change(event),
            reason: try event.text("reason") ?? ""
        )
    }

    private static func change(_ event: NativeObject) throws(ModelError) -> JournalEvent {
        switch EventType(named: try event.required("type")) {
        case EntryAdded.type: return .entryAdded(try content(event))
        case EntryCorrected.type: return .entryCorrected(try content(event))
        case PlanChanged.type: return .planChanged(try content(event))
        case EntryRetracted.type: return .entryRetracted
        case EntryRestored.type: return .entryRestored
        default: throw ModelError(.invalid, field: event.path.appending("type").field, "is not a change of an entry")
        }
    }

    private static func content(_ event: NativeObject) throws(ModelError) -> EntryContent {
        guard let kind = Kind.named(try event.required("kind")) else {
            throw ModelError(.invalid, field: event.path.appending("kind").field, "there is no such kind of entry")
        }
        return try event.object("data").decodeContent(of: kind)
    }
}
