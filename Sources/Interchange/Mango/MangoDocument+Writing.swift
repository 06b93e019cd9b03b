package import FoundationEssentials
package import HealthModel

/// Writes the document of a user, one entry after the other.
package struct MangoWriter {
    private let profile: RecordProfile
    private let renderer: MangoRenderer
    private let doses: MangoDoses

    /// Creates the writer of a record.
    ///
    /// `doses` are those of the record. `zone` returns the time zone of an IANA name or, for nil, that of a user
    /// without one.
    package init(
        _ state: RecordState,
        scope: ExportScope,
        doses: MangoDoses,
        zone: (String?) -> TimeZone
    ) {
        var profile = state.profile
        if !scope.includesUnknownFields { profile.extra = [] }
        self.profile = profile
        let kept = MangoWriter.kept(profile.extra, "$" + MangoNames.key)
        let user = if case .string(let id)? = kept?.source { id } else { state.id.text }
        renderer = MangoRenderer(
            user: user,
            dates: MangoDates(zone: zone(state.profile.values.text(RecordProfile.zone)))
        )
        self.doses = doses
    }

    /// The id of the user in the document.
    package var user: String { renderer.user }

    /// The members before the collections.
    ///
    /// `account` is that of the owner of the record; nil for a reader who may not see it.
    package func opening(_ account: MangoAccount?, createdAt: Instant, lastLoginAt: Instant?) -> [JSONValue.Member] {
        guard let account else { return [.init("id", .string(user))] }
        let own: Set<String> = [
            MangoNames.created, MangoNames.lastLogin, MangoNames.caregivers, "$" + MangoNames.key,
        ]
        var members = MangoKept.restored(renderer.members(account), from: profile.extra, ignoring: own)
        members += time(MangoNames.created, else: createdAt)
        members += lastLoginAt.map { [.init(MangoNames.lastLogin, .time($0))] } ?? time(MangoNames.lastLogin, else: nil)
        let kept = MangoWriter.kept(profile.extra, MangoNames.caregivers)
        if let kept, hasSameCaregivers(account.caregivers, kept) {
            members += kept.source.map { [.init(MangoNames.caregivers, $0)] } ?? []
        } else if kept != nil || !account.caregivers.isEmpty {
            members.append(.init(MangoNames.caregivers, MangoRenderer.document(of: account.caregivers)))
        }
        return members
    }

    /// Reports whether the caregivers have the access that the source states.
    ///
    /// Those of the source who got no access here, because they have no account, do not count.
    private func hasSameCaregivers(_ caregivers: [MangoCaregiver], _ kept: MangoKept) -> Bool {
        guard case .array(let items)? = kept.rendered else { return false }
        let users = Set(caregivers.map { JSONValue.string($0.user) })
        let known = items.filter { $0["caregiverId"].map(users.contains) ?? false }
        return .array(known) == MangoRenderer.identity(of: caregivers).withSortedMembers
    }

    /// The ids of the caregivers in the document from which the record was imported.
    package var knownCaregivers: Set<String> {
        guard case .array(let items)? = MangoWriter.kept(profile.extra, MangoNames.caregivers)?.rendered else {
            return []
        }
        return Set(items.compactMap { if case .string(let id)? = $0["caregiverId"] { id } else { nil } })
    }

    /// The time that the source states, or else one of the journal.
    private func time(_ name: String, else instant: Instant?) -> [JSONValue.Member] {
        let kept = MangoWriter.kept(profile.extra, name)
        guard kept == nil else { return kept?.source.map { [.init(name, $0)] } ?? [] }
        return instant.map { [.init(name, .time($0))] } ?? []
    }

    /// The names of the collections with the kinds of their entries, in the order in which they are written.
    package static let collections: [(name: String, kind: Kind)] = MangoCollection.all.map { ($0.name, $0.kind) }

    /// The document of an entry, and its id in its collection.
    package func document(_ entry: EntryState) -> JSONValue.Member? {
        guard let collection = MangoCollection.all.first(where: { $0.kind == entry.kind }) else { return nil }
        let content = entry.content
        let rendered = renderer.members(entry.id, content, of: collection, doses: doses.last[entry.id] ?? [:])
        let key = "$" + MangoNames.key
        let own: Set<String> = collection.hasUpdates ? [MangoNames.created, MangoNames.updated, key] : [key]
        var members = MangoKept.restored(rendered, from: content.extra, of: entry.id, ignoring: own)
        if collection.hasUpdates {
            let created = MangoWriter.kept(content.extra, MangoNames.created)
            let updated = MangoWriter.kept(content.extra, MangoNames.updated)
            let isNew = created == nil && updated == nil
            if collection == .medications, isNew, !members.contains(where: { $0.name == "startDate" }) {
                members.append(.init("startDate", .time(entry.added.recordedAt)))
            }
            if let value = isNew ? .time(entry.added.recordedAt) : created?.source {
                members.append(.init(MangoNames.created, value))
            }
            let isSame = updated?.rendered == .string(MangoRenderer.digest(of: rendered, entry.id))
            if let value = isSame ? updated?.source : .time(entry.latest.recordedAt) {
                members.append(.init(MangoNames.updated, value))
            }
        }
        let name: String =
            if case .string(let text)? = MangoWriter.kept(content.extra, key)?.source {
                text
            } else {
                MangoDocument.shownID(members) ?? entry.id.text
            }
        return .init(name, .object(members))
    }

    private static func kept(_ extra: [Extra], _ name: String) -> MangoKept? {
        extra.first { $0.name == MangoKept.prefix + name }.flatMap(MangoKept.init)
    }
}
