internal import FoundationEssentials
package import HealthModel

/// The page of one entry, with its history.
package struct EntryPage: WebPage {
    package static let template = Template("entry")

    package let head: RecordHead
    package let address: String
    package let kindAddress: String
    package let kindLabel: String
    package let what: String
    package let fields: [LabelledText]
    package let fileAddress: String?
    /// Whether the file is an image that browsers show.
    package let showsImage: Bool
    /// The address of the page that lists who saw the entry; nil when the reader may not see that.
    package let accessAddress: String?
    /// The address of the page on which to decide between two versions; nil if there is nothing to decide.
    package let twoVersionsAddress: String?
    package let isRetracted: Bool
    package let mayChange: Bool
    /// The versions of the entry, latest first.
    package let versions: [Version]
    package let hasVersions: Bool

    /// The form that undoes the last change; nil if the reader may not, or if it is none that can be undone.
    package let undo: Undo?

    package struct Undo: Sendable {
        package let position: UInt64
        /// The idempotency key of the form.
        package let key: String
        /// Whether the change was just made, so that undoing it is offered beside it.
        package let isOffered: Bool
    }

    package struct Version: Sendable {
        package let what: String
        package let when: String
        package let iso: String
        package let who: String
        package let position: UInt64
        package let reason: String?
        package let changes: [ShownChange]
        package let hasChanges: Bool
    }

    package init(
        _ head: RecordHead,
        _ entry: EntryState,
        _ history: [RecordedEvent],
        mayChange: Bool,
        isJustChanged: Bool = false,
        showsImage: Bool = false,
        key: String = "",
        _ names: Names,
        _ reader: Reader
    ) {
        self.head = head
        let kind = entry.kind
        kindAddress = "\(head.address)/entries/\(kind.name)"
        address = "\(kindAddress)/\(entry.id.text)"
        kindLabel = reader.words.label(kind.plural)
        let content = entry.content
        let shown = content.shown(reader)
        what = shown.what
        var fields = [LabelledText(reader.words["date"], content.date.map(reader.occurred) ?? reader.words["noDate"])]
        fields += shown.details
        if !content.comment.isEmpty { fields.append(LabelledText(reader.words["comment"], content.comment)) }
        self.fields = fields
        let hasFile = kind == Document.kind && content.body.group(Document.content) != nil
        fileAddress = hasFile ? "/v1\(address)/content" : nil
        self.showsImage = showsImage && hasFile
        accessAddress = head.mayAudit ? "\(head.address)/access?entry=\(entry.id.text)" : nil
        twoVersionsAddress = EntryDivergence.open(in: history).isEmpty ? nil : "\(head.address)/versions"
        isRetracted = entry.isRetracted
        self.mayChange = mayChange
        let effect = history.last?.type.entryEffect
        undo =
            mayChange && effect != nil && effect != .annotates && effect != .erases
            ? Undo(position: entry.latest.position, key: key, isOffered: isJustChanged) : nil
        var before: EntryContent?
        versions =
            history.map { event in
                let content = event.event.content ?? (event.event.data as? EntryDiverged)?.content
                let changes = content.map { $0.shownChanges(from: before, reader) } ?? []
                before = event.event.content ?? before
                return Version(
                    what: reader.words.label(event.type.label),
                    when: reader.exactMoment(event.stamp.recordedAt),
                    iso: event.stamp.recordedAt.description,
                    who: names[event.stamp.actor, reader],
                    position: event.stamp.position,
                    reason: event.reason.isEmpty ? nil : event.reason,
                    changes: changes,
                    hasChanges: !changes.isEmpty
                )
            }
            .reversed()
        hasVersions = !versions.isEmpty
    }
}
