package import FoundationEssentials
package import HealthModel

/// The page of a record as it was known on any day, with the later changes marked.
package struct TimelinePage: WebPage {
    package static let template = Template("timeline")
    /// The maximum number of entries of a kind that are shown.
    package static let entries = 20

    package let head: RecordHead
    package let isPast: Bool
    package let description: String
    package let summary: String
    package let dayText: String
    /// Empty without an `asOf` moment: a filter by the day of happening does not select a past state of the record.
    package let asOfISO: String
    package let dayNumber: Int32
    package let firstDay: Int32
    package let lastDay: Int32
    /// Whether the slider has more than one day.
    package let hasDays: Bool
    /// A notice how far back the marks and steps reach, if there are more changes.
    package let reach: String?
    package let firstText: String
    package let firstISO: String
    package let lastISO: String
    package let happenedBy: String?
    package let locale: String
    /// The marks of the changes between the first and the last day, as SVG that contains only numbers.
    package let ticks: String
    package let earlier: String?
    package let later: String?
    package let profileChanges: ProfileChanges?
    package let sections: [KindSection]

    package struct ProfileChanges: Sendable {
        package let changes: [ShownChange]
    }

    /// The state of a record at the moment that is shown, and its current state.
    package struct Knowledge: Sendable {
        package var then: RecordState
        package var now: RecordState
        /// The current state of each entry.
        package var entries: [UUID: EntryState]
        /// The stamps of the changes, latest first.
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

    /// Creates the page as of a position, which is the last one recorded at the requested moment.
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
        description = head.moment.description ?? words["asKnownNow"]
        let first = min(dayOf(known.then.created.recordedAt), today)
        let shownDay = min(max(day, first), today)
        (dayText, dayNumber) = (reader.day(shownDay), shownDay.daysSince1970)
        asOfISO = head.moment.asOf == nil ? "" : shownDay.description
        (firstDay, lastDay) = (first.daysSince1970, today.daysSince1970)
        hasDays = first < today
        reach =
            known.isCut
            ? known.changes.last.map { words["marksReach", reader.day(dayOf($0.recordedAt))] } ?? words["marksNone"]
            : nil
        (firstText, firstISO, lastISO) = (reader.day(first), first.description, today.description)
        happenedBy = head.moment.happenedBy
        locale = reader.locale.identifier(.bcp47)
        ticks = Ticks(known.changes.map { dayOf($0.recordedAt) }, from: first, to: today, shown: shownDay).svg

        let since = known.changes.prefix { $0.position > position }
        summary =
            known.isCut && since.count == known.changes.count
            ? words["changedSinceMore", reader.number(since.count)]
            : words.count(since.count, "changedSince", reader.number(since.count))
        let before = known.changes.dropFirst(since.count)
        // The first of them is the latest change that is shown; one step back is as of the change before it.
        let happened = head.moment.happenedBy.map { "&happenedBy=\($0)" } ?? ""
        earlier = before.dropFirst().first.map { "?asOf=\($0.position)\(happened)" }
        // If the list of changes is cut off, the next change after the position may not be in it.
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
                            description: added.count > TimelinePage.entries
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
    /// Returns the changes of an entry between two states; empty if there are none.
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

/// The marks above the slider; the height of a mark shows how many changes its period has.
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
