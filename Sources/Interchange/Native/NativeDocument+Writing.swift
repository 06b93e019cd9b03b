package import HealthModel
import FoundationEssentials

extension NativeDocument {
    /// Encodes the state of a record.
    ///
    /// `asOf` is the last event that the state includes.
    package static func write(
        _ state: RecordState,
        asOf: Stamp? = nil,
        scope: ExportScope = ExportScope()
    ) -> JSONValue {
        .object(opening(asOf: asOf) + members(of: state, scope: scope))
    }

    /// The first members of a document: its format, and the moment of its state.
    package static func opening(asOf: Stamp?) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("format", .string(format))]
        if let asOf {
            let moment: [JSONValue.Member] = [
                .init("position", .integer(asOf.position)),
                .init("recordedAt", .string(asOf.recordedAt.description)),
            ]
            members.append(.init("asOf", .object(moment)))
        }
        return members
    }

    /// The members after the opening, which depend only on the state of the record and not on the moment of the read.
    package static func members(of state: RecordState, scope: ExportScope = ExportScope()) -> [JSONValue.Member] {
        head(of: state, scope: scope) + [.init("entries", entries(state, scope))]
    }

    /// The members of a record before its entries, which come last.
    package static func head(of state: RecordState, scope: ExportScope) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("id", .string(state.id.text)),
            .init("subject", .string(state.profile.subject.name)),
            .init("displayName", .string(state.profile.displayName)),
            .init("createdAt", .string(state.created.recordedAt.description)),
            .init("updatedAt", .string(state.updated.recordedAt.description)),
        ]
        if let closed = state.closed { members.append(.init("closedAt", .string(closed.recordedAt.description))) }
        if let hold = state.hold { members.append(.init("heldUntil", .string(hold.until.description))) }
        members.append(.init("profile", profile(state.profile, scope)))
        return members
    }

    static func profile(_ profile: RecordProfile, _ scope: ExportScope = ExportScope()) -> JSONValue {
        var members = FieldCodec.native.members(profile.values, of: profile.fields)
        members += unsaid(profile.inferred, scope.includesUnknownFields ? profile.extra : [])
        return .object(members)
    }

    private static func entries(_ state: RecordState, _ scope: ExportScope) -> JSONValue {
        let entries = Dictionary(grouping: state.entries.lazy.filter(scope.includes), by: \.content.kind)
        return .object(
            Kind.all.compactMap { kind in
                entries[kind].map { .init(kind.name, .array($0.map(entry))) }
            }
        )
    }

    /// Encodes one entry, for a document or for a response of its own.
    package static func entry(_ entry: EntryState) -> JSONValue {
        var members: [JSONValue.Member] = [.init("id", .string(entry.id.text))]
        members += self.members(of: entry.content)
        members += [
            .init("addedAt", .string(entry.added.recordedAt.description)),
            .init("addedBy", .string(entry.added.actor.text)),
        ]
        if let corrected = entry.corrected {
            members += [
                .init("correctedAt", .string(corrected.recordedAt.description)),
                .init("correctedBy", .string(corrected.actor.text)),
            ]
        }
        if let retracted = entry.retracted {
            members.append(.init("retractedAt", .string(retracted.recordedAt.description)))
        }
        members.append(.init("position", .integer(entry.latest.position)))
        return .object(members)
    }

    /// The members of an entry's content, without the journal's metadata, as in the event that adds the entry.
    static func members(of content: EntryContent) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if let date = content.date { members.append(.init("date", .string(date.description))) }
        members += FieldCodec.native.members(content.body, of: content.kind.fields)
        if !content.comment.isEmpty { members.append(.init("comment", .string(content.comment))) }
        if content.voiceEntryUsed { members.append(.init("voiceEntryUsed", .bool(true))) }
        return members + unsaid(content.inferred, content.extra)
    }

    /// The names of inferred fields, and the extra fields that no format defines.
    private static func unsaid(_ inferred: [String], _ extra: [Extra]) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if !inferred.isEmpty { members.append(.init("inferred", .array(inferred.map { .string($0) }))) }
        if !extra.isEmpty {
            members.append(.init("extra", .object(extra.map { .init($0.name, $0.value) })))
        }
        return members
    }
}
