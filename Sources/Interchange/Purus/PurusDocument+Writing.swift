package import FoundationEssentials
package import HealthModel

extension PurusDocument {
    /// Writes a record in the flat CloudKit shape, with times since 1970: each `…Entries` field is text that contains
    /// an array.
    ///
    /// Data for which that shape has no key is written beside its keys, under names that ``read(_:options:)``
    /// understands, so that importing the export changes nothing. Retracted entries are left out, since the shape
    /// cannot mark them as such. `namespace` is the one from which the ids of the record's entries are derived.
    /// `attachment` returns the bytes of a document; if it returns nil, the export contains only the document's other
    /// fields.
    package static func write(
        _ state: RecordState,
        namespace: UUID,
        scope: ExportScope = ExportScope(),
        attachment: (EntryState) -> [UInt8]? = { _ in nil }
    ) -> JSONValue {
        var writer = PurusWriter(state, namespace: namespace, scope: scope)
        let entries = Dictionary(grouping: state.entries.lazy.filter(writer.scope.includes), by: \.content.kind)
        var members = writer.opening
        for kind in PurusKind.all {
            let items = (entries[kind.kind] ?? []).map { writer.item($0, of: kind, attachment: attachment($0)) }
            guard kind.isWritten(isEmpty: items.isEmpty) else { continue }
            members.append(.init(kind.cloudKitName, .string(JSONWriter.text(.array(items)))))
        }
        return .object(members + writer.closing(after: members.map(\.name)))
    }
}

extension PurusKind {
    /// Whether a document has the member of this kind: Purus Health expects its own kinds even if they have no entries.
    package func isWritten(isEmpty: Bool) -> Bool { !isEmpty || PurusKind.namesOfPurus.contains(cloudKitName) }
}

/// Writes the parts of a Purus document: what precedes the entries, each entry, and what follows them.
package struct PurusWriter {
    /// Which entries the document holds.
    package let scope: ExportScope
    /// The members before the entries.
    package let opening: [JSONValue.Member]
    private let unknown: [JSONValue.Member]
    private var ids: PurusIds

    package init(_ state: RecordState, namespace: UUID, scope: ExportScope) {
        let extra =
            scope.includesUnknownFields ? state.profile.extra : state.profile.extra.filter { PurusKept($0) != nil }
        let record = PurusFormWriter(
            PurusForm(state.profile),
            .profile(of: state.profile.subject),
            extra: extra,
            id: .init("uuid", .string(state.id.uuidString))
        )
        (opening, unknown) = record.split(extra)
        var scope = scope
        scope.includeRetracted = false
        self.scope = scope
        ids = PurusIds(namespace: namespace)
    }

    /// Encodes one entry.
    ///
    /// Entries must be passed in the order of the kinds in ``PurusKind/all``, and those of a kind in the order of
    /// addition.
    package mutating func item(_ entry: EntryState, of kind: PurusKind, attachment: [UInt8]?) -> JSONValue {
        let content = entry.content
        // If a reader would derive the same id, the shape's own keys suffice.
        let isDerived = ids.next(content) == entry.id && kind.idName == nil
        let idName = content.extra.compactMap(PurusKept.init).first { PurusDocument.idNames.contains($0.name) }?.name
        let hasID = idName != nil || !isDerived
        let writer = PurusFormWriter(
            PurusForm(content, attachment: attachment),
            kind.keys,
            extra: content.extra,
            id: hasID ? .init(idName ?? kind.idName ?? "uuid", .string(entry.id.uuidString)) : nil,
            stamps: kind.hasStamps ? PurusWriter.stamps(of: entry) : []
        )
        return .object(writer.members)
    }

    /// The members that no shape defines, without names that the document already has.
    package func closing(after names: [String]) -> [JSONValue.Member] {
        let names = Set(names)
        return unknown.filter { !names.contains($0.name) }
    }

    /// The times at which the source's app created and changed its copy, or else those at which the journal recorded
    /// the entry.
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
    /// Separates the members of a record from those that no shape defines, because the entries come between them.
    fileprivate func split(_ extra: [Extra]) -> ([JSONValue.Member], unknown: [JSONValue.Member]) {
        let names = Set(extra.map(\.name))
        return (members.filter { !names.contains($0.name) }, members.filter { names.contains($0.name) })
    }
}
