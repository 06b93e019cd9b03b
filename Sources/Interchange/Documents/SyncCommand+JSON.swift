import FoundationEssentials
package import HealthModel

/// A change that a device sends, as one line of JSON.
extension SyncCommand {
    private static let members: Set<String> = [
        "id", "device", "seq", "madeAt", "record", "entry", "kind", "do", "base", "content", "reason",
    ]

    /// Reads a line; throws an error that names the member at fault.
    package init(_ object: NativeObject, now: Instant) throws(ModelError) {
        try object.requireOnly(SyncCommand.members)
        let id = try object.required("id")
        guard (1...SyncCommand.idLength).contains(id.utf8.count) else {
            throw ModelError(.invalid, field: "id", "must have 1 to \(SyncCommand.idLength) bytes")
        }
        let kind = try object.kind()
        guard let action = Action(rawValue: try object.required("do")) else {
            let names = Action.allCases.map(\.rawValue).joined(separator: ", ")
            throw ModelError(.invalid, field: "do", "must be one of \(names)")
        }
        let hasContent = object.members.contains { $0.name == "content" && $0.value != .null }
        let entry = try object.id("entry")
        var (content, snooze, settlement): (EntryContent?, Snooze?, DivergenceSettled?)
        switch action {
        case .snooze: snooze = try Snooze(object.object("content"), plan: entry)
        case .settle: settlement = try DivergenceSettled(object.object("content"))
        case _ where hasContent:
            // The time of a dose is checked once it is corrected by the distance of the clocks.
            let latest = kind == Dose.kind ? now.adding(microseconds: SyncCommand.clockError) : now
            content = try object.object("content").content(of: kind, now: latest)
        default: break
        }
        var base: UInt64?
        if object.members.contains(where: { $0.name == "base" && $0.value != .null }) {
            base = try object.number("base")
        }
        self.init(
            id: id,
            device: try object.id("device"),
            seq: try object.number("seq"),
            madeAt: try object.instant("madeAt"),
            record: try object.id("record"),
            entry: entry,
            kind: kind,
            action: action,
            base: base,
            content: content,
            snooze: snooze,
            settlement: settlement,
            reason: try JournalEvent.received(reason: object.text("reason") ?? "")
        )
    }

    package var json: JSONValue {
        .present([
            "id": .string(id), "device": .string(device.text), "seq": .integer(seq), "madeAt": .time(madeAt),
            "record": .string(record.text), "entry": .string(entry.text), "kind": .string(kind.name),
            "do": .string(action.rawValue), "base": base.map { .integer($0) } ?? .null,
            "content": content.map { NativeDocument.write($0) } ?? snooze?.json ?? settlement?.json,
            "reason": reason.isEmpty ? nil : .string(reason),
        ])
    }
}

extension Snooze {
    fileprivate init(_ object: NativeObject, plan: UUID) throws(ModelError) {
        try object.requireOnly(["slot", "until"])
        let slot = try object.parsed("slot") { text throws(ModelError) in try Slot(parsing: text) }
        guard let slot else { throw ModelError(.invalid, field: object.path.appending("slot").field, "is required") }
        self.init(plan: plan, slot: slot, until: try object.instant("until"))
    }

    fileprivate var json: JSONValue { ["slot": .string(slot.description), "until": .time(until)] }
}

extension DivergenceSettled {
    fileprivate init(_ object: NativeObject) throws(ModelError) {
        try object.requireOnly(["position", "choice"])
        guard let choice = Choice(rawValue: try object.required("choice")) else {
            let names = Choice.allCases.map(\.name).joined(separator: ", ")
            throw ModelError(.invalid, field: object.path.appending("choice").field, "must be one of \(names)")
        }
        self.init(position: try object.number("position"), choice: choice)
    }

    fileprivate var json: JSONValue { ["position": .integer(position), "choice": .string(choice.name)] }
}

extension NativeObject {
    fileprivate func requireOnly(_ names: Set<String>) throws(ModelError) {
        if let unknown = members.first(where: { !names.contains($0.name) }) {
            throw ModelError(.invalid, field: path.appending(unknown.name).field, "there is no such member")
        }
    }
}
