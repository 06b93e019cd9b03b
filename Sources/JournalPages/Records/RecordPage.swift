internal import FoundationEssentials
package import HealthModel

/// A record at a glance: what matters in a hurry first, of every kind the newest.
package struct RecordPage: WebPage {
    package static let template = "record"
    /// How many entries of a kind are shown.
    package static let entries = 5
    /// The same of what is needed in a hurry: an allergy that is not on the page is one that nobody knows of.
    package static let urgentEntries = 200

    package let head: RecordHead
    package let sections: [KindSection]
    /// Kinds of which there is nothing yet.
    package let more: More?
    package let profile: Profile?

    package struct More: Sendable {
        package let items: [Item]

        package struct Item: Sendable {
            package let address: String
            package let label: String
            package let addLabel: String
        }
    }

    package struct Profile: Sendable {
        package let fields: [LabelledText]
    }

    /// Shows as many entries of a kind as there is room for; one more says that there are more.
    package init(
        _ head: RecordHead,
        _ state: RecordState,
        sees kinds: Set<Kind>,
        mayAdd: Set<Kind>,
        _ names: Names,
        _ reader: Reader
    ) {
        self.head = head
        let isPast = head.moment.isPast
        let all = RecordPage.order.filter(kinds.contains)
            .map { kind in
                let entries = state.entries.filter { $0.kind == kind }.latestFirst
                let isUrgent = Emergency.kinds.contains(kind)
                let most = isUrgent ? RecordPage.urgentEntries : RecordPage.entries
                return KindSection(
                    kind,
                    head,
                    entries.prefix(most).map { EntryLine($0, reader, names) },
                    hasMore: entries.count > most,
                    mayAdd: mayAdd.contains(kind) && !isPast,
                    isUrgent: isUrgent,
                    reader
                )
            }
        // That nothing is known of an allergy is worth a line; that no document was filed is not.
        sections = all.filter { !$0.isEmpty || $0.isUrgent }
        let items = all.filter { $0.isEmpty && !$0.isUrgent }
            .compactMap { section in
                section.addAddress.map { More.Item(address: $0, label: section.label, addLabel: section.addLabel) }
            }
        more = items.isEmpty ? nil : More(items: items)
        let fields = state.profile.shown(reader)
        profile = fields.isEmpty ? nil : Profile(fields: fields)
    }

    /// What somebody needs who treats a stranger comes first.
    static let order = Kind.all.filter(Emergency.kinds.contains) + Kind.all.filter { !Emergency.kinds.contains($0) }
}

/// The entries of a kind, under its name.
package struct KindSection: Sendable {
    package let name: String
    package let label: String
    package let address: String
    package let addAddress: String?
    package let addLabel: String
    package let entries: [EntryLine]
    package let hasMore: Bool
    package let isEmpty: Bool
    package let isUrgent: Bool
    /// What came since the moment that the page shows.
    package var added: Added?

    package struct Added: Sendable {
        package let told: String
        package let entries: [EntryLine]
    }

    init(
        _ kind: Kind,
        _ head: RecordHead,
        _ entries: [EntryLine],
        hasMore: Bool,
        mayAdd: Bool,
        isUrgent: Bool = false,
        _ reader: Reader
    ) {
        name = kind.name
        label = reader.words["kind.\(kind.name)"]
        address = "\(head.address)/entries/\(kind.name)\(head.moment.query)"
        addAddress = mayAdd ? "\(head.address)/entries/\(kind.name)/new" : nil
        addLabel = reader.words["addTo", kind.label]
        self.entries = entries
        self.hasMore = hasMore
        isEmpty = entries.isEmpty
        self.isUrgent = isUrgent
    }
}

extension [EntryState] {
    /// By when they happened; what has no date comes last, and what came into the journal last before what was there.
    package var latestFirst: [EntryState] {
        sorted { left, right in
            let (first, second) = (left.content.date?.sortKey ?? .min, right.content.date?.sortKey ?? .min)
            return first == second ? left.added.position > right.added.position : first > second
        }
    }
}

extension OccurredDate {
    /// A day comes where it begins.
    var sortKey: Int64 {
        switch self {
        case .day(let day): day.startInstant.microseconds
        case .instant(let instant): instant.microseconds
        }
    }
}

extension RecordProfile {
    /// What it says, without what only machines read.
    func shown(_ reader: Reader) -> [LabelledText] {
        fields.leaves.filter { !RecordProfile.hidden.contains($0.name) }
            .compactMap { path in values[path].map { LabelledText(path.label, reader.text(of: $0, path)) } }
    }

    /// Kept for round trips with Purus Health.
    static let hidden: Set<String> = ["isCloudEnabled", "isSharingEnabled", "cloudShareRecordName", "recordLocation"]
}
