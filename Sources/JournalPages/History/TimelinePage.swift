package import FoundationEssentials
package import HealthModel

/// A record as it was known on any day, with what became of it since marked in its place.
package struct TimelinePage: WebPage {
    package static let template = "timeline"
    /// How many entries of a kind are shown.
    package static let entries = 20

    package let head: RecordHead
    package let isPast: Bool
    package let told: String
    package let summary: String
    package let dayTold: String
    /// Empty for now: to look at what had happened by a day is not to look at the past.
    package let asOfISO: String
    package let dayNumber: Int32
    package let firstDay: Int32
    package let lastDay: Int32
    /// Whether there is more than a day to slide over.
    package let hasDays: Bool
    /// How far back the marks and the steps go, where there are more changes.
    package let reach: String?
    package let firstTold: String
    package let firstISO: String
    package let lastISO: String
    package let happenedBy: String?
    package let locale: String
    /// Where the changes lie between the first day and the last; made of numbers alone.
    package let ticks: String
    package let earlier: String?
    package let later: String?
    package let profileChanges: ProfileChanges?
    package let sections: [KindSection]

    package struct ProfileChanges: Sendable {
        package let changes: [ShownChange]
    }

    /// What was known, and what is.
    package struct Knowledge: Sendable {
        package var then: RecordState
        package var now: RecordState
        /// What each entry says now.
        package var entries: [UUID: EntryState]
        /// The latest first.
        package var changes: [Stamp]
        /// Whether there may be older changes than these.
        package var isCut: Bool

        package init(
            then: RecordState,
            now: RecordState,
            entries: [UUID: EntryState],
            changes: [Stamp],
            isCut: Bool
        ) {
            (self.then, self.now, self.entries, self.changes) = (then, now, entries, changes)
            self.isCut = isCut
        }
    }

    /// As of a position, which is the last that was there at the moment that was asked for.
    package init(
        _ head: RecordHead,
        _ known: Knowledge,
        asOf position: UInt64,
        day: Day,
        today: Day,
        sees kinds: Set<Kind>,
        day dayOf: (Instant) -> Day,
        _ names: Names,
        _ reader: Reader
    ) {
        self.head = head
        let words = reader.words
        isPast = head.moment.isPast
        told = head.moment.told ?? words["asKnownNow"]
        let first = min(dayOf(known.then.created.recordedAt), today)
        let shownDay = min(max(day, first), today)
        (dayTold, dayNumber) = (reader.day(shownDay), shownDay.daysSince1970)
        asOfISO = head.moment.asOf == nil ? "" : shownDay.description
        (firstDay, lastDay) = (first.daysSince1970, today.daysSince1970)
        hasDays = first < today
        reach =
            known.isCut
            ? known.changes.last.map { words["marksReach", reader.day(dayOf($0.recordedAt))] } ?? words["marksNone"]
            : nil
        (firstTold, firstISO, lastISO) = (reader.day(first), first.description, today.description)
        happenedBy = head.moment.happenedBy
        locale = reader.locale.identifier(.bcp47)
        ticks = Ticks(known.changes.map { dayOf($0.recordedAt) }, from: first, to: today, shown: shownDay).svg

        let since = known.changes.prefix { $0.position > position }
        summary =
            known.isCut && since.count == known.changes.count
            ? words["changedSinceMore", reader.number(since.count)]
            : words.count(since.count, "changedSince", reader.number(since.count))
        let before = known.changes.dropFirst(since.count)
        // As of the first of them the record is as it is shown; one step back is as of the one before.
        let happened = head.moment.happenedBy.map { "&happenedBy=\($0)" } ?? ""
        earlier = before.dropFirst().first.map { "?asOf=\($0.position)\(happened)" }
        // Where there are more than are told, the next one is not among them.
        let isWhole = !known.isCut || since.count < known.changes.count
        later = isWhole ? since.last.map { "?asOf=\($0.position)\(happened)" } : nil
        let changes = isPast ? known.now.profile.shownChanges(from: known.then.profile, reader) : []
        profileChanges = changes.isEmpty ? nil : ProfileChanges(changes: changes)
        let isPast = isPast
        sections = RecordPage.order.filter(kinds.contains)
            .compactMap { kind in
                let found = known.then.entries.filter { $0.kind == kind }.latestFirst
                let lines = found.prefix(TimelinePage.entries)
                    .map { entry in
                        var line = EntryLine(entry, reader, names)
                        if isPast, let current = known.entries[entry.id] {
                            line.since = EntryLine.Since.between(entry, current, reader)
                        }
                        return line
                    }
                var section = KindSection(
                    kind,
                    head,
                    lines,
                    hasMore: found.count > TimelinePage.entries,
                    mayAdd: false,
                    reader
                )
                if isPast {
                    let added = known.now.entries.filter { $0.kind == kind && $0.added.position > position }.latestFirst
                    let shown = added.prefix(TimelinePage.entries).map { EntryLine($0, reader, names) }
                    if !added.isEmpty {
                        let count = reader.number(shown.count)
                        section.added = KindSection.Added(
                            told: added.count > TimelinePage.entries
                                ? words["addedSinceMore", count] : words.count(added.count, "addedSince", count),
                            entries: shown
                        )
                    }
                }
                return section.isEmpty && section.added == nil ? nil : section
            }
    }
}

extension EntryLine.Since {
    /// What became of an entry between two moments; nothing, where it is the same.
    static func between(_ then: EntryState, _ now: EntryState, _ reader: Reader) -> [EntryLine.Since] {
        guard now.latest.position > then.latest.position else { return [] }
        var since: [EntryLine.Since] = []
        if let corrected = now.corrected, corrected.position > then.latest.position {
            let changes = now.content.shownChanges(from: then.content, reader)
            since.append(
                EntryLine.Since(
                    isRetraction: false,
                    text: reader.words["sinceCorrected", reader.day(of: corrected.recordedAt)],
                    changes: changes
                )
            )
        }
        if let retracted = now.retracted, then.retracted == nil {
            let text = reader.words["sinceRetracted", reader.day(of: retracted.recordedAt)]
            since.append(EntryLine.Since(isRetraction: true, text: text, changes: []))
        } else if then.retracted != nil, now.retracted == nil {
            let text = reader.words["sinceRestored", reader.day(of: now.latest.recordedAt)]
            since.append(EntryLine.Since(isRetraction: false, text: text, changes: []))
        }
        return since
    }
}

/// Marks above the slider: the higher, the more was changed on those days.
struct Ticks {
    let svg: String

    private static let bins = 120

    init(_ days: [Day], from first: Day, to last: Day, shown: Day) {
        let span = Double(max(1, last.daysSince1970 - first.daysSince1970))
        func place(_ day: Day) -> Double {
            min(1, max(0, Double(day.daysSince1970 - first.daysSince1970) / span))
        }
        var counts: [Int: Int] = [:]
        for day in days { counts[Int(place(day) * Double(Ticks.bins)), default: 0] += 1 }
        let most = Double(counts.values.max() ?? 1)
        let bars = counts.sorted { $0.key < $1.key }
            .map { bin, count in
                let height = 4 + Int((20 * Double(count) / most).rounded())
                return "<rect x=\"\(bin * 8)\" y=\"\(28 - height)\" width=\"5\" height=\"\(height)\" rx=\"1\"/>"
            }
        svg =
            "<svg class=\"ticks\" viewBox=\"0 0 968 28\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
            + bars.joined() + "</svg>"
    }
}
