package import FoundationEssentials
package import HealthModel

extension PurusDocument {
    /// Writes a record in the flat CloudKit shape, counted from 1970: each `…Entries` field is text that holds an array.
    ///
    /// What that shape has no key for is written beside its keys, under names that ``read(_:options:)`` understands, so
    /// that importing the export changes nothing. Retracted entries are left out, since the shape cannot say it of them.
    /// `namespace` is the one from which the ids of the record's entries are derived. `attachment` gives the bytes of a
    /// document; without them the export names the document alone.
    package static func write(
        _ state: RecordState,
        namespace: UUID,
        scope: ExportScope = ExportScope(),
        attachment: (EntryState) -> [UInt8]? = { _ in nil }
    ) -> JSONValue {
        let extra =
            scope.includesUnknownFields ? state.profile.extra : state.profile.extra.filter { PurusKept($0) != nil }
        let record = PurusFormWriter(
            PurusForm(state.profile),
            .profile(of: state.profile.subject),
            extra: extra,
            id: .init("uuid", .string(state.id.uuidString))
        )
        var (known, unknown) = record.split(extra)
        var scope = scope
        scope.includeRetracted = false
        var ids = PurusIds(namespace: namespace)
        let entries = Dictionary(grouping: state.entries.lazy.filter(scope.includes), by: \.content.kind)
        for kind in PurusKind.all {
            let items = (entries[kind.kind] ?? [])
                .map { entry in
                    write(entry, kind, attachment: attachment(entry), ids: &ids)
                }
            guard !items.isEmpty || PurusKind.namesOfPurus.contains(kind.cloudKitName) else { continue }
            known.append(.init(kind.cloudKitName, .string(JSONWriter.text(.array(items)))))
        }
        unknown.removeAll { member in known.contains { $0.name == member.name } }
        return .object(known + unknown)
    }

    private static func write(
        _ entry: EntryState,
        _ kind: PurusKind,
        attachment: [UInt8]?,
        ids: inout PurusIds
    ) -> JSONValue {
        let content = entry.content
        // Where a reader would derive the same id, the shape's own keys suffice.
        let isDerived = ids.next(content) == entry.id && kind.idName == nil
        let idName = content.extra.compactMap(PurusKept.init).first { idNames.contains($0.name) }?.name
        let hasID = idName != nil || !isDerived
        let writer = PurusFormWriter(
            PurusForm(content, attachment: attachment),
            kind.keys,
            extra: content.extra,
            id: hasID ? .init(idName ?? kind.idName ?? "uuid", .string(entry.id.uuidString)) : nil,
            stamps: kind.hasStamps ? stamps(of: entry) : []
        )
        return .object(writer.members)
    }

    /// When the source's app made its copy, or else when the journal took the entry.
    private static func stamps(of entry: EntryState) -> [JSONValue.Member] {
        func kept(_ name: String) -> JSONValue? { entry.content.extra.first { $0.name == name }?.value }
        func seconds(_ stamp: Stamp) -> JSONValue { .number(stamp.recordedAt.secondsSince1970.description) }
        let updated = entry.corrected.map(seconds) ?? kept(PurusStamps.updated) ?? seconds(entry.added)
        return [
            .init(PurusStamps.created, kept(PurusStamps.created) ?? seconds(entry.added)),
            .init(PurusStamps.updated, updated),
        ]
    }
}

extension PurusFormWriter {
    /// The members of a record, those that no shape knows apart: the entries stand between.
    fileprivate func split(_ extra: [Extra]) -> ([JSONValue.Member], unknown: [JSONValue.Member]) {
        let names = Set(extra.map(\.name))
        return (members.filter { !names.contains($0.name) }, members.filter { names.contains($0.name) })
    }
}
