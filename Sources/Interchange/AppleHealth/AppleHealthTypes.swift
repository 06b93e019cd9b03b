import HealthModel

/// A type of Apple's health data, and what becomes of it.
struct AppleHealthType: Sendable {
    enum Rule {
        /// Each value is an entry of the kind `weight`.
        case weight
        /// Each pair of values with the same start and source is one measurement with two parts.
        case systolic, diastolic
        /// Each value is a measurement, until a day has more than ``AppleHealthType/mostADay`` of a source.
        case sample
        /// Values of a day and a source become their sum.
        case sum
        /// Values of a day and a source become their mean, with the lowest and the highest one.
        case mean
        /// The time between start and end, in minutes, is added up for each day and source.
        case duration
    }

    /// The identifier without its prefix, such as `BodyMass`.
    let name: String
    let label: String
    let rule: Rule
    /// Whether Apple writes a fraction from 0 to 1 with the unit `%`.
    var isShare = false
    /// Whether each value becomes an entry, however many there are.
    var isRaw = false

    /// More values than this of one day and source are summarised.
    static let mostADay = 24

    /// Whether an export repeats values of the type within a `Correlation`: of a blood pressure or of a meal.
    var isCorrelated: Bool {
        switch rule {
        case .systolic, .diastolic: true
        case .weight, .sample, .sum, .mean, .duration: name.hasPrefix("Dietary")
        }
    }

    /// How many values of a day and a source become entries of their own; if there are more, they are summarised.
    var mostSingly: Int {
        switch rule {
        case .weight, .systolic, .diastolic, .sample: isRaw ? .max : Self.mostADay
        case .sum, .mean, .duration: 0
        }
    }

    /// The types that are taken unless the caller names more.
    fileprivate static let known: [AppleHealthType] = [
        AppleHealthType(name: "BodyMass", label: "Weight", rule: .weight),
        AppleHealthType(name: "BloodPressureSystolic", label: "Systolic", rule: .systolic),
        AppleHealthType(name: "BloodPressureDiastolic", label: "Diastolic", rule: .diastolic),
        AppleHealthType(name: "BloodGlucose", label: "Blood glucose", rule: .sample),
        AppleHealthType(name: "BodyTemperature", label: "Body temperature", rule: .sample),
        AppleHealthType(name: "OxygenSaturation", label: "Oxygen saturation", rule: .sample, isShare: true),
        AppleHealthType(name: "RespiratoryRate", label: "Respiratory rate", rule: .sample),
        AppleHealthType(name: "Height", label: "Height", rule: .sample),
        AppleHealthType(name: "BodyFatPercentage", label: "Body fat", rule: .sample, isShare: true),
        AppleHealthType(name: "LeanBodyMass", label: "Lean body mass", rule: .sample),
        AppleHealthType(name: "WaistCircumference", label: "Waist circumference", rule: .sample),
        AppleHealthType(name: "PeakExpiratoryFlowRate", label: "Peak expiratory flow", rule: .sample),
        AppleHealthType(name: "InsulinDelivery", label: "Insulin", rule: .sample),
        AppleHealthType(name: "HeartRate", label: "Heart rate", rule: .mean),
        AppleHealthType(name: "RestingHeartRate", label: "Resting heart rate", rule: .mean),
        AppleHealthType(name: "HeartRateVariabilitySDNN", label: "Heart rate variability", rule: .mean),
        AppleHealthType(name: "StepCount", label: "Steps", rule: .sum),
        AppleHealthType(name: "DistanceWalkingRunning", label: "Distance walked or run", rule: .sum),
        AppleHealthType(name: "ActiveEnergyBurned", label: "Active energy", rule: .sum),
        AppleHealthType(name: "FlightsClimbed", label: "Flights climbed", rule: .sum),
        AppleHealthType(name: "AppleExerciseTime", label: "Exercise time", rule: .sum),
        AppleHealthType(name: asleep, label: "Sleep", rule: .duration),
        AppleHealthType(name: inBed, label: "Time in bed", rule: .duration),
    ]

    /// Names of our own for the two meanings of `SleepAnalysis`.
    static let asleep = "SleepAnalysis.asleep"
    static let inBed = "SleepAnalysis.inBed"

    /// Returns a unit as laboratories write it: Apple states the molar mass of glucose within it, as in
    /// `mmol<180.1558800000541>/L`.
    static func unit(_ text: String) -> String {
        guard let open = text.firstIndex(of: "<"), let close = text[open...].firstIndex(of: ">") else { return text }
        return String(text[..<open] + text[text.index(after: close)...])
    }

    /// Returns the name of a type without its prefix, such as `StepCount` for `HKQuantityTypeIdentifierStepCount`.
    static func shortName(_ identifier: String) -> String {
        for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataType"]
        where identifier.hasPrefix(prefix) {
            return String(Substring(identifier.utf8.dropFirst(prefix.utf8.count)))
        }
        return identifier
    }
}

/// The types of an export that are taken.
struct AppleHealthTypes: Sendable {
    private let all: [AppleHealthType]
    private let indices: [String: Int]
    /// The names of the types that were asked for.
    let asked: Set<String>

    /// Types that add up over a day; of others, the mean of a day is of interest (`HKQuantityType.aggregationStyle`).
    private static let cumulative: Set<String> = [
        "BasalEnergyBurned", "PushCount", "SwimmingStrokeCount", "AppleMoveTime", "AppleStandTime", "InhalerUsage",
        "NumberOfTimesFallen", "NumberOfAlcoholicBeverages", "NikeFuel", "TimeInDaylight",
    ]
    private static let maximum = 100

    /// `more` are further types, and `raw` those whose values each become an entry, by their identifiers.
    init(more: [String] = [], raw: [String] = []) throws(ModelError) {
        let (more, raw) = (more.map(AppleHealthType.shortName), raw.map(AppleHealthType.shortName))
        asked = Set(more + raw)
        guard asked.count <= Self.maximum else { throw ModelError(.invalid, "more than \(Self.maximum) types") }
        var all = AppleHealthType.known
        var indices = Dictionary(uniqueKeysWithValues: zip(all.map(\.name), all.indices))
        for name in more + raw where indices[name] == nil {
            let isName =
                !name.isEmpty && name.utf8.count <= 100
                && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            guard isName else {
                throw ModelError(.invalid, "\(DocumentPath().appending(name)) is no name of a type, such as VO2Max")
            }
            let isSum = Self.cumulative.contains(name) || name.hasPrefix("Dietary") || name.hasPrefix("Distance")
            indices[name] = all.count
            all.append(AppleHealthType(name: name, label: name.inWords, rule: isSum ? .sum : .sample))
        }
        for name in raw {
            guard let index = indices[name], ![.weight, .systolic, .diastolic].contains(all[index].rule) else {
                throw ModelError(.invalid, "each value of \(name) is an entry anyway")
            }
            let type = all[index]
            all[index] = AppleHealthType(
                name: type.name,
                label: type.label,
                rule: .sample,
                isShare: type.isShare,
                isRaw: true
            )
        }
        (self.all, self.indices) = (all, indices)
    }

    subscript(index: Int) -> AppleHealthType { all[index] }

    func index(of name: String) -> Int? { indices[name] }
}

extension String {
    /// A name in words, such as `Walking speed` for `WalkingSpeed`; abbreviations stay as they are.
    fileprivate var inWords: String {
        var words = ""
        let letters = Array(self)
        for (index, letter) in letters.enumerated() {
            let isStart = index > 0 && letter.isUppercase && index + 1 < letters.count && letters[index + 1].isLowercase
            words += isStart ? " " + letter.lowercased() : String(letter)
        }
        return words
    }
}

/// A time as Apple writes it, such as `2024-03-01 07:30:10 +0100`.
struct AppleHealthTime {
    let instant: Instant
    /// In minutes.
    let offset: Int

    /// The day by the clock that wrote the time.
    var day: Day { Day(of: instant.adding(minutes: offset)) }

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 25, bytes[4] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: " "),
            bytes[13] == UInt8(ascii: ":")
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let date = number(8..<10),
            let day = Day(year: year, month: month, day: date), let hour = number(11..<13), hour < 24,
            let minute = number(14..<16), minute < 60, let second = number(17..<19), second < 61,
            bytes[20] == UInt8(ascii: "+") || bytes[20] == UInt8(ascii: "-"), let offsetHour = number(21..<23),
            offsetHour <= 14, let offsetMinute = number(23..<25), offsetMinute < 60
        else { return nil }
        offset = (bytes[20] == UInt8(ascii: "-") ? -1 : 1) * (offsetHour * 60 + offsetMinute)
        let seconds = Int64(hour * 3_600 + minute * 60 + min(second, 59))
        instant = Instant(microseconds: day.startInstant.microseconds + seconds * Instant.microsecondsPerSecond)
            .adding(minutes: -offset)
    }
}
