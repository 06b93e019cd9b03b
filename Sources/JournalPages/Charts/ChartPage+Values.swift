package import FoundationEssentials
package import HealthModel

extension ChartPage {
    /// The kinds whose values a page can show.
    package static let kindsOfValues = Set(Kind.values).subtracting([Weight.kind])

    /// Returns the page of the blood values or the measurements of one name, from at most `ChartPage.entries` entries of a
    /// kind, plus one if there are older ones.
    ///
    /// It shows the values that have the name of the entry `asked`, which need not be in `found`, or of the newest one. The
    /// address does not contain the name: addresses are kept in histories and logs. `before` contains the earlier contents of
    /// corrected entries.
    package static func values(
        _ kind: Kind,
        _ head: RecordHead,
        _ found: [EntryState],
        before: [UUID: [EntryContent]],
        of asked: EntryState?,
        period typed: PeriodFilter.Typed = PeriodFilter.Typed(),
        today: Day,
        mayAdd: Bool,
        _ reader: Reader
    ) -> ChartPage {
        let words = reader.words
        var page = ChartPage(
            head,
            of: kind,
            heading: words.label(kind.plural),
            adding: mayAdd ? words["addTo", words.label(kind.label)] : nil,
            reader
        )
        let series = ValueSeries.all(of: Array(found.prefix(ChartPage.entries)))
        let shown = asked.map { entry in series.first { $0.isNamed(as: entry) } } ?? series.first
        let base = "\(head.address)/entries/\(kind.name)"
        let address = "\(base)/chart"
        let chosen = (asked ?? shown?.entries.first).map { [(name: "of", value: $0.id.text)] } ?? []
        let period = PeriodFilter(typed, of: address, keeping: head.moment.parameters + chosen, today: today, reader)
        page.limit(to: period, typed, reader)
        page.choicesLabel = words["charted"]
        var offered = series.compactMap { series in series.entries.first.map { (series.name, $0) } }
        // The requested series is offered although it has no value in the period.
        if shown == nil, let asked, let name = ValueSeries.name(asked) { offered.insert((name, asked), at: 0) }
        if offered.count > 1 {
            page.choices = offered.enumerated()
                .map { number, offer in
                    let parameters = head.moment.parameters + [(name: "of", value: offer.1.id.text)]
                    let query =
                        parameters.map { "\($0.name)=\($0.value)" } + (period.query.isEmpty ? [] : [period.query])
                    return ChartContent.Choice(
                        address: "\(address)?\(query.joined(separator: "&"))",
                        label: offer.0,
                        isCurrent: shown.map { $0.name == offer.0 } ?? (number == 0)
                    )
                }
        }
        guard let shown else { return page }
        page.isEmpty = false
        let charts = shown.charts(before: before)
        page.charts = charts.flatMap { chart in
            let caption = chart.unit.isEmpty ? shown.name : "\(shown.name) (\(chart.unit))"
            return ChartContent.charts(chart, caption: caption, reader) { extent in
                let range = [extent.count, extent.first, extent.last, extent.lowest, extent.highest]
                return words["valuesDescription", shown.name, range[0], range[1], range[2], range[3], range[4]]
            }
        }
        page.tables = ChartContent.tables(
            words["valuesTable"],
            shown.entries,
            before: before,
            at: base,
            all: base + head.moment.query,
            reader,
            text: { reader.value(of: $0, ValueSeries.text) }
        )
        var notes: [String] = []
        if found.count > ChartPage.entries { notes.append(words["valuesLatest", reader.number(ChartPage.entries)]) }
        let drawn = charts.lazy.flatMap(\.lines).map(\.points.count).reduce(0, +)
        if drawn < shown.entries.lazy.map({ ValueSeries.count($0.content) }).reduce(0, +) {
            notes.append(words["valuesNotDrawn", reader.number(ValueSeries.lines), reader.number(ValueSeries.charts)])
        }
        page.note = notes.isEmpty ? nil : notes.joined(separator: " ")
        return page
    }
}
