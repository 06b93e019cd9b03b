import FoundationEssentials
import SwiftProtobuf

extension FieldValues {
    var stored: [StoredFieldValue] {
        items.map { item in
            var stored = StoredFieldValue()
            stored.number = item.number
            stored.value = item.value.stored
            return stored
        }
    }

    /// Creates the values from their stored form, including numbers of former fields and of fields of newer programs.
    init(stored: [StoredFieldValue]) throws(ModelError) {
        self.init()
        for item in stored {
            self[number: item.number] = try FieldValue(stored: item, number: item.number)
        }
    }
}

extension FieldValue {
    fileprivate var stored: StoredFieldValue.OneOf_Value {
        switch self {
        case .text(let text): .text(text)
        case .decimal(let decimal):
            .decimal(
                .with {
                    $0.coefficient = decimal.coefficient
                    $0.scale = UInt32(decimal.scale)
                    $0.divisor = decimal.isDecimal ? 0 : decimal.divisor
                }
            )
        case .integer(let integer): .integer(integer)
        case .flag(let flag): .flag(flag)
        case .day(let day): .day(day.daysSince1970)
        case .instant(let instant): .instant(instant.microseconds)
        case .id(let id): .id(Data(id.bytes))
        case .bytes(let bytes): .data(Data(bytes))
        case .group(let values): .group(.with { $0.values = values.stored })
        case .list(let values):
            .list(.with { $0.items = values.map { value in .with { $0.value = value.stored } } })
        }
    }

    fileprivate init(stored: StoredFieldValue, number: UInt32) throws(ModelError) {
        switch stored.value {
        case nil:
            throw ModelError(.invalid, field: "#\(number)", "is stored as a type that this program does not know")
        case .text(let text): self = .text(text)
        case .decimal(let decimal):
            guard let scale = UInt8(exactly: decimal.scale) else {
                throw ModelError(.invalid, field: "#\(number)", "is stored with more digits than a number may have")
            }
            var value = ExactDecimal(coefficient: decimal.coefficient, scale: scale)
            if decimal.divisor != 0 { value.divisor = decimal.divisor }
            guard value.isStorable else {
                throw ModelError(.invalid, field: "#\(number)", "is stored with more digits than a number may have")
            }
            self = .decimal(value)
        case .integer(let integer): self = .integer(integer)
        case .flag(let flag): self = .flag(flag)
        case .day(let day): self = .day(Day(daysSince1970: day))
        case .instant(let microseconds): self = .instant(Instant(microseconds: microseconds))
        case .id(let bytes):
            guard let id = UUID(bytes: bytes) else {
                throw ModelError(.invalid, field: "#\(number)", "is not stored as sixteen bytes")
            }
            self = .id(id)
        case .data(let bytes): self = .bytes([UInt8](bytes))
        case .group(let group): self = .group(try FieldValues(stored: group.values))
        case .list(let list):
            self = .list(try list.items.map { item throws(ModelError) in try FieldValue(stored: item, number: number) })
        }
    }
}

extension Extra {
    var stored: StoredExtra {
        .with {
            $0.name = name
            $0.json = json
        }
    }

    init(stored: StoredExtra) {
        self.init(name: stored.name, json: stored.json)
    }
}
