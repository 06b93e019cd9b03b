package import FoundationEssentials
package import HealthModel

/// The page of a record's weights over time.
package struct WeightPage: WebPage {
    package static let template = Template(PackageResources.chart_mustache)
    /// The maximum number of weights in the chart.
    package static let entries = 1_000
    /// The maximum number of corrected weights whose earlier values are shown.
    package static let corrections = 50

    package let head: RecordHead
    package let heading: String
    package let addAddress: String?
    package let addLabel: String
    package let choices: [ChartContent.Choice]
    package let choicesLabel: String
    package let charts: [ChartContent.Chart]
    package let tables: [ChartContent.Table]
    package let isEmpty: Bool
    package let note: String?
    package let period: PeriodFilter?
    /// Why nothing is shown.
    package let emptyNote: String

    /// Creates the page from at most `WeightPage.entries` weights, plus one if there are older ones.
    ///
    /// `before` contains the earlier contents of corrected entries.
    package init(
        _ head: RecordHead,
        _ found: [EntryState],
        before: [UUID: [EntryContent]],
        unit asked: String?,
        period typed: PeriodFilter.Typed = PeriodFilter.Typed(),
        today: Day,
        mayAdd: Bool,
        _ reader: Reader
    ) {
        let words = reader.words
        self.head = head
        heading = words["weightHeading"]
        let address = "\(head.address)/entries/\(Weight.kind.name)"
        addAddress = mayAdd && !head.moment.isPast ? "\(address)/new" : nil
        addLabel = words["logWeight"]
        let entries = Array(found.prefix(WeightPage.entries)).latestFirst
        isEmpty = entries.isEmpty
        let unit =
            asked ?? reader.measuredWeightUnit ?? entries.lazy.compactMap { $0.content.body.text(Weight.unit) }.first
            ?? "kg"
        let separator = head.moment.query.isEmpty ? "?" : "&"
        let kept = head.moment.parameters + (asked.map { [(name: "unit", value: $0)] } ?? [])
        let period = PeriodFilter(typed, of: "\(head.address)/weight", keeping: kept, today: today, reader)
        self.period = period
        emptyNote = words[typed == PeriodFilter.Typed() ? "nothingHere" : "nothingInPeriod"]
        let days = period.query.isEmpty ? "" : "&\(period.query)"
        choicesLabel = words["unit"]
        choices =
            entries.isEmpty
            ? []
            : ["kg", "g", "lb"]
                .map { name in
                    ChartContent.Choice(
                        address: "\(head.address)/weight\(head.moment.query)\(separator)unit=\(name)\(days)",
                        label: name,
                        isCurrent: name == unit
                    )
                }
        let points = entries.compactMap { entry -> ValueChart.Point? in
            guard let day = entry.content.date?.day, let value = entry.content.weight(in: unit) else { return nil }
            let before = (before[entry.id] ?? []).compactMap { $0.weight(in: unit) }
            return ValueChart.Point(day: day, value: value, before: entry.corrected == nil ? [] : before)
        }
        let chart = ValueChart(lines: [ValueChart.Line(points)], unit: unit)
        charts = ChartContent.charts(chart, reader) { extent in
            words["weightDescription", extent.count, extent.first, extent.last, extent.lowest, extent.highest]
        }
        tables = ChartContent.tables(
            words["weightTable"],
            entries,
            before: before,
            at: address,
            all: address + head.moment.query,
            reader,
            text: reader.weight
        )
        var notes: [String] = []
        if found.count > WeightPage.entries { notes.append(words["weightLatest", reader.number(WeightPage.entries)]) }
        if points.count < entries.count { notes.append(words["weightUnitsMixed"]) }
        note = notes.isEmpty ? nil : notes.joined(separator: " ")
    }
}

extension EntryContent {
    /// Returns the weight in a unit as a `Double`, which is precise enough for a chart.
    fileprivate func weight(in unit: String) -> Double? {
        guard let value = body.decimal(Weight.value), let own = body.text(Weight.unit),
            let converted = Weight.converted(value, from: own, to: unit)
        else { return nil }
        return Double(converted.description)
    }
}
