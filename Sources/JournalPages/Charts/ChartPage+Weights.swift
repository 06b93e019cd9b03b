package import FoundationEssentials
package import HealthModel

extension ChartPage {
    /// Returns the page of a record's weights, from at most `ChartPage.entries` of them, plus one if there are older ones.
    ///
    /// `before` contains the earlier contents of corrected entries.
    package static func weights(
        _ head: RecordHead,
        _ found: [EntryState],
        before: [UUID: [EntryContent]],
        unit asked: String?,
        period typed: PeriodFilter.Typed = PeriodFilter.Typed(),
        today: Day,
        mayAdd: Bool,
        _ reader: Reader
    ) -> ChartPage {
        let words = reader.words
        var page = ChartPage(
            head,
            of: Weight.kind,
            heading: words["weightHeading"],
            adding: mayAdd ? words["logWeight"] : nil,
            reader
        )
        let entries = Array(found.prefix(ChartPage.entries)).latestFirst
        page.isEmpty = entries.isEmpty
        let unit =
            asked ?? reader.measuredWeightUnit ?? entries.lazy.compactMap { $0.content.body.text(Weight.unit) }.first
            ?? "kg"
        let kept = head.moment.parameters + (asked.map { [(name: "unit", value: $0)] } ?? [])
        let period = PeriodFilter(typed, of: "\(head.address)/weight", keeping: kept, today: today, reader)
        page.limit(to: period, typed, reader)
        let separator = head.moment.query.isEmpty ? "?" : "&"
        let days = period.query.isEmpty ? "" : "&\(period.query)"
        page.choicesLabel = words["unit"]
        page.choices =
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
        page.charts = ChartContent.charts(chart, reader) { extent in
            words["weightDescription", extent.count, extent.first, extent.last, extent.lowest, extent.highest]
        }
        let address = "\(head.address)/entries/\(Weight.kind.name)"
        page.tables = ChartContent.tables(
            words["weightTable"],
            entries,
            before: before,
            at: address,
            all: address + head.moment.query,
            reader,
            text: reader.weight
        )
        var notes: [String] = []
        if found.count > ChartPage.entries { notes.append(words["weightLatest", reader.number(ChartPage.entries)]) }
        if points.count < entries.count { notes.append(words["weightUnitsMixed"]) }
        page.note = notes.isEmpty ? nil : notes.joined(separator: " ")
        return page
    }
}

extension EntryContent {
    /// The weight in a unit; nil without a value or a unit that can be converted.
    func weight(in unit: String) -> ExactDecimal? {
        guard let value = body.decimal(Weight.value), let own = body.text(Weight.unit) else { return nil }
        return Weight.converted(value, from: own, to: unit)
    }
}
