import HealthModel

/// Checks whether a document's times count from the epoch that the import was given.
///
/// A number alone is ambiguous: 1708041600 is in 2024 or in 2055. The following evidence is used, strongest first:
///
/// 1. The times at which the source's app created and changed its copy. They lie between 2014, before which the app's
///    language did not exist, and the present. The two epochs are 31 years apart, so only one of them can fit.
/// 2. The year of a cost, compared with the cost's date.
/// 3. The shape. The models shape is encoded from 2001, so it is rejected as `unix` if it has any date at all. The
///    CloudKit shape is written from 1970, so it is rejected as `reference` if a date is then in the future but is not
///    when counted from 1970.
///
/// If the evidence contradicts the given epoch, the document is rejected with an error that names the other epoch. No
/// time is converted silently.
struct PurusEpochEvidence {
    private let options: PurusOptions
    private let source: PurusSource
    private var stamps: [PurusOptions.Epoch: DocumentPath] = [:]
    private var costs: [PurusOptions.Epoch: DocumentPath] = [:]
    private var dates: [(path: DocumentPath, seconds: ExactDecimal)] = []

    /// 2014-01-01; the upper bound, `latestStamp`, is one day after the present, because clocks differ.
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
        // `Int32`, so that a difference of years cannot overflow.
        return Int32(text).map { Int($0) }
    }

    /// The epoch that a time supports; nil unless it is plausible in exactly one of them.
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
            throw refusal(first.path, "is in a document of the models shape, which counts from 2001, not from 1970")
        case .reference where source.shape != .models:
            guard let future = dates.first(where: { isFuture($0.seconds, .reference) && !isFuture($0.seconds, .unix) })
            else { return }
            throw refusal(future.path, "is in the future counted from 2001, but in the past counted from 1970")
        default: return
        }
    }

    private func isFuture(_ seconds: ExactDecimal, _ epoch: PurusOptions.Epoch) -> Bool {
        PurusDates.instant(seconds, epoch).map { $0 > latestStamp } ?? true
    }

    private func refusal(_ path: DocumentPath, _ message: Message) -> ModelError {
        ModelError(.invalid, field: path.field, "\(message): import it with --epoch \(options.epoch.other.rawValue)")
    }
}
