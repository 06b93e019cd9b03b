package import FoundationEssentials
package import HealthModel

extension NativeDocument {
    /// Decodes a record that a journal's own service returned, with its times and authors.
    ///
    /// The content is not validated again.
    package static func decode(_ root: NativeObject) throws(ModelError) -> RecordState {
        let subject: Subject
        do { subject = try Subject(named: root.required("subject")) } catch {
            throw error.at(root.path.appending("subject"))
        }
        var state = RecordState(
            id: try root.id("id"),
            profile: RecordProfile(subject: subject),
            owners: [],
            created: try root.stamp("createdAt")
        )
        state.updated = try root.stamp("updatedAt")
        state.closed = try root.optionalStamp("closedAt")
        let profile = try root.object("profile")
        state.profile.values = try profile.values(of: state.profile.fields)
        state.profile.inferred = try profile.inferred()
        state.profile.extra = try profile.extra(
            known: Set(state.profile.fields.map(\.name)).union(["inferred", "extra"])
        )
        if let until = try root.optionalDay("heldUntil") {
            state.hold = Hold(until: until, set: Stamp(position: 0, recordedAt: state.createdAt, actor: .unspecified))
        }
        let entries = try root.object("entries")
        for kind in Kind.all where entries.members.contains(where: { $0.name == kind.name }) {
            for entry in try entries.objects(kind.name) {
                state.entries.append(try decode(entry, of: kind, in: state.id))
            }
        }
        return state
    }

    /// Decodes an entry of a kind that a journal's own service returned.
    package static func decode(
        _ entry: NativeObject,
        of kind: Kind,
        in record: UUID
    ) throws(ModelError) -> EntryState {
        var state = EntryState(
            id: try entry.id("id"),
            record: record,
            content: try entry.decodeContent(of: kind),
            added: try entry.stamp("addedAt", by: "addedBy")
        )
        state.corrected = try entry.optionalStamp("correctedAt", by: "correctedBy")
        state.retracted = try entry.optionalStamp("retractedAt")
        state.latest = state.retracted ?? state.corrected ?? state.added
        state.latest.position = try entry.number("position")
        return state
    }

    /// Encodes the content of an entry, for a request that adds or corrects one.
    package static func write(_ content: EntryContent) -> JSONValue { .object(members(of: content)) }
}
