import FoundationEssentials
import HealthModel

/// Reads the elements of an export of Apple Health, and keeps what becomes entries.
///
/// The samples of the watch, thousands a day, are added up for each day and source; sums are never added over sources,
/// because two devices count the same steps.
final class AppleHealthReader: XMLHandler {
    private(set) var days: [AppleHealthKey: AppleHealthDay] = [:]
    private(set) var workouts: [Workout] = []
    private(set) var profile = RecordProfile(subject: .human)
    /// The clinical records in FHIR R4 that the archive has as files of their own.
    private(set) var clinicalFiles: [ClinicalFile] = []
    private(set) var report = AppleHealthReport()
    private(set) var units = TextNumbers()
    private(set) var sources = TextNumbers()
    private(set) var zones = TextNumbers()
    /// The number of values that each become an entry because that was asked for.
    private(set) var rawCount = 0
    let types: AppleHealthTypes
    private let zoneNamed: (String) -> TimeZone?
    private var knownZones: [String: TimeZone] = [:]
    private var repeats = AppleHealthRepeats()
    private var record: OpenRecord?
    private var workout: Workout?
    private var sleep: [SleepKey: [SleepSegment]] = [:]
    private var segmentCount = 0

    /// The maximum number of daily values, over all types and sources.
    private static let maximumDays = 1_000_000
    /// The maximum number of values that each become an entry because that was asked for.
    static let maximumRaw = 100_000
    /// The maximum number of workouts.
    private static let maximumWorkouts = 50_000

    /// The maximum number of files with clinical records.
    private static let maximumClinicalFiles = 20_000

    /// A file with one resource of FHIR.
    struct ClinicalFile {
        /// The path within the folder of the export.
        let path: String
        /// The name of the hospital or practice.
        let source: String
        /// When the phone received the record.
        let received: Instant?
    }

    struct Workout {
        let activity: String
        let start: Instant
        let end: Instant
        let source: String
        let duration: String?
        let durationUnit: String?
        /// What was measured during it: distance, energy, heart rate.
        var parts: [(name: String, value: String, unit: String?)] = []

        /// Adds a part, as many as a measurement has; of the same one, the first is kept.
        mutating func add(_ name: String, _ value: String?, _ unit: String?) {
            guard let value, parts.count < 20, !parts.contains(where: { $0.name == name }) else { return }
            parts.append((name, value, unit))
        }
    }

    /// The time asleep or in bed between two moments.
    private struct SleepSegment {
        let start: Instant
        let end: Instant
        /// The day on which it ends.
        let day: Day
    }

    private struct SleepKey: Hashable {
        let type: Int
        let unit: UInt16
        let source: UInt16
    }

    private struct OpenRecord {
        let type: Int
        let start: AppleHealthTime
        let end: AppleHealthTime
        let value: String
        let unit: String
        let source: String
        var zone: String?
    }

    init(_ types: AppleHealthTypes, zoneNamed: @escaping (String) -> TimeZone?) {
        (self.types, self.zoneNamed) = (types, zoneNamed)
        // The number 0 means that there is no zone.
        _ = zones.number(of: "")
    }

    func forget() { (record, workout) = (nil, nil) }

    func begin(_ name: String, _ attributes: XMLAttributes) {
        switch name {
        case "Record": beginRecord(attributes)
        case "MetadataEntry":
            if record != nil, attributes["key"] == "HKTimeZone" { record?.zone = attributes["value"] }
        case "Workout": beginWorkout(attributes)
        case "WorkoutStatistics": addStatistics(attributes)
        case "WorkoutRoute": report.leave(name)
        case "Me": readPerson(attributes)
        case "ClinicalRecord": addClinicalRecord(attributes)
        case "ActivitySummary", "Audiogram", "VisionPrescription", "StateOfMind":
            report.notTaken[name, default: 0] += 1
        default: break
        }
    }

    func end(_ name: String) {
        switch name {
        case "Record":
            if let record { add(record) }
            record = nil
        case "Workout":
            if let workout { add(workout) }
            workout = nil
        default: break
        }
    }

    // MARK: - Records

    private func beginRecord(_ attributes: XMLAttributes) {
        record = nil
        guard let identifier = attributes["type"] else {
            report.invalid += 1
            return
        }
        report.records += 1
        var name = AppleHealthType.shortName(identifier)
        var value = attributes["value"] ?? ""
        if name == "SleepAnalysis" {
            if value.contains("Asleep") {
                name = AppleHealthType.asleep
            } else if value.contains("InBed") {
                name = AppleHealthType.inBed
            }
            value = ""
        }
        guard let type = types.index(of: name) else {
            report.leave(name)
            return
        }
        guard let start = attributes["startDate"].flatMap({ AppleHealthTime($0) }),
            let end = attributes["endDate"].flatMap({ AppleHealthTime($0) })
        else {
            report.invalid += 1
            return
        }
        record = OpenRecord(
            type: type,
            start: start,
            end: end,
            value: value,
            unit: attributes["unit"] ?? "",
            source: attributes["sourceName"] ?? ""
        )
    }

    private func add(_ record: OpenRecord) {
        let type = types[record.type]
        let minutes = Double(record.end.instant.microseconds - record.start.instant.microseconds) / 60e6
        guard let value = type.rule == .duration ? minutes : Self.number(record.value), minutes >= 0,
            let unit = units.number(of: type.rule == .duration ? "min" : record.unit), unit < 256,
            let source = sources.number(of: record.source), let zone = zones.number(of: record.zone ?? "")
        else {
            report.invalid += 1
            return
        }
        let time = type.rule == .duration ? record.end : record.start
        let key = AppleHealthKey(type: record.type, unit: unit, source: source, day: day(of: time, record.zone))
        guard days.count < Self.maximumDays || days[key] != nil, !type.isRaw || rawCount <= Self.maximumRaw else {
            report.invalid += 1
            return
        }
        let sample = AppleHealthDay.Sample(
            start: record.start.instant,
            end: record.end.instant,
            value: record.value,
            unit: unit,
            zone: zone
        )
        if type.rule == .duration {
            if repeats.isNew(sample, of: key), segmentCount < Self.maximumSegments {
                segmentCount += 1
                sleep[SleepKey(type: record.type, unit: unit, source: source), default: []]
                    .append(SleepSegment(start: sample.start, end: sample.end, day: key.day))
                report.taken[type.label, default: 0] += 1
            } else {
                report.repeated += 1
            }
            return
        }
        if repeats.isNew(sample, of: key),
            days[key, default: AppleHealthDay(unit: unit)]
                .add(sample, value, most: type.mostSingly, isCorrelated: type.isCorrelated)
        {
            report.taken[type.label, default: 0] += 1
            if type.isRaw { rawCount += 1 }
        } else {
            report.repeated += 1
        }
    }

    /// The longest time awake within a night, in minutes.
    private static let longestGap = 120
    /// The longest night, in minutes.
    private static let longestNight = 20 * 60
    private static let maximumSegments = 2_000_000

    /// Adds the nights to their days, once all records are read.
    ///
    /// A night counts on the day on which it ends, and time that several segments of a source cover counts once.
    func addNights() {
        for (key, segments) in sleep {
            let sorted = segments.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
            var night: [SleepSegment] = []
            var end: Instant?
            for segment in sorted {
                let limit = night.first?.start.adding(minutes: Self.longestNight)
                if let end, let limit, segment.start > end.adding(minutes: Self.longestGap) || segment.end > limit {
                    add(night, key)
                    night = []
                }
                end = max(end ?? segment.end, segment.end)
                night.append(segment)
            }
            add(night, key)
        }
        sleep = [:]
    }

    private func add(_ night: [SleepSegment], _ key: SleepKey) {
        guard let day = night.max(by: { $0.end < $1.end })?.day else { return }
        let dayKey = AppleHealthKey(type: key.type, unit: key.unit, source: key.source, day: day)
        guard days.count < Self.maximumDays || days[dayKey] != nil else {
            report.invalid += night.count
            return
        }
        var covered: Instant?
        for segment in night {
            let start = max(segment.start, covered ?? segment.start)
            let microseconds = max(0, segment.end.microseconds - start.microseconds)
            covered = max(covered ?? segment.end, segment.end)
            let sample = AppleHealthDay.Sample(
                start: segment.start,
                end: segment.end,
                value: "",
                unit: key.unit,
                zone: 0
            )
            _ = days[dayKey, default: AppleHealthDay(unit: key.unit)]
                .add(sample, Double(microseconds) / 60e6, most: 0, isCorrelated: false)
        }
    }

    /// A number in decimal notation; nil for any other text.
    private static func number(_ text: String) -> Double? {
        guard text.utf8.count <= 64, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) })
        else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The day by the clock of the place, if the record names its zone, or else by the offset of its time.
    private func day(of time: AppleHealthTime, _ name: String?) -> Day {
        guard let name, let zone = zone(name) else { return time.day }
        let seconds = Double(time.instant.microseconds) / Double(Instant.microsecondsPerSecond)
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        return Day(of: time.instant.adding(minutes: offset / 60))
    }

    private func zone(_ name: String) -> TimeZone? {
        if let zone = knownZones[name] { return zone }
        let zone = zoneNamed(name)
        if knownZones.count < 1_000 { knownZones[name] = zone }
        return zone
    }

    // MARK: - Clinical records, workouts and the person

    private func addClinicalRecord(_ attributes: XMLAttributes) {
        let release = attributes["fhirVersion"] ?? ""
        guard release.hasPrefix("4."), let path = attributes["resourceFilePath"], !path.isEmpty,
            clinicalFiles.count < Self.maximumClinicalFiles
        else {
            // The elements of other releases, such as DSTU2, have the same names and other meanings.
            let name = release.isEmpty ? "ClinicalRecord" : "ClinicalRecord of FHIR \(release.prefix(10))"
            report.leave(name)
            return
        }
        let received = attributes["receivedDate"].flatMap { AppleHealthTime($0) }?.instant
        clinicalFiles.append(ClinicalFile(path: path, source: attributes["sourceName"] ?? "", received: received))
    }

    private func beginWorkout(_ attributes: XMLAttributes) {
        workout = nil
        guard let start = attributes["startDate"].flatMap({ AppleHealthTime($0) }),
            let end = attributes["endDate"].flatMap({ AppleHealthTime($0) })
        else {
            report.invalid += 1
            return
        }
        let activity = attributes["workoutActivityType"] ?? ""
        var workout = Workout(
            activity: activity.hasPrefix("HKWorkoutActivityType") ? String(activity.dropFirst(21)) : activity,
            start: start.instant,
            end: end.instant,
            source: attributes["sourceName"] ?? "",
            duration: attributes["duration"],
            durationUnit: attributes["durationUnit"]
        )
        // Until iOS 15, the sums were attributes of the workout.
        workout.add("Active energy", attributes["totalEnergyBurned"], attributes["totalEnergyBurnedUnit"])
        workout.add("Distance", attributes["totalDistance"], attributes["totalDistanceUnit"])
        self.workout = workout
    }

    private func addStatistics(_ attributes: XMLAttributes) {
        guard workout != nil, let identifier = attributes["type"] else { return }
        let (type, unit) = (AppleHealthType.shortName(identifier), attributes["unit"])
        if type == "ActiveEnergyBurned" {
            workout?.add("Active energy", attributes["sum"], unit)
        } else if type.hasPrefix("Distance") {
            // A workout of several sports has a distance of each.
            let isFirst = workout?.parts.contains { $0.name == "Distance" } == false
            workout?.add(isFirst ? "Distance" : type, attributes["sum"], unit)
        } else if type == "HeartRate" {
            workout?.add("Heart rate", attributes["average"], unit)
            workout?.add("Lowest heart rate", attributes["minimum"], unit)
            workout?.add("Highest heart rate", attributes["maximum"], unit)
        } else if let value = attributes["sum"] ?? attributes["average"] {
            workout?.add(type, value, unit)
        }
    }

    private func add(_ workout: Workout) {
        guard workouts.count < Self.maximumWorkouts else {
            report.notTaken["Workout", default: 0] += 1
            return
        }
        report.taken["Workouts", default: 0] += 1
        workouts.append(workout)
    }

    private func readPerson(_ attributes: XMLAttributes) {
        if let text = attributes["HKCharacteristicTypeIdentifierDateOfBirth"], let day = try? Day(parsing: text) {
            profile.values[RecordProfile.birthdate] = .day(day)
        }
        switch attributes["HKCharacteristicTypeIdentifierBiologicalSex"] {
        case "HKBiologicalSexFemale": profile.values[RecordProfile.sex] = .text("female")
        case "HKBiologicalSexMale": profile.values[RecordProfile.sex] = .text("male")
        default: break
        }
    }
}

/// What became of the records of an export of Apple Health.
package struct AppleHealthReport: Hashable, Sendable {
    /// The number of all records.
    package internal(set) var records = 0
    /// The numbers of values that became entries or parts of summaries, by the names of what they measure.
    package internal(set) var taken: [String: Int] = [:]
    /// The numbers of records of types that are not taken, by type; those beyond the first 1,000 types count together, as
    /// "other types".
    package internal(set) var notTaken: [String: Int] = [:]
    /// The number of records that repeat others.
    package internal(set) var repeated = 0
    /// The number of records without a valid time or value, and of clinical records that are no valid resources.
    package var invalid = 0
    /// The number of characters that XML does not allow.
    package internal(set) var replacedCharacters = 0
    /// The numbers of the lines that could not be parsed.
    package internal(set) var skippedLines: [Int] = []
    /// How many entries are summaries of days.
    package internal(set) var summaries = 0

    /// The maximum number of types that the report names.
    private static let maximumTypes = 1_000

    /// Counts a record of a type that is not taken.
    mutating func leave(_ type: String) {
        let isNamed = notTaken[type] != nil || notTaken.count < Self.maximumTypes
        notTaken[isNamed ? type : "other types", default: 0] += 1
    }
}
