internal import FoundationEssentials
internal import HealthModel

/// The values of one name, of blood values or of measurements.
struct ValueSeries {
    /// The maximum number of lines in a chart.
    static let lines = 4
    /// The maximum number of charts: there is one for each unit.
    static let charts = 6

    let name: String
    /// Latest first.
    private(set) var entries: [EntryState]

    /// Returns the series of the entries, the one with the newest value first; names are compared as people read them.
    static func all(of entries: [EntryState]) -> [ValueSeries] {
        var series: [ValueSeries] = []
        var places: [FoldedName: Int] = [:]
        for entry in entries.latestFirst {
            guard let name = name(entry) else { continue }
            let key = FoldedName(name)
            if let place = places[key] {
                series[place].entries.append(entry)
            } else {
                places[key] = series.count
                series.append(ValueSeries(name: name, entries: [entry]))
            }
        }
        return series
    }

    static func name(_ entry: EntryState) -> String? {
        switch entry.kind {
        case Blood.kind: entry.content.body.text(Blood.name)
        case Symptom.kind: entry.content.body.text(Symptom.name)
        default: entry.content.body.text(MeasuredValue.name)
        }
    }

    func isNamed(as entry: EntryState) -> Bool {
        ValueSeries.name(entry).map { FoldedName($0) == FoldedName(name) } ?? false
    }

    /// Returns a chart for each unit, because values in different units are not converted; each has a line for each part of
    /// the values, such as `systolic`.
    ///
    /// `before` contains the earlier contents of corrected entries, by entry id.
    func charts(before: [UUID: [EntryContent]]) -> [ValueChart] {
        var parts: [String: [String]] = [:]
        var units: [String] = []
        var points: [Part: [ValueChart.Point]] = [:]
        for entry in entries {
            guard let day = entry.content.date?.day else { continue }
            let earlier = entry.corrected == nil ? [] : (before[entry.id] ?? []).map(ValueSeries.numbers)
            for (part, value) in ValueSeries.numbers(entry.content) {
                if parts[part.unit] == nil { units.append(part.unit) }
                if points[part] == nil { parts[part.unit, default: []].append(part.name) }
                let before = earlier.compactMap { numbers in numbers.first { $0.part == part }?.value }
                points[part, default: []].append(ValueChart.Point(day: day, value: value, before: before))
            }
        }
        return units.prefix(ValueSeries.charts)
            .map { unit in
                let names = parts[unit] ?? []
                let lines = names.prefix(ValueSeries.lines)
                    .map { name in
                        let isNamed = !["", ValueSeries.second].contains(name)
                        let points = points[Part(name: name, unit: unit)] ?? []
                        return ValueChart.Line(points, name: isNamed ? name : nil)
                    }
                return ValueChart(lines: lines, unit: unit, band: band(in: unit))
            }
    }

    /// Returns the reference range of the newest value in a unit that has one.
    private func band(in unit: String) -> ValueChart.Band? {
        for entry in entries where entry.kind == Blood.kind && ValueSeries.unit(entry.content) == unit {
            let (low, high) = (entry.content.body.decimal(Blood.low), entry.content.body.decimal(Blood.high))
            if low != nil || high != nil { return ValueChart.Band(low: low, high: high, result: entry.content) }
        }
        return nil
    }

    /// Which of the values of an entry: the name is empty if the value has no parts.
    struct Part: Hashable {
        let name: String
        let unit: String
    }

    /// Returns the values of an entry that are numbers, without rounding.
    static func numbers(_ content: EntryContent) -> [(part: Part, value: ExactDecimal)] {
        values(content).compactMap { part, text in ExactDecimal(written: text).map { (part, $0) } }
    }

    /// Returns how many values an entry has, numbers or not.
    static func count(_ content: EntryContent) -> Int { values(content).count }

    /// Returns an entry's values with their units, as they are shown in a table; nil if there are none.
    static func text(_ content: EntryContent) -> String? {
        if content.kind == Symptom.kind { return value(content).map { $0 + unit(content) } }
        func text(_ value: String, _ unit: String) -> String { unit.isEmpty ? value : "\(value)\u{A0}\(unit)" }
        let parts = parts(content)
        let listed =
            parts.map { part, value in
                text(value.isEmpty ? part.name : "\(part.name) \(value)", part.unit)
            }
            .joined(separator: ", ")
        guard let value = value(content) else { return listed.isEmpty ? nil : listed }
        let units = Set(parts.map(\.part.unit))
        if isJoined(value, parts), units.count == 1, let unit = units.first { return text(value, unit) }
        let own = text(value, unit(content))
        return listed.isEmpty ? own : "\(own) (\(listed))"
    }

    /// Returns an entry's values as people write them beside their name, such as `120/80 mmHg` for two parts in one unit;
    /// otherwise as in a table.
    static func shortText(_ content: EntryContent) -> String? {
        let parts = parts(content)
        guard value(content) == nil, parts.count == 2, let unit = parts.first?.part.unit, !unit.isEmpty,
            parts.allSatisfy({ $0.part.unit == unit && ExactDecimal(written: $0.text) != nil })
        else { return text(content) }
        return "\(parts.map(\.text).joined(separator: "/"))\u{A0}\(unit)"
    }

    /// The name of the second number in a text such as `120/80`, which has no name of its own.
    private static let second = "/"

    /// Returns all values of an entry; a measurement such as `120/80` has two.
    private static func values(_ content: EntryContent) -> [(part: Part, text: String)] {
        let parts = parts(content)
        guard let value = value(content), !isJoined(value, parts) else { return parts }
        let unit = unit(content)
        let halves = value.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // A laboratory's `1/160` is one value, a titre.
        if content.kind == MeasuredValue.kind, halves.count == 2,
            halves.allSatisfy({ ExactDecimal(written: $0) != nil })
        {
            return [(Part(name: "", unit: unit), halves[0]), (Part(name: second, unit: unit), halves[1])] + parts
        }
        return [(Part(name: "", unit: unit), value)] + parts
    }

    /// Whether a value says the same as its parts, such as `120/80`.
    private static func isJoined(_ value: String, _ parts: [(part: Part, text: String)]) -> Bool {
        let texts = value.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        let joined = zip(texts, parts)
            .allSatisfy { text, part in
                ExactDecimal(written: text).map { $0 == ExactDecimal(written: part.text) } ?? (text == part.text)
            }
        return !parts.isEmpty && texts.count == parts.count && joined
    }

    private static func value(_ content: EntryContent) -> String? {
        switch content.kind {
        case Blood.kind: content.body.text(Blood.value)
        case Symptom.kind: content.body.integer(Symptom.severity).map { String($0) }
        default: content.body.text(MeasuredValue.value)
        }
    }

    private static func unit(_ content: EntryContent) -> String {
        switch content.kind {
        case Blood.kind: content.body.text(Blood.unit) ?? ""
        case Symptom.kind: "/10"
        default: content.body.text(MeasuredValue.unit) ?? ""
        }
    }

    /// Returns the parts of a measurement; a part without a unit has that of the measurement.
    private static func parts(_ content: EntryContent) -> [(part: Part, text: String)] {
        guard content.kind == MeasuredValue.kind, case .list(let parts)? = content.body[MeasuredValue.parts] else {
            return []
        }
        return parts.compactMap { part in
            guard case .group(let values) = part, let name = values.text(MeasuredValue.part) else { return nil }
            let unit = values.text(MeasuredValue.partUnit) ?? unit(content)
            return (Part(name: name, unit: unit), values.text(MeasuredValue.partValue) ?? "")
        }
    }
}
