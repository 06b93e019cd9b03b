package import FoundationEssentials
package import HealthModel

/// The page of the blood values or the measurements of one name over time.
package struct ValuesPage: WebPage {
    package static let template = Template(PackageResources.chart_mustache)
    /// The kinds whose values the page can show.
    package static let kinds: Set<Kind> = [Blood.kind, MeasuredValue.kind]
    /// The maximum number of entries among which the values are.
    package static let entries = 1_000
    /// The maximum number of corrected values whose earlier values are shown.
    package static let corrections = 50

    package let head: RecordHead
    package let heading: String
    package let addAddress: String?
    package let addLabel: String
    /// The series of values, the one with the newest value first.
    package let choices: [ChartContent.Choice]
    package let choicesLabel: String
    package let charts: [ChartContent.Chart]
    package let tables: [ChartContent.Table]
    package let isEmpty: Bool
    package let note: String?
    package let period: PeriodFilter?
    /// Why nothing is shown.
    package let emptyNote: String

    /// Creates the page from at most `ValuesPage.entries` entries of a kind, plus one if there are older ones.
    ///
    /// It shows the values that have the name and the unit of the entry `asked`, or of the newest one. The address does not
    /// contain the name: addresses are kept in histories and logs. `before` contains the earlier contents of corrected entries.
    package init(
        _ kind: Kind,
        _ head: RecordHead,
        _ found: [EntryState],
        before: [UUID: [EntryContent]],
        of asked: UUID?,
        period typed: PeriodFilter.Typed = PeriodFilter.Typed(),
        today: Day,
        mayAdd: Bool,
        _ reader: Reader
    ) {
        let words = reader.words
        self.head = head
        heading = words.label(kind.plural)
        let base = "\(head.address)/entries/\(kind.name)"
        addAddress = mayAdd && !head.moment.isPast ? "\(base)/new" : nil
        addLabel = words["addTo", words.label(kind.label)]
        let series = ValueSeries.all(of: Array(found.prefix(ValuesPage.entries)))
        let shown = series.first { series in series.entries.contains { $0.id == asked } } ?? series.first
        isEmpty = shown == nil
        emptyNote = words[typed == PeriodFilter.Typed() ? "nothingHere" : "nothingInPeriod"]
        let address = "\(base)/chart"
        let chosen = asked.map { [(name: "of", value: $0.text)] } ?? []
        let period = PeriodFilter(typed, of: address, keeping: head.moment.parameters + chosen, today: today, reader)
        self.period = period
        choicesLabel = words["charted"]
        choices =
            series.count < 2
            ? []
            : series.compactMap { series in
                guard let newest = series.entries.first else { return nil }
                let query =
                    (head.moment.parameters + [(name: "of", value: newest.id.text)]).map { "\($0.name)=\($0.value)" }
                    + (period.query.isEmpty ? [] : [period.query])
                return ChartContent.Choice(
                    address: "\(address)?\(query.joined(separator: "&"))",
                    label: series.label,
                    isCurrent: series.label == shown?.label
                )
            }
        guard let shown else {
            (charts, tables, note) = ([], [], nil)
            return
        }
        let chart = ValueChart(lines: shown.lines(before: before), unit: shown.unit)
        charts = ChartContent.charts(chart, caption: shown.label, reader) { extent in
            let range = [extent.count, extent.first, extent.last, extent.lowest, extent.highest]
            return words["valuesDescription", shown.name, range[0], range[1], range[2], range[3], range[4]]
        }
        tables = ChartContent.tables(
            words["valuesTable"],
            shown.entries,
            before: before,
            at: base,
            all: base + head.moment.query,
            reader,
            text: ValueSeries.text
        )
        var notes: [String] = []
        if found.count > ValuesPage.entries { notes.append(words["valuesLatest", reader.number(ValuesPage.entries)]) }
        if shown.entries.contains(where: { ValueSeries.numbers($0.content).isEmpty || $0.content.date?.day == nil }) {
            notes.append(words["valuesNotDrawn"])
        }
        note = notes.isEmpty ? nil : notes.joined(separator: " ")
    }
}
