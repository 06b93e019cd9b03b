internal import FoundationEssentials
package import HealthModel

/// The summary of a record: what must be known in an emergency first, then what is current, then the newest of the rest.
package struct RecordPage: WebPage {
    package static let template = Template("record")
    /// The maximum number of entries that are shown of kinds without a limit of their own.
    private static let entries = 3
    /// The maximum number of names of values, and of vaccinations.
    private static let (names, vaccinations) = (8, 6)
    /// The maximum number of entries of kinds that the page must show completely.
    private static let whole = 200
    /// The maximum number of values of a kind from which the newest of each name are taken.
    private static let values = 60
    /// Kinds that have pages of their own.
    private static let elsewhere: [Kind] = [Dose.kind, Supply.kind, Meal.kind, Interaction.kind, Zone.kind]
    private static let complete: [Kind] = Array(Emergency.kinds) + [Illness.kind, Risk.kind]
    /// The fields to show besides the name, of kinds that have more than a summary needs.
    private static let fields: [Kind: Set<Field>] = [
        Vaccination.kind: [Vaccination.nextDue, Vaccination.validUntil, Vaccination.information]
    ]

    /// The number of the newest entries to read for the page.
    package static let limit = entries + 1
    /// The numbers to read of some kinds: one more than is shown, so that the page can say that there are more.
    package static let limits: [Kind: Int] = Dictionary(
        complete.map { ($0, whole + 1) } + Kind.values.map { ($0, values) } + elsewhere.map { ($0, 0) }
            + [(Vaccination.kind, whole)]
    ) { first, _ in first }

    package let head: RecordHead
    /// The page that offers the kinds of entries to add; nil if the reader may not add any.
    package let addAddress: String?
    /// What is due.
    package let warnings: [TodayPage.Warning]
    package let hasWarnings: Bool
    package let appointment: TodayPage.Warning?
    /// What must be known in an emergency: allergies, and whom to call.
    package let urgent: [KindSection]
    package let hasUrgent: Bool
    /// Nil if the reader may see neither medication nor supplements.
    package let medication: Medication?
    package let illnesses: KindSection?
    /// Earlier illnesses that are not shown.
    package let earlierIllnesses: String?
    package let trends: [ValueTrend]
    package let hasTrends: Bool
    package let valuesAddress: String
    /// Other kinds, with their newest entries.
    package let sections: [KindSection]
    package let profile: Profile?

    /// What is taken at present.
    package struct Medication: Sendable {
        package let address: String
        package let items: [Item]
        package let isEmpty: Bool
        /// How many are not taken any more, in words.
        package let earlier: String?
        package let hasMore: Bool

        package struct Item: Sendable {
            package let name: String
            package let address: String
            /// The dosage, and when how much is taken.
            package let facts: [String]
        }
    }

    package struct Profile: Sendable {
        package let fields: [LabelledText]
    }

    /// Creates the page from the entries of `state` that are within the limits; `now` is the moment that is shown, by the
    /// reader's clock.
    package init(
        _ head: RecordHead,
        _ state: RecordState,
        sees kinds: Set<Kind>,
        mayAdd: Set<Kind>,
        at now: WallMoment,
        appointment: TodayPage.Warning? = nil,
        _ names: Names,
        _ reader: Reader
    ) {
        self.head = head
        self.appointment = appointment
        let isPast = head.moment.isPast
        let words = reader.words
        addAddress = mayAdd.isEmpty || isPast ? nil : "\(head.address)/add"
        func section(_ kind: Kind, _ shown: [EntryState], atMost most: Int, isUrgent: Bool = false) -> KindSection {
            KindSection(
                kind,
                head,
                shown.prefix(most).map { EntryLine($0, reader, names, fields: RecordPage.fields[kind]) },
                hasMore: shown.count > most,
                mayAdd: mayAdd.contains(kind) && !isPast,
                isUrgent: isUrgent,
                reader
            )
        }
        func entries(_ kind: Kind) -> [EntryState] { state.entries.filter { $0.kind == kind }.latestFirst }
        warnings = DueVaccination.all(of: state.entries, on: now.day).map { $0.warning(reader) }
        hasWarnings = !warnings.isEmpty
        // No known allergy is information as well.
        urgent = [Allergy.kind, EmergencyContact.kind].filter(kinds.contains)
            .map { section($0, entries($0), atMost: RecordPage.whole, isUrgent: true) }
        hasUrgent = !urgent.isEmpty
        let isMedicated = kinds.contains(Drug.kind) || kinds.contains(Supplement.kind)
        medication = isMedicated ? Medication(state.entries, head, at: now, reader) : nil
        let ill = entries(Illness.kind)
        let active = ill.filter { !$0.content.hasEnded(by: now.day) }
        illnesses = kinds.contains(Illness.kind) ? section(Illness.kind, active, atMost: RecordPage.whole) : nil
        let past = ill.count - active.count
        earlierIllnesses = past == 0 ? nil : words.count(past, "earlierEntries", reader.number(past))
        trends = Array(
            ValueTrend.all(of: state.entries, at: head.address, query: head.moment.query, reader)
                .prefix(RecordPage.names)
        )
        hasTrends = !trends.isEmpty
        valuesAddress = "\(head.address)/values\(head.moment.query)"
        let own: Set<Kind> = Set(
            [Allergy.kind, EmergencyContact.kind, Illness.kind, Drug.kind, Supplement.kind] + Kind.values
        )
        sections = RecordPage.order
            .filter { kinds.contains($0) && !own.contains($0) && !RecordPage.elsewhere.contains($0) }
            .map { kind in
                switch kind {
                case Vaccination.kind:
                    section(kind, entries(kind).newestOfEachName, atMost: RecordPage.vaccinations)
                case Risk.kind: section(kind, entries(kind), atMost: RecordPage.whole)
                default: section(kind, entries(kind), atMost: RecordPage.entries)
                }
            }
            .filter { !$0.isEmpty }
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
        let place =
            switch kind {
            // Doses and stock are recorded where their plans are shown.
            case Dose.kind: "today"
            case Supply.kind: "stock"
            default: "entries/\(kind.name)/new"
            }
        addAddress = mayAdd ? "\(head.address)/\(place)" : nil
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

extension RecordPage.Medication {
    /// Takes those of the entries that are medication or supplements.
    fileprivate init(_ entries: [EntryState], _ head: RecordHead, at now: WallMoment, _ reader: Reader) {
        let words = reader.words
        let recorded = Plan.Recorded(at: Instant(microseconds: 0), day: Day(daysSince1970: 0))
        let plans = Plan.kinds
            .flatMap { kind in entries.filter { $0.kind == kind }.latestFirst }
            .map { entry in (entry: entry, plan: Plan(id: entry.id, entry.content) { _ in recorded }) }
        let current = plans.filter { !$0.plan.hasEnded(at: now) && !$0.entry.content.hasEnded(by: now.day) }
        address = "\(head.address)/entries/\(Drug.kind.name)\(head.moment.query)"
        items = current.prefix(RecordPage.whole)
            .map { entry, plan in
                let body = entry.content.body
                let (unit, strength) = (body.text(PlanFields.unit), PlanStrength(body))
                let rules = plan.currentRules(at: now)
                    .map { reader.rule($0, stopped: plan.stopped, unit: unit, strength: strength) }
                let told = rules.isEmpty ? [body.text(Drug.information)].compactMap(\.self) : rules
                let comment = entry.content.comment
                return Item(
                    name: body.text(Drug.name) ?? body.text(Drug.rawText) ?? words.label(entry.kind.label),
                    address: "\(head.address)/entries/\(entry.kind.name)/\(entry.id.text)",
                    facts: [body.text(Drug.dosage)].compactMap(\.self) + told + reader.remarks(of: plan, at: now)
                        + (comment.isEmpty ? [] : [comment])
                )
            }
        isEmpty = items.isEmpty
        let ended = plans.count - current.count
        earlier = ended == 0 ? nil : words.count(ended, "earlierEntries", reader.number(ended))
        hasMore = current.count > RecordPage.whole
    }
}

extension EntryContent {
    /// Whether the condition or the medication had ended before a day; one that ended in an unfinished month had not.
    fileprivate func hasEnded(by day: Day) -> Bool {
        body.partialDate(SharedFields.ended).map { $0.lastDay < day } ?? false
    }
}

extension [EntryState] {
    /// The first entry of each name, which people may write in different ways.
    fileprivate var newestOfEachName: [EntryState] {
        var seen: Set<FoldedName> = []
        return filter { entry in
            entry.content.body.text(Vaccination.name).map { seen.insert(FoldedName($0)).inserted } ?? true
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
