import FoundationEssentials
import HealthModel

/// Bytes that are the same for equal contents of entries, and different for others.
///
/// The kind is not among them: an entry keeps its kind.
struct DigestedBytes {
    private(set) var bytes: [UInt8] = []

    /// Adds a content, except for some of its extra fields.
    mutating func add(_ content: EntryContent, except isLeftOut: (Extra) -> Bool) {
        add(content.body)
        add(content.date)
        add(content.comment)
        add(content.voiceEntryUsed ? 1 : 0)
        add(content.inferred.count)
        for name in content.inferred { add(name) }
        for extra in content.extra where !isLeftOut(extra) {
            add(extra.name)
            add(extra.json)
        }
    }

    private mutating func add(_ date: OccurredDate?) {
        switch date {
        case nil: bytes.append(0)
        case .instant(let instant):
            bytes.append(1)
            add(Int(instant.microseconds))
        case .date(.day(let day)):
            bytes.append(2)
            add(Int(day.daysSince1970))
        case .date(.month(let year, let month)):
            bytes.append(3)
            add(year * 12 + month)
        case .date(.year(let year)):
            bytes.append(4)
            add(year)
        }
    }

    private mutating func add(_ values: FieldValues) {
        add(values.items.count)
        for item in values.items {
            add(Int(item.number))
            add(item.value)
        }
    }

    private mutating func add(_ value: FieldValue) {
        switch value {
        case .text(let text):
            bytes.append(1)
            add(text)
        case .decimal(let decimal):
            bytes.append(2)
            add(Int(decimal.coefficient))
            add(Int(decimal.scale))
            if !decimal.isDecimal { add(Int(decimal.divisor)) }
        case .integer(let integer):
            bytes.append(3)
            add(Int(integer))
        case .flag(let flag):
            bytes.append(4)
            add(flag ? 1 : 0)
        case .day(let day):
            bytes.append(5)
            add(Int(day.daysSince1970))
        case .instant(let instant):
            bytes.append(6)
            add(Int(instant.microseconds))
        case .id(let id):
            bytes.append(7)
            bytes += id.bytes
        case .bytes(let data):
            bytes.append(8)
            add(data.count)
            bytes += data
        case .group(let values):
            bytes.append(9)
            add(values)
        case .list(let values):
            bytes.append(10)
            add(values.count)
            for value in values { add(value) }
        }
    }

    private mutating func add(_ text: String) {
        add(text.utf8.count)
        bytes += text.utf8
    }

    mutating func add(_ number: Int) {
        var rest = UInt64(bitPattern: Int64(number))
        // Seven bits a byte, the lowest first, so that most numbers are one byte.
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
