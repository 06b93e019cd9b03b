internal import FoundationEssentials
package import HealthModel

/// The overview page of a record: urgent information first, then the newest entries of each kind.
package struct RecordPage: WebPage {
    package static let template = Template("record")
    /// The maximum number of entries of a kind that are shown.
    package static let entries = 5
    /// The same maximum for urgent information: an allergy that the page omits would be overlooked.
    package static let urgentEntries = 200

    package let head: RecordHead
    package let sections: [KindSection]
    /// Kinds without any entries.
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

    /// Creates the page from the entries of `state`, up to the maximum of each kind; one more sets `hasMore`.
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
        // An empty urgent section, such as no known allergies, is information; other empty sections are not shown.
        sections = all.filter { !$0.isEmpty || $0.isUrgent }
        let items = all.filter { $0.isEmpty && !$0.isUrgent }
            .compactMap { section in
                section.addAddress.map { More.Item(address: $0, label: section.label, addLabel: section.addLabel) }
            }
        more = items.isEmpty ? nil : More(items: items)
        let fields = state.profile.shown(reader)
        profile = fields.isEmpty ? nil : Profile(fields: fields)
    }

    /// The order of kinds: allergies come first, then what else the emergency view shows.
    static let order =
        [Allergy.kind] + Kind.all.filter { Emergency.kinds.contains($0) && $0 != Allergy.kind }
        + Kind.all.filter { !Emergency.kinds.contains($0) }
}

/// The entries of a kind under a heading.
package struct KindSection: Sendable {
    package let name: String
    package let label: String
    package let address: String
    package let addAddress: String?
    package let addLabel: String
    /// Nil for a kind without a chart, or without entries.
    package let chartAddress: String?
    package let chartLabel: String
    package let entries: [EntryLine]
    package let hasMore: Bool
    package let isEmpty: Bool
    package let isUrgent: Bool
    /// Entries that were added since the moment that the page shows.
    package var added: Added?

    package struct Added: Sendable {
        package let description: String
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
        label = reader.words.label(kind.plural)
        address = "\(head.address)/entries/\(kind.name)\(head.moment.query)"
        // Only imports bring resources of other systems.
        addAddress = mayAdd && kind != Foreign.kind ? "\(head.address)/entries/\(kind.name)/new" : nil
        addLabel = reader.words["addTo", reader.words.label(kind.label)]
        let hasChart = !entries.isEmpty && ChartPage.kindsOfValues.contains(kind)
        chartAddress = hasChart ? "\(head.address)/entries/\(kind.name)/chart\(head.moment.query)" : nil
        chartLabel = "\(reader.words["chart"])\(reader.words["colon"]) \(label)"
        self.entries = entries
        self.hasMore = hasMore
        isEmpty = entries.isEmpty
        self.isUrgent = isUrgent
    }
}

extension [EntryState] {
    /// Sorted by when they happened, latest first; entries without a date come last, and ties are sorted by position.
    package var latestFirst: [EntryState] {
        sorted { left, right in
            let (first, second) = (left.sortKey, right.sortKey)
            return first == second ? left.added.position > right.added.position : first > second
        }
    }
}

extension EntryState {
    /// The sort key of the entry's date; without a date it is least, so that the entry comes last.
    var sortKey: Int64 { content.date?.sortKey ?? .min }
}

extension OccurredDate {
    /// The sort key of a date in microseconds; a day, a month or a year sorts as its first moment.
    var sortKey: Int64 {
        switch self {
        case .date(let date): date.firstDay.startInstant.microseconds
        case .instant(let instant): instant.microseconds
        }
    }
}

extension RecordProfile {
    /// The profile's fields, without those that only machines need.
    func shown(_ reader: Reader) -> [LabelledText] {
        fields.leaves.filter { !RecordProfile.hidden.contains($0.name) }
            .compactMap { path in
                values[path].map { LabelledText(reader.words.label(path.label), reader.text(of: $0, path)) }
            }
    }

    /// Fields that are stored only for round trips with Purus Health.
    static let hidden: Set<String> = ["isCloudEnabled", "isSharingEnabled", "cloudShareRecordName", "recordLocation"]
}
