internal import FoundationEssentials

/// Plans of medication and supplements.
extension DraftReader {
    /// Reads a new medication or supplement with its plan; nil if the sentence may say the opposite.
    mutating func plan(_ newID: () -> UUID) -> EntryContent? {
        guard !isNegated else { return nil }
        let unread = self
        let until = duration()
        var schedule = schedule(newID)
        if hasUnreadTime {
            // Half a schedule would be a wrong one.
            schedule = nil
            self = unread
        }
        for index in words.indices where isFree(index) && vocabulary.begin.contains(words[index].text) {
            use(index..<index + 1)
        }
        let product = product
        let start = words.indices.first { isFree($0) && words[$0].number == nil }
        guard let range = product?.range ?? start.flatMap({ unknownName(from: $0) }) else { return nil }
        var content = EntryContent(kind: product?.substance?.isSupplement == true ? Supplement.kind : Drug.kind)
        content.date = .day(now.day)
        let name = words[range].map(\.heard).joined(separator: " ").capitalisedFirst
        content.body[Drug.name] = .text(name)
        understand(range, as: Drug.name.name, name)
        // A number without a unit may be one of tablets or of days.
        let strength = strength(of: range).flatMap { $0.unit == nil ? nil : $0 }
        let amount = countedAmount(of: range, unit: nil, strength)
        if let amount {
            understand(amount.range, as: "amount", amount.value.description)
            content.body[PlanFields.unit] = amount.unit.map { .text($0) }
        }
        if let strength {
            content.body[Drug.dosage] = .text(strength.text)
            understand(strength.range, as: Drug.dosage.name, strength.text)
        }
        content.fillSubstance(from: names.catalogue, strength: strength?.value, unit: strength?.unit)
        guard var rule = schedule else { return content }
        rule.until = until
        if let amount { rule.pattern.describe { $0.amount = amount.value } }
        content.addRule(rule)
        return content
    }

    // MARK: - When

    /// Reads `for 7 days` or `for two weeks`; returns the day after the last one.
    private mutating func duration() -> WallMoment? {
        for index in words.indices where word(index) == "for" {
            guard let number = wholeNumber(at: index + 1, in: 1...1_000), let unit = word(number.end) else { continue }
            let days: Int
            switch unit {
            case "day", "days": days = number.value
            case "week", "weeks": days = number.value * 7
            default: continue
            }
            let until = WallMoment(day: now.day.adding(days: days))
            understand(index..<number.end + 1, as: "until", until.description)
            return until
        }
        return nil
    }

    /// Whether a word or a number that may belong to the schedule was not understood.
    private var hasUnreadTime: Bool {
        if hasDoubtfulSigns { return true }
        let name = product?.range
        return words.indices.contains { index in
            let text = words[index].text
            // `Monday to Friday` are not two days.
            if vocabulary.weekdays[text] != nil, index > 0 {
                let before = words[index - 1].text
                if ["to", "through", "thru", "till"].contains(before) { return true }
                if words[index].gap.contains(where: { "-–—‐‑".contains($0) }) { return true }
            }
            guard isFree(index), name?.contains(index) != true else { return false }
            if vocabulary.periods.contains(text) || vocabulary.weekdays[text] != nil { return true }
            if vocabulary.daytimes[text] != nil || words[index].time != nil { return true }
            guard text != "half", isNumeral(index), index != name?.upperBound else { return false }
            // A number that is left may be a time, unless it is an amount or a strength.
            var next = index + 1
            while next < words.count, isNumeral(next) { next += 1 }
            let unit = word(next) ?? ""
            return next != name?.lowerBound && !isMeasure(unit) && vocabulary.countUnits[unit] == nil
        }
    }

    private mutating func schedule(_ newID: () -> UUID) -> PlanRule? {
        let from = WallMoment(day: now.day)
        func rule(_ pattern: PlanRule.Pattern) -> PlanRule {
            PlanRule(id: newID(), from: from, pattern: pattern, recordedAt: now.instant)
        }
        for index in words.indices where ["as", "when", "if"].contains(word(index)) {
            guard ["needed", "required", "necessary"].contains(word(index + 1)) else { continue }
            understand(index..<index + 2, as: "pattern", "as needed")
            return rule(.asNeeded(Intake()))
        }
        for index in words.indices where word(index) == "every" {
            guard let hours = wholeNumber(at: index + 1, in: 1...720), word(hours.end)?.hasPrefix("hour") == true else {
                continue
            }
            understand(index..<hours.end + 1, as: "pattern", "every \(hours.value)h")
            return rule(.interval(seconds: Int64(hours.value) * 3_600, start: now.instant, Intake()))
        }
        var filter = DayFilter(anchor: now.day)
        let hasDays = days(&filter)
        let (times, withMeal) = times(hasDays: hasDays)
        guard hasDays || !times.isEmpty else { return nil }
        let minutes = times.isEmpty ? [480] : times
        let doses = Set(minutes).sorted().compactMap { WallTime(minutes: $0) }
            .map { DoseTime(id: newID(), at: $0, intake: Intake(withMeal: withMeal)) }
        return rule(.days(filter, times: doses))
    }

    /// Reads on which days; returns whether the sentence says it.
    private mutating func days(_ filter: inout DayFilter) -> Bool {
        var weekdays: Set<Weekday> = []
        var isSaid = false
        for index in words.indices {
            guard let text = word(index) else { continue }
            if let weekday = vocabulary.weekdays[text] {
                weekdays.insert(weekday)
                understand(index..<index + 1, as: "weekdays", weekday.name)
                if word(index - 1) == "every" || word(index - 1) == "on" { use(index - 1..<index) }
                continue
            }
            switch (text, word(index + 1)) {
            case ("daily", _):
                isSaid = true
                understand(index..<index + 1, as: "pattern", "daily")
            case ("every", "day"), ("once", "daily"), ("each", "day"):
                isSaid = true
                understand(index..<index + 2, as: "pattern", "daily")
            case ("once", "a") where word(index + 2) == "day", ("once", "per") where word(index + 2) == "day":
                isSaid = true
                understand(index..<index + 3, as: "pattern", "daily")
            case ("every", "other"), ("every", "second"):
                guard word(index + 2) == "day" else { continue }
                filter.everyDays = 2
                isSaid = true
                understand(index..<index + 3, as: "everyDays", "2")
            case ("weekly", _):
                filter.everyDays = 7
                isSaid = true
                understand(index..<index + 1, as: "everyDays", "7")
            case ("every", "week"), ("once", "weekly"):
                filter.everyDays = 7
                isSaid = true
                understand(index..<index + 2, as: "everyDays", "7")
            case ("once", "a") where word(index + 2) == "week":
                filter.everyDays = 7
                isSaid = true
                understand(index..<index + 3, as: "everyDays", "7")
            case ("every", _):
                guard let days = wholeNumber(at: index + 1, in: 2...366), word(days.end) == "days" else { continue }
                filter.everyDays = days.value
                isSaid = true
                understand(index..<days.end + 1, as: "everyDays", String(days.value))
            default:
                break
            }
        }
        if !weekdays.isEmpty { (filter.weekdays, filter.everyDays) = (weekdays, nil) }
        return isSaid || !weekdays.isEmpty
    }

    /// The times of day, in minutes since midnight, for a number of doses a day.
    private static let usualTimes = [2: [480, 1_200], 3: [480, 750, 1_110], 4: [480, 750, 1_110, 1_320]]

    /// Reads at which times, and whether with a meal.
    private mutating func times(hasDays: Bool) -> ([Int], withMeal: Bool) {
        var times: [Int] = []
        var withMeal = false
        var isEvening = false
        var clocks: [(Range<Int>, Clock)] = []
        for index in words.indices {
            guard let text = word(index) else { continue }
            if let count = dailyCount(at: index), let usual = DraftReader.usualTimes[count.value] {
                times += usual
                understand(index..<count.end, as: "times", usual.clockText)
            } else if text == "with", ["food", "meals", "meal", "a"].contains(word(index + 1)) {
                guard word(index + 1) != "a" || word(index + 2) == "meal" else { continue }
                withMeal = true
                understand(index..<index + (word(index + 1) == "a" ? 3 : 2), as: "withMeal", "true")
            } else if text == "at", let clock = clock(at: index + 1, isAnnounced: true) {
                clocks.append((index..<clock.end, clock))
                use(index..<clock.end)
            } else if let last = clocks.last, last.0.upperBound == index, text == "and",
                let clock = clock(at: index + 1, isAnnounced: true),
                vocabulary.countUnits[word(clock.end) ?? ""] == nil
            {
                clocks.append((index + 1..<clock.end, clock))
                use(index..<clock.end)
            } else if text == "nightly" {
                times.append(1_320)
                understand(index..<index + 1, as: "times", [1_320].clockText)
            } else if let part = vocabulary.daytimes[text] {
                let first = start(ofPhraseWith: index)
                isEvening = isEvening || part.hours.lowerBound >= 12
                if part.meal != nil, part.meal != "bedtime", word(index - 1) == "with" { withMeal = true }
                if clocks.isEmpty, !words.indices.contains(where: { $0 > index && word($0) == "at" }) {
                    times.append(part.usual)
                    understand(first..<index + 1, as: "times", [part.usual].clockText)
                } else {
                    use(first..<index + 1)
                }
            }
        }
        for (range, clock) in clocks {
            let minutes = isEvening && clock.isAmbiguous && clock.minutes < 720 ? clock.minutes + 720 : clock.minutes
            times.append(minutes)
            understand(range, as: "times", [minutes].clockText)
        }
        return (times, withMeal)
    }

    /// Reads `twice a day`, `three times daily`.
    private func dailyCount(at index: Int) -> (value: Int, end: Int)? {
        var (value, next) = (2, index + 1)
        if word(index) != "twice" {
            guard let number = wholeNumber(at: index, in: 2...4), word(number.end) == "times" else { return nil }
            (value, next) = (number.value, number.end + 1)
        }
        if word(next) == "daily" { return (value, next + 1) }
        guard ["a", "per", "each"].contains(word(next)), word(next + 1) == "day" else { return nil }
        return (value, next + 2)
    }

    /// Returns the first word of a phrase such as `every morning` or `in the evening`, given its last one.
    private func start(ofPhraseWith index: Int) -> Int {
        var first = index
        while first > 0, ["every", "each", "in", "at", "the", "before", "with", "and"].contains(word(first - 1)) {
            first -= 1
        }
        return first
    }
}

extension [Int] {
    /// Times of day, given in minutes since midnight, as text.
    fileprivate var clockText: String { compactMap { WallTime(minutes: $0)?.description }.joined(separator: " ") }
}
