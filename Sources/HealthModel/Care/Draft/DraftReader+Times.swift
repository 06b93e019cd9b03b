/// Times of day and moments in the past.
extension DraftReader {
    /// A time of day as it was said.
    struct Clock {
        /// In minutes since midnight.
        var minutes: Int
        /// Whether the same time half a day later may be meant as well.
        var isAmbiguous: Bool
        var end: Int
    }

    /// Returns the time that begins at a word: `8:30`, `half past eight`, `8 pm`, `noon`.
    ///
    /// A bare number is a time only if `isAnnounced`, by a word such as `at`.
    func clock(at index: Int, isAnnounced: Bool) -> Clock? {
        guard let text = word(index) else { return nil }
        if let time = words[index].time {
            return withHalfOfDay(Clock(minutes: time.minutes, isAmbiguous: !words[index].isExact, end: index + 1))
        }
        if text == "noon" || text == "midday" { return Clock(minutes: 720, isAmbiguous: false, end: index + 1) }
        if text == "midnight" { return Clock(minutes: 0, isAmbiguous: false, end: index + 1) }
        if let relative = relativeToHour(at: index) { return withHalfOfDay(relative) }
        guard let hour = wholeNumber(at: index, in: 0...24), text != "a", text != "an" else { return nil }
        var clock = Clock(
            minutes: hour.value % 24 * 60,
            isAmbiguous: (1...12).contains(hour.value) && words[index].text != "0",
            end: hour.end
        )
        let isNamed = word(clock.end) == "oclock" || word(clock.end) == "o"
        if word(clock.end) == "oclock" { clock.end += 1 }
        if word(clock.end) == "o", word(clock.end + 1) == "clock" { clock.end += 2 }
        if !isNamed, isAnnounced, let minute = wholeNumber(at: clock.end, in: 10...59),
            vocabulary.countUnits[word(minute.end) ?? ""] == nil
        {
            clock.minutes += minute.value
            clock.end = minute.end
        }
        let complete = withHalfOfDay(clock)
        return isAnnounced || isNamed || complete.end > clock.end ? complete : nil
    }

    /// Reads `half past eight`, `quarter to nine`, `a quarter past nine`, `ten past eight`.
    private func relativeToHour(at index: Int) -> Clock? {
        var next = word(index) == "a" && word(index + 1) == "quarter" ? index + 1 : index
        let minutes: Int
        switch word(next) {
        case "half": (minutes, next) = (30, next + 1)
        case "quarter": (minutes, next) = (15, next + 1)
        default:
            guard let number = wholeNumber(at: next, in: 1...59) else { return nil }
            let isNamed = word(number.end) == "minutes"
            // `8 to 10` is a range rather than a time.
            guard isNamed || number.value % 5 == 0 else { return nil }
            (minutes, next) = (number.value, isNamed ? number.end + 1 : number.end)
        }
        let direction = word(next)
        guard direction == "past" || direction == "to" || direction == "after",
            let hour = wholeNumber(at: next + 1, in: 1...24)
        else { return nil }
        let total = hour.value * 60 + (direction == "to" ? -minutes : minutes)
        return Clock(minutes: (total + 1_440) % 1_440, isAmbiguous: hour.value <= 12, end: hour.end)
    }

    /// Adds `am` or `pm`, if it follows.
    private func withHalfOfDay(_ clock: Clock) -> Clock {
        var clock = clock
        guard clock.isAmbiguous, let text = word(clock.end) else { return clock }
        var half = text
        var end = clock.end + 1
        if text == "a" || text == "p", word(end) == "m" { (half, end) = (text + "m", end + 1) }
        guard half == "am" || half == "pm" else { return clock }
        clock.minutes = clock.minutes % 720 + (half == "pm" ? 720 : 0)
        clock.isAmbiguous = false
        clock.end = end
        return clock
    }

    /// When something happened.
    struct Occurrence {
        var instant: Instant
        var day: Day
        /// Whether the sentence gives only the day or a part of it, so that the time is a guess.
        var isGuess: Bool
    }

    /// Reads when something happened; nil if the sentence does not say.
    mutating func occurrence() -> Occurrence? {
        if let ago = timeAgo() { return ago }
        var day: Day?
        var part: DraftWords.Daytime?
        var time: Clock?
        var taken: [Range<Int>] = []
        var index = 0
        while index < words.count {
            if time == nil, let range = announcedClock(at: index, &time) {
                taken.append(range)
            } else if let range = dayOrPart(at: index, &day, &part) {
                taken.append(range)
            }
            index = max(index + 1, taken.last?.upperBound ?? 0)
        }
        guard let first = taken.first else { return nil }
        let occurrence = resolve(day, part, time)
        // By the person's clock, as it was said.
        let value =
            time == nil && part == nil ? occurrence.day.description : now.clock.wall(at: occurrence.instant).description
        for range in taken.dropFirst() { use(range) }
        let heard = taken.map { words[$0].map(\.heard).joined(separator: " ") }.joined(separator: " … ")
        understand(first, as: "date", value, heard: heard)
        return occurrence
    }

    private func announcedClock(at index: Int, _ time: inout Clock?) -> Range<Int>? {
        let isAnnounced = ["at", "around", "about", "by"].contains(word(index))
        // `took five to ten tablets` is a range.
        if !isAnnounced, let number = number(at: index), word(number.end) == "to" { return nil }
        guard let clock = clock(at: isAnnounced ? index + 1 : index, isAnnounced: isAnnounced) else { return nil }
        // Neither is `about two ibuprofen` a time.
        if isAnnounced, word(index) != "at", clock.end == product?.range.lowerBound { return nil }
        // `about 5 tablets` is not a time.
        let unit = word(clock.end) ?? ""
        guard vocabulary.countUnits[unit] == nil, vocabulary.strengthUnits[unit] == nil else { return nil }
        time = clock
        return index..<clock.end
    }

    private func dayOrPart(at index: Int, _ day: inout Day?, _ part: inout DraftWords.Daytime?) -> Range<Int>? {
        let next = word(index + 1) ?? ""
        switch word(index) {
        case "yesterday":
            day = now.day.adding(days: -1)
            part = vocabulary.daytimes[next] ?? part
            return index..<index + (vocabulary.daytimes[next] == nil ? 1 : 2)
        case "today":
            day = now.day
            return index..<index + 1
        case "tonight":
            (day, part) = (now.day, vocabulary.daytimes["evening"])
            return index..<index + 1
        case "last" where next == "night":
            (day, part) = (now.day.adding(days: -1), vocabulary.daytimes["night"])
            return index..<index + 2
        case "this":
            guard let found = vocabulary.daytimes[next], found.meal == nil else { return nil }
            (day, part) = (now.day, found)
            return index..<index + 2
        case "in":
            let isWithArticle = next == "the"
            guard let found = vocabulary.daytimes[isWithArticle ? word(index + 2) ?? "" : next], found.meal == nil
            else { return nil }
            part = found
            return index..<index + (isWithArticle ? 3 : 2)
        default:
            return nil
        }
    }

    private func resolve(_ day: Day?, _ part: DraftWords.Daytime?, _ time: Clock?) -> Occurrence {
        guard let time else {
            let day = day ?? now.day
            let usual = WallTime(minutes: part?.usual ?? 720) ?? now.wall.time
            guard let usual, day != now.day || part != nil else {
                return Occurrence(instant: now.instant, day: now.day, isGuess: false)
            }
            let instant = min(now.instant(of: day, usual), now.instant)
            return Occurrence(instant: instant, day: day, isGuess: true)
        }
        var minutes = time.isAmbiguous ? [time.minutes % 720, time.minutes % 720 + 720] : [time.minutes]
        if let part, minutes.count > 1 {
            let fitting = minutes.filter { part.hours.contains($0 / 60) }
            if !fitting.isEmpty { minutes = fitting }
        }
        let days = day.map { [$0] } ?? [now.day, now.day.adding(days: -1)]
        let candidates = days.flatMap { day in
            minutes.compactMap { WallTime(minutes: $0) }.map { (day, now.instant(of: day, $0)) }
        }
        // The latest one that is over; of times that are all ahead, the first.
        let past = candidates.filter { $0.1 <= now.instant }.max { $0.1 < $1.1 }
        let chosen = past ?? candidates.min { $0.1 < $1.1 }
        return Occurrence(instant: chosen?.1 ?? now.instant, day: chosen?.0 ?? now.day, isGuess: false)
    }

    /// Reads `20 minutes ago`, `half an hour ago`, `two hours ago`.
    private mutating func timeAgo() -> Occurrence? {
        guard let ago = words.indices.first(where: { word($0) == "ago" }) else { return nil }
        for start in max(0, ago - 6)..<ago {
            guard let number = number(at: start), number.end == ago - 1, let unit = word(number.end) else { continue }
            let length: Int64
            switch unit {
            case "minute", "minutes", "min", "mins": length = 60
            case "hour", "hours": length = 3_600
            case "day", "days": length = 86_400
            default: continue
            }
            guard let count = Double(number.value.description), count <= 1_000 else { continue }
            let seconds = Int64(count * Double(length))
            let instant = Instant(microseconds: now.instant.microseconds - seconds * Instant.microsecondsPerSecond)
            understand(start..<ago + 1, as: "date", now.clock.wall(at: instant).description)
            return Occurrence(instant: instant, day: now.clock.day(at: instant), isGuess: length == 86_400)
        }
        return nil
    }
}
