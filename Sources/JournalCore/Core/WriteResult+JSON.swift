package import HealthModel
package import Interchange

extension WriteResult {
    /// The result as members of a JSON object.
    package var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("position", .integer(position))]
        if let record { members.append(.init("record", .string(record.text))) }
        if let entry { members.append(.init("entry", .string(entry.text))) }
        if let account { members.append(.init("account", .string(account.text))) }
        if let id { members.append(.init("id", .string(id.text))) }
        if !moved.isEmpty { members.append(.init("moved", .array(moved.map(\.json)))) }
        members.append(.init("changed", .bool(isChanged)))
        return members
    }

    /// Reads a result that a journal's own service returned; `version` is that of the answer's entity tag.
    package init(_ answer: NativeObject, version: UInt64? = nil) throws(ModelError) {
        self.init(
            position: try answer.number("position"),
            version: version,
            record: try answer.optionalID("record"),
            entry: try answer.optionalID("entry"),
            account: try answer.optionalID("account"),
            id: try answer.optionalID("id"),
            isChanged: try answer.flag("changed")
        )
        if answer.members.contains(where: { $0.name == "moved" }) {
            moved = try answer.objects("moved").map { object throws(ModelError) in try MovedAppointment(object) }
        }
    }
}
