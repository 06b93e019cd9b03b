internal import HealthModel
internal import FoundationEssentials

/// The values of one name in one unit, of blood values or of measurements.
struct ValueSeries {
    let name: String
    let unit: String
    /// Latest first.
    private(set) var entries: [EntryState]

    /// The name with the unit, as it is shown.
    var label: String { unit.isEmpty ? name : "\(name) (\(unit))" }

    /// Returns the series of the entries, the one with the newest value first; names are compared as people read them.
    ///
    /// Values in different units are not converted, and so not drawn together.
    static func all(of entries: [EntryState]) -> [ValueSeries] {
        struct Key: Hashable {
            let name: FoldedName
            let unit: String
        }
        var series: [ValueSeries] = []
        var places: [Key: Int] = [:]
        for entry in entries.latestFirst {
            let body = entry.content.body
            guard let name = body.text(ValueSeries.name(entry.kind)) else { continue }
            let unit = ValueSeries.unit(entry.content)
            let key = Key(name: FoldedName(name), unit: unit)
            if let place = places[key] {
                series[place].entries.append(entry)
            } else {
                places[key] = series.count
                series.append(ValueSeries(name: name, unit: unit, entries: [entry]))
            }
        }
        return series
    }

    /// Returns a line for each part of the values that has a number.
    func lines(before: [UUID: [EntryContent]]) -> [ValueChart.Line] {
        var names: [String] = []
        var points: [String: [ValueChart.Point]] = [:]
        for entry in entries {
            guard let day = entry.content.date?.day else { continue }
            let earlier = (before[entry.id] ?? []).map(ValueSeries.numbers)
            for (name, value) in ValueSeries.numbers(entry.content) {
                if points[name] == nil { names.append(name) }
                let before = earlier.compactMap { numbers in numbers.first { $0.name == name }?.value }
                let point = ValueChart.Point(day: day, value: value, before: entry.corrected == nil ? [] : before)
                points[name, default: []].append(point)
            }
        }
        return names.prefix(4)
            .map { name in
                let isNamed = names.count > 1 && !["", ValueSeries.second].contains(name)
                return ValueChart.Line(points[name] ?? [], name: isNamed ? name : nil)
            }
    }

    /// Returns the numbers of a value, with the names of its parts; a value without parts has an empty name.
    ///
    /// A text such as `120/80` has two numbers. A text such as `negative` or `< 5` has none.
    static func numbers(_ content: EntryContent) -> [(name: String, value: Double)] {
        let parts = ValueSeries.parts(content)
        if !parts.isEmpty {
            return parts.compactMap { part in number(part.value).map { (part.name, $0) } }
        }
        let texts = value(content)?.split(separator: "/", omittingEmptySubsequences: false) ?? []
        let numbers = texts.compactMap { number(String($0)) }
        guard !texts.isEmpty, numbers.count == texts.count, texts.count <= 2 else { return [] }
        return numbers.enumerated().map { ($0 == 0 ? "" : second, $1) }
    }

    /// The name of the second number in a text such as `120/80`, which has no name of its own.
    private static let second = "/"

    /// Returns a value with its unit, as it is shown in a table; nil if there is none.
    static func text(_ content: EntryContent) -> String? {
        let unit = unit(content)
        let value =
            value(content)
            ?? ValueSeries.parts(content).map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        if value.isEmpty { return nil }
        return unit.isEmpty ? value : "\(value)\u{A0}\(unit)"
    }

    private static func name(_ kind: Kind) -> Field { kind == Blood.kind ? Blood.name : MeasuredValue.name }

    private static func value(_ content: EntryContent) -> String? {
        content.body.text(content.kind == Blood.kind ? Blood.value : MeasuredValue.value)
    }

    private static func unit(_ content: EntryContent) -> String {
        if content.kind == Blood.kind { return content.body.text(Blood.unit) ?? "" }
        return content.body.text(MeasuredValue.unit) ?? parts(content).first?.unit ?? ""
    }

    private static func parts(_ content: EntryContent) -> [(name: String, value: String, unit: String?)] {
        guard content.kind == MeasuredValue.kind, case .list(let parts)? = content.body[MeasuredValue.parts] else {
            return []
        }
        return parts.compactMap { part in
            guard case .group(let values) = part, let name = values.text(MeasuredValue.part) else { return nil }
            return (name, values.text(MeasuredValue.partValue) ?? "", values.text(MeasuredValue.partUnit))
        }
    }

    /// Parses a number with a decimal point or comma.
    private static func number(_ text: String) -> Double? {
        let plain = text.filter { $0 != " " && $0 != "\u{A0}" }.replacing(",", with: ".")
        guard let decimal = try? ExactDecimal(parsing: plain) else { return nil }
        return Double(decimal.description)
    }
}
