package import FoundationEssentials

/// Finds values of an import that are far from the one before, such as 754 kg after 75.4 kg.
///
/// Unlike an entry that a person types, a value of an import may lie between others that the record has: it is compared
/// with the value before it in time.
package struct SeriesDoubts {
    private var series: [String: [EntryState]] = [:]

    /// `entries` are those that the record has.
    package init(_ entries: some Sequence<EntryState>) {
        for entry in entries where !entry.isRetracted { add(entry) }
    }

    private mutating func add(_ entry: EntryState) {
        guard let name = entry.content.seriesName else { return }
        series[name, default: []].append(entry)
    }

    /// Returns the doubts about new entries, in their order.
    package func doubts(about new: [EntryState], today: Day) -> [(entry: UUID, doubt: EntryDoubt)] {
        var all = self
        for entry in new { all.add(entry) }
        let ids = Set(new.map(\.id))
        var found: [UUID: EntryDoubt] = [:]
        for entries in all.series.values {
            var last: EntryState?
            for entry in entries.sorted(by: { ($0.moment, $0.id.text) < ($1.moment, $1.id.text) }) {
                if ids.contains(entry.id), let last,
                    let doubt = entry.content.doubts(among: [last], today: today)
                        .first(where: { $0.reason != .repeated })
                {
                    found[entry.id] = doubt
                    // The next value is not compared with one that is in doubt.
                    continue
                }
                last = entry
            }
        }
        return new.compactMap { entry in found[entry.id].map { (entry.id, $0) } }
    }
}

extension EntryState {
    /// The beginning of the time at which the entry happened; entries without a date come last.
    fileprivate var moment: Instant {
        switch content.date {
        case .instant(let instant): instant
        case .date(let date): Instant(microseconds: Int64(date.firstDay.daysSince1970) * 86_400_000_000)
        case nil: Instant(microseconds: .max)
        }
    }
}

extension EntryContent {
    /// The name of the series whose values are compared with each other; nil for an entry that is not compared.
    fileprivate var seriesName: String? {
        switch kind {
        case Weight.kind: kind.name
        case MeasuredValue.kind:
            body.text(MeasuredValue.name)
                .map { "\(FoldedName($0).text)\n\(body.text(MeasuredValue.unit) ?? "")" }
        default: nil
        }
    }
}
