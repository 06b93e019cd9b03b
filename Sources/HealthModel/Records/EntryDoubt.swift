package import FoundationEssentials

/// A reason why a new entry may be a mistake, so that the person is asked before it is added.
package struct EntryDoubt: Hashable, Sendable {
    package var reason: Reason
    /// The value that is in doubt; empty for a file.
    package var value: String
    /// The entry with which it was compared, its values and its date.
    package var other: Other?

    /// The names are those of the API.
    package enum Reason: String, CaseIterable, Sendable {
        /// The same is in the record already.
        case repeated
        /// The value is far from the last one.
        case farFromLast
        case inFuture
    }

    package struct Other: Hashable, Sendable {
        package var entry: UUID
        package var value: String
        package var date: OccurredDate?

        package init(entry: UUID, value: String, date: OccurredDate?) {
            (self.entry, self.value, self.date) = (entry, value, date)
        }
    }

    package init(_ reason: Reason, value: String, other: Other? = nil) {
        (self.reason, self.value, self.other) = (reason, value, other)
    }

    /// The doubt without any value, for a warning that may be sent by mail or kept in a log.
    package var hint: String {
        switch reason {
        case .repeated: "the same is in the record already"
        case .farFromLast: "the value is far from the last one"
        case .inFuture: "the date is in the future"
        }
    }

    /// The doubt as a sentence without a full stop, such as `754 kg is far from the last one: 75.4 kg on 2026-03-01`.
    package var text: String {
        let found = other.map { $0.value + ($0.date.map { " on \($0.dayText)" } ?? "") } ?? ""
        return switch reason {
        case .repeated: "the same is in the record already: \(found)"
        case .farFromLast: "\(value) is far from the last one: \(found)"
        case .inFuture: "\(value) is in the future"
        }
    }
}

extension OccurredDate {
    /// The date as it was given, without the time of day.
    package var dayText: String {
        if case .date(let date) = self { date.description } else { day.description }
    }
}

extension EntryContent {
    /// Returns the doubts about a new entry, given the entries of its kind that the record has.
    package func doubts(among entries: [EntryState], today: Day) -> [EntryDoubt] {
        [inFuture(today), repeated(among: entries, today), farFromLast(among: entries)].compactMap(\.self)
    }

    /// A time zone is entered before a journey.
    private func inFuture(_ today: Day) -> EntryDoubt? {
        // Somewhere it is tomorrow already.
        guard kind != Zone.kind, let date, date.day > today.adding(days: 1) else { return nil }
        return EntryDoubt(.inFuture, value: date.dayText)
    }

    private func repeated(among entries: [EntryState], _ today: Day) -> EntryDoubt? {
        guard !body.isEmpty else { return nil }
        let file = fileDigest
        let same = entries.last { entry in
            guard !entry.isRetracted, entry.kind == kind else { return false }
            if let file { return entry.content.fileDigest == file }
            return entry.content.body == body && entry.content.date?.day == date?.day
                || isSameMedication(as: entry.content, today)
        }
        return same.map { EntryDoubt(.repeated, value: file == nil ? title : "", other: $0.compared) }
    }

    /// Whether it is a medication that is taken already, which gets another plan and not another entry.
    private func isSameMedication(as other: EntryContent, _ today: Day) -> Bool {
        guard Plan.kinds.contains(kind), let name = body.text(Drug.name), let known = other.body.text(Drug.name) else {
            return false
        }
        let end = other.body.text(SharedFields.ended).flatMap { try? PartialDate(parsing: $0).lastDay }
        let isOver = other.body[PlanFields.stopped] != nil || end.map { $0 < today } ?? false
        return FoldedName(name) == FoldedName(known) && !isOver
    }

    private func farFromLast(among entries: [EntryState]) -> EntryDoubt? {
        guard let (number, factor) = comparable(with: self) else { return nil }
        let earlier = entries.filter { !$0.isRetracted && $0.kind == kind }
            .compactMap { entry in entry.content.comparable(with: self).map { (entry: entry, number: $0.number) } }
        // A scale that shows nothing is no value to compare with, whereas a measurement such as a pain may be 0.
        let last = earlier.filter { kind != Weight.kind || $0.number > 0 }
            .max {
                ($0.entry.lastDay, $0.entry.added.position) < ($1.entry.lastDay, $1.entry.added.position)
            }
        guard let last, kind == Weight.kind || last.number > 0 && number > 0 else { return nil }
        let ratio = number / last.number
        guard ratio > factor || ratio < 1 / factor else { return nil }
        return EntryDoubt(.farFromLast, value: title, other: last.entry.compared)
    }

    /// The number that is compared, in the unit of another entry, and by which factor it may differ; nil if there is none.
    private func comparable(with other: EntryContent) -> (number: Double, factor: Double)? {
        switch kind {
        case Weight.kind:
            guard let value = body.decimal(Weight.value), let unit = body.text(Weight.unit),
                let target = other.body.text(Weight.unit),
                let converted = Weight.converted(value, from: unit, to: target)
            else { return nil }
            return Double(converted.description).map { ($0, 1.5) }
        case MeasuredValue.kind:
            guard let name = body.text(MeasuredValue.name),
                FoldedName(name) == other.body.text(MeasuredValue.name).map({ FoldedName($0) }),
                body.text(MeasuredValue.unit) == other.body.text(MeasuredValue.unit)
            else { return nil }
            return body.text(MeasuredValue.value).flatMap(Double.init).map { ($0, 3) }
        default:
            return nil
        }
    }
}

extension EntryState {
    fileprivate var compared: EntryDoubt.Other { .init(entry: id, value: content.title, date: content.date) }

    fileprivate var lastDay: Day { content.happened?.lowerBound ?? Day(of: added.recordedAt) }
}
