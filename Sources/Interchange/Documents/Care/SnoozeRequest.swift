package import FoundationEssentials
package import HealthModel

/// A request to postpone the reminders of a planned dose.
package struct SnoozeRequest: APIDocument, Hashable {
    /// The medication or the supplement.
    package var plan: UUID
    package var target: DoseRequest.Target
    package var until: DoseRequest.Moment

    package init(plan: UUID, target: DoseRequest.Target, until: DoseRequest.Moment) {
        self.plan = plan
        self.target = target
        self.until = until
    }
}

extension SnoozeRequest {
    package static let schema: JSONValue = {
        let members = DoseRequest.schema["properties"]?.members ?? []
        let until: JSONValue = [
            "type": "string", "pattern": .string("^(?:\(JSONSchema.timePattern)|\(JSONSchema.wallTimePattern))$"),
            "description": "An RFC 3339 time, or a time by the person's clock such as 2026-03-02T08:30.",
        ]
        return JSONSchema.object(
            ["of": JSONSchema.identifier, "until": until],
            optional: .object(members.filter { ["slot", "wall"].contains($0.name) })
        )
    }()

    package var json: JSONValue {
        var slot: JSONValue?
        var wall: JSONValue?
        switch target {
        case .slot(let name): slot = .string(name.description)
        case .wall(let moment): wall = .string(moment.description)
        case .open, .asNeeded: break
        }
        return .present([
            "of": .string(plan.text), "slot": slot, "wall": wall, "until": .string(until.text),
        ])
    }

    /// Reads the body of a request; the error names the member that is wrong.
    package init(_ object: NativeObject) throws(ModelError) {
        try object.requireMembers(of: SnoozeRequest.schema)
        self.init(plan: try object.id("of"), target: try DoseRequest.Target(object), until: try object.moment("until"))
    }
}

extension NativeObject {
    fileprivate func moment(_ name: String) throws(ModelError) -> DoseRequest.Moment {
        let moment = try parsed(name) { text throws(ModelError) in try DoseRequest.Moment(parsing: text) }
        guard let moment else { throw ModelError(.invalid, field: path.appending(name).field, "is required") }
        return moment
    }
}
