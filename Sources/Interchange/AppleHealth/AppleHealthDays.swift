import HealthModel

/// Assigns small numbers to texts, so that each text is stored once.
struct TextNumbers {
    private(set) var texts: [String] = []
    private var numbers: [String: UInt16] = [:]

    /// Returns the number of a text, assigning one if necessary; nil if all numbers are in use.
    mutating func number(of text: String) -> UInt16? {
        if let number = numbers[text] { return number }
        guard texts.count < Int(UInt16.max) else { return nil }
        let number = UInt16(texts.count)
        numbers[text] = number
        texts.append(text)
        return number
    }

    subscript(number: UInt16) -> String { texts[Int(number)] }
}

/// The values of one type, source and day.
struct AppleHealthDay {
    /// A value that may become an entry of its own.
    struct Sample {
        let start: Instant
        let end: Instant
        /// With its digits as they were written.
        let value: String
        let unit: UInt16
        /// The number assigned to the name of the time zone; 0 for none.
        let zone: UInt16

        /// A hash that copies of a value share: in the time zone, they may differ.
        var copyHash: Int {
            var hasher = Hasher()
            hasher.combine(start)
            hasher.combine(end)
            hasher.combine(value)
            hasher.combine(unit)
            return hasher.finalize()
        }
    }

    private(set) var count = 0
    private(set) var sum = 0.0
    private(set) var minimum = Double.infinity
    private(set) var maximum = -Double.infinity
    private(set) var unit: UInt16
    /// The single values; empty if there are too many, or the type is always summarised.
    private(set) var samples: [Sample] = []
    /// The hashes of all values of a type that an export repeats.
    private var seen: Set<Int> = []

    init(unit: UInt16) { self.unit = unit }

    /// Adds a value; returns false if it repeats another one.
    ///
    /// `most` is how many are kept. Records within a `Correlation` are copies of others, which may be far away in the
    /// document: `isCorrelated` says that the type has such copies, so that all values of the day are remembered.
    mutating func add(_ sample: Sample, _ value: Double, most: Int, isCorrelated: Bool) -> Bool {
        if isCorrelated {
            guard seen.insert(sample.copyHash).inserted else { return false }
        } else if most == AppleHealthType.mostADay {
            let isKnown = samples.contains {
                $0.start == sample.start && $0.end == sample.end && $0.value == sample.value && $0.unit == sample.unit
            }
            if isKnown { return false }
        }
        if count < most { samples.append(sample) } else { samples = [] }
        count += 1
        sum += value
        minimum = min(minimum, value)
        maximum = max(maximum, value)
        return true
    }
}

/// Detects repeated values within the current day of each type and source.
///
/// An export has the records of a type and a source in the order of time, so older days need not be remembered.
struct AppleHealthRepeats {
    private var days: [UInt32: (day: Day, seen: Set<Int>)] = [:]

    /// Returns whether the value was not seen before on the current day.
    mutating func isNew(_ sample: AppleHealthDay.Sample, of key: AppleHealthKey) -> Bool {
        let hash = sample.copyHash
        let place = UInt32(key.type) << 16 | UInt32(key.source)
        guard days[place]?.day == key.day else {
            days[place] = (key.day, [hash])
            return true
        }
        return days[place]?.seen.insert(hash).inserted ?? true
    }
}

/// A type, a unit, a source and a day, in one number that sorts by them.
///
/// Values of two units are never added.
struct AppleHealthKey: Hashable, Comparable {
    private let number: UInt64

    /// `unit` must be below 256.
    init(type: Int, unit: UInt16, source: UInt16, day: Day) {
        number =
            UInt64(UInt8(type)) << 56 | UInt64(unit & 0xFF) << 48 | UInt64(source) << 32
            | UInt64(UInt32(bitPattern: day.daysSince1970))
    }

    var type: Int { Int(number >> 56) }
    var unit: UInt16 { UInt16(truncatingIfNeeded: number >> 48) & 0xFF }
    var source: UInt16 { UInt16(truncatingIfNeeded: number >> 32) }
    var day: Day { Day(daysSince1970: Int32(bitPattern: UInt32(truncatingIfNeeded: number))) }

    /// The key of another type of the same day and source.
    func with(type: Int) -> AppleHealthKey { AppleHealthKey(type: type, unit: unit, source: source, day: day) }

    static func < (left: AppleHealthKey, right: AppleHealthKey) -> Bool { left.number < right.number }
}
