import HealthModel

/// Finds out whether a document counts its seconds from the epoch that its reader was told.
///
/// The number alone cannot tell: 1708041600 is 2024 or 2055. What can, strongest first:
///
/// 1. When the source's app created and touched its copy: between 2014, before which it had no language to be written
///    in, and now. The two epochs lie 31 years apart, so only one of them can be right.
/// 2. The year of a cost beside the cost's date.
/// 3. The shape. The models shape is encoded from 2001, so it is refused as `unix` if it has any date at all. The
///    CloudKit shape is written from 1970, so it is refused as `reference` if that puts any date into the future that
///    1970 does not.
///
/// Evidence against the epoch given refuses the document, and names the other. Nothing is converted silently.
struct PurusEpochEvidence {
    private let options: PurusOptions
    private let source: PurusSource
    private var stamps: [PurusOptions.Epoch: DocumentPath] = [:]
    private var costs: [PurusOptions.Epoch: DocumentPath] = [:]
    private var dates: [(path: DocumentPath, seconds: ExactDecimal)] = []

    /// 2014-01-01, and a day beyond now, since clocks differ.
    private static let appearance = Instant(microseconds: 1_388_534_400 * Instant.microsecondsPerSecond)
    private var latestStamp: Instant {
        Instant(microseconds: options.now.microseconds + Instant.microsecondsPerDay)
    }

    static func check(_ source: PurusSource, _ options: PurusOptions) throws(ModelError) {
        try PurusEpochEvidence(source, options).check()
    }

    private init(_ source: PurusSource, _ options: PurusOptions) {
        self.options = options
        self.source = source
        collect(source.members, at: DocumentPath())
        for entry in source.entries { collect(entry.members, at: entry.path) }
    }

    private mutating func collect(_ members: [JSONValue.Member], at path: DocumentPath) {
        for member in members where Self.timeNames.contains(member.name) {
            guard case .number(let text) = member.value, let seconds = try? ExactDecimal(parsing: text) else {
                continue
            }
            let place = path.appending(member.name)
            dates.append((place, seconds))
            if PurusStamps.names.contains(member.name) {
                let votes = Self.onlyEpoch(where: { PurusDates.instant(seconds, $0).map(isStampPlausible) ?? false })
                if let votes, stamps[votes] == nil { stamps[votes] = place }
            } else if member.name == "date", let year = Self.year(members) {
                let votes = Self.onlyEpoch(where: { epoch in
                    PurusDates.instant(seconds, epoch).map { abs(Day(of: $0).year - year) <= 1 } ?? false
                })
                if let votes, costs[votes] == nil { costs[votes] = place }
            }
        }
    }

    private static let timeNames = PurusStamps.names.union(["date", "personalBirthdate"])

    private static func year(_ members: [JSONValue.Member]) -> Int? {
        guard case .number(let text)? = members.first(where: { $0.name == "year" })?.value else { return nil }
        // No wider than a difference of years can be without overflowing.
        return Int32(text).map { Int($0) }
    }

    /// The epoch that a time speaks for: it tells something only if exactly one makes sense of it.
    private static func onlyEpoch(where isPlausible: (PurusOptions.Epoch) -> Bool) -> PurusOptions.Epoch? {
        let plausible = PurusOptions.Epoch.allCases.filter(isPlausible)
        return plausible.count == 1 ? plausible.first : nil
    }

    private func isStampPlausible(_ instant: Instant) -> Bool {
        (Self.appearance...max(latestStamp, Self.appearance)).contains(instant)
    }

    private func check() throws(ModelError) {
        for votes in [stamps, costs] where !votes.isEmpty {
            guard let path = votes[options.epoch.other] else { return }
            if let own = votes[options.epoch] {
                throw ModelError(
                    .invalid,
                    field: path.field,
                    "counts from \(options.epoch.other.year), while \(own) counts from \(options.epoch.year)"
                )
            }
            throw refusal(path, "makes sense counted from \(options.epoch.other.year), not from \(options.epoch.year)")
        }
        switch options.epoch {
        case .unix where source.shape == .models:
            guard let first = dates.first else { return }
            throw refusal(first.path, "stands in a document of the models shape, which counts from 2001, not from 1970")
        case .reference where source.shape != .models:
            guard let future = dates.first(where: { isFuture($0.seconds, .reference) && !isFuture($0.seconds, .unix) })
            else { return }
            throw refusal(future.path, "lies in the future counted from 2001, and in the past counted from 1970")
        default: return
        }
    }

    private func isFuture(_ seconds: ExactDecimal, _ epoch: PurusOptions.Epoch) -> Bool {
        PurusDates.instant(seconds, epoch).map { $0 > latestStamp } ?? true
    }

    private func refusal(_ path: DocumentPath, _ message: String) -> ModelError {
        ModelError(.invalid, field: path.field, "\(message): import it with --epoch \(options.epoch.other.rawValue)")
    }
}
