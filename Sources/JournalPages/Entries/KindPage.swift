package import HealthModel

/// The page of all entries of a kind, in pages of 100.
package struct KindPage: WebPage {
    package static let template = Template("kind")
    package static let entries = 100

    package let head: RecordHead
    package let label: String
    package let addAddress: String?
    package let addLabel: String
    package let chartAddress: String?
    package let chartLabel: String
    package let entries: [EntryLine]
    package let isEmpty: Bool
    package let olderAddress: String?
    package let retractedAddress: String?
    /// The address of the formats in which these entries can be printed or exported.
    package let exportAddress: String
    package let period: PeriodFilter
    /// Why nothing is shown.
    package let emptyNote: String

    /// Creates the page from at most `KindPage.entries` entries, plus one if there are older ones.
    package init(
        _ kind: Kind,
        _ head: RecordHead,
        _ found: [EntryState],
        mayAdd: Bool,
        showsRetracted: Bool,
        period typed: PeriodFilter.Typed = PeriodFilter.Typed(),
        today: Day,
        _ names: Names,
        _ reader: Reader
    ) {
        self.head = head
        let section = KindSection(
            kind,
            head,
            Array(found.prefix(KindPage.entries)).latestFirst.map { EntryLine($0, reader, names) },
            hasMore: found.count > KindPage.entries,
            mayAdd: mayAdd && !head.moment.isPast,
            reader
        )
        label = section.label
        addAddress = section.addAddress
        addLabel = section.addLabel
        chartAddress = section.chartAddress
        chartLabel = section.chartLabel
        entries = section.entries
        isEmpty = section.isEmpty
        let base = "\(head.address)/entries/\(kind.name)"
        let retracted = showsRetracted ? [(name: "retracted", value: "true")] : []
        let moment = head.moment.parameters
        let exported = (moment + [(name: "kinds", value: kind.name)]).map { "\($0.name)=\($0.value)" }
        exportAddress = "\(head.address)/export?\(exported.joined(separator: "&"))"
        period = PeriodFilter(typed, of: base, keeping: moment + retracted, today: today, reader)
        emptyNote = reader.words[typed == PeriodFilter.Typed() ? "nothingHere" : "nothingInPeriod"]
        let days = period.query.isEmpty ? [] : [period.query]
        func address(_ more: [(name: String, value: String)]) -> String {
            "\(base)?" + ((moment + more).map { "\($0.name)=\($0.value)" } + days).joined(separator: "&")
        }
        olderAddress =
            section.hasMore
            ? address([("before", String(found[KindPage.entries - 1].added.position))] + retracted) : nil
        retractedAddress = showsRetracted ? nil : address([("retracted", "true")])
    }
}
