import FoundationEssentials
package import HealthModel

extension NativeEvent {
    /// Reads an event of an entry as its own journal told it.
    package static func told(_ event: NativeObject) throws(ModelError) -> RecordedEvent {
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
        case .entryAdded: return .entryAdded(try content(event))
        case .entryCorrected: return .entryCorrected(try content(event))
        case .entryRetracted: return .entryRetracted
        case .entryRestored: return .entryRestored
        default: throw ModelError(.invalid, field: event.path.appending("type").field, "is no change of an entry")
        }
    }

    private static func content(_ event: NativeObject) throws(ModelError) -> EntryContent {
        guard let kind = Kind.named(try event.required("kind")) else {
            throw ModelError(.invalid, field: event.path.appending("kind").field, "there is no such kind of entry")
        }
        return try event.object("data").toldContent(of: kind)
    }
}
