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
        case EntryErased.type: return JournalEvent(try EntryErased(event))
        case EntryDiverged.type: return .entryDiverged(try EntryDiverged(event.object("data")))
        case DivergenceSettled.type:
            let data = try event.object("data")
            let choice = try data.choice("choice", DivergenceSettled.Choice.self)
            return .divergenceSettled(try data.number("position"), choice)
        default: throw ModelError(.invalid, field: event.path.appending("type").field, "is not a change of an entry")
        }
    }

    private static func content(_ event: NativeObject) throws(ModelError) -> EntryContent {
        let kind = try event.kind()
        return try event.object("data").decodeContent(of: kind)
    }
}

extension EntryErased {
    fileprivate init(_ event: NativeObject) throws(ModelError) {
        self.init()
        guard event.members.contains(where: { $0.name == "data" && $0.value != .null }) else { return }
        for item in try event.object("data").objects("copies") { copies.append(try EntryCopy(item)) }
    }
}

extension EntryDiverged {
    fileprivate init(_ data: NativeObject) throws(ModelError) {
        let kind = try data.kind()
        let origin = ChangeOrigin(madeAt: try data.instant("madeAt"), device: try data.optionalID("device"))
        self.init(
            base: data.members.contains { $0.name == "base" } ? try data.number("base") : nil,
            writer: ChangeWriter(author: try data.id("author"), origin: origin),
            fields: try data.texts("fields"),
            content: try data.object("values").decodeContent(of: kind),
            isRetracted: try data.flag("retracted"),
            isSettled: try data.flag("settled")
        )
    }
}
