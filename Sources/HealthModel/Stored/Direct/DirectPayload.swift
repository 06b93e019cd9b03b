import FoundationEssentials

/// The payload of an entry's event, decoded directly from the bytes, without the protobuf library's messages.
///
/// Nearly all events of a journal are entries' events, and direct decoding takes a fifth of the time. The initializer
/// returns nil for a payload in a form that this program does not write; the library then decodes it.
struct DirectPayload {
    let event: JournalEvent
    let reason: String
    let requestDigest: [UInt8]

    init?(_ payload: [UInt8], _ type: EventType, kind code: UInt16) {
        let definition = type.definition
        guard definition.category == .entry, let kind = Kind.coded(code) else { return nil }
        var reader = WireReader(payload.span)
        var reason = ""
        var digest: [UInt8] = []
        var event: JournalEvent?
        var isOfType = false
        while !reader.isAtEnd {
            // Each field occurs once, with the content last; the library decodes payloads in any other form.
            guard event == nil, let field = reader.field() else { return nil }
            switch (field.number, field.wire) {
            case (1, .delimited) where reason.isEmpty:
                guard let text = reader.text() else { return nil }
                reason = text
            case (2, .delimited) where digest.isEmpty:
                guard let bytes = reader.data() else { return nil }
                digest = bytes
            case (4, .varint):
                guard reader.varint() == UInt64(type.rawValue) else { return nil }
                isOfType = true
            case (5, .delimited):
                guard definition.setsContent, var message = reader.message(),
                    let content = EntryContent(&message, kind)
                else { return nil }
                event = .content(content, of: type)
            default:
                return nil
            }
        }
        guard isOfType else { return nil }
        if let event {
            self.event = event
        } else {
            guard case .fields(_, let read) = definition.form, let data = try? read(FieldValues()) else {
                return nil
            }
            self.event = .fields(data)
        }
        self.reason = reason
        self.requestDigest = digest
    }
}

extension EntryContent {
    fileprivate init?(_ reader: inout WireReader, _ kind: Kind) {
        self.init(kind: kind)
        while !reader.isAtEnd {
            guard let field = reader.field() else { return nil }
            switch (field.number, field.wire) {
            case (1, .varint) where date == nil:
                guard let microseconds = reader.zigzag() else { return nil }
                date = .instant(Instant(microseconds: microseconds))
            case (2, .varint) where date == nil:
                guard let days = reader.zigzag().flatMap({ Int32(exactly: $0) }) else { return nil }
                date = .day(Day(daysSince1970: days))
            case (8, .varint) where date == nil:
                guard let months = reader.varint().flatMap({ UInt32(exactly: $0) }),
                    let month = PartialDate(monthsSinceYear0: months)
                else { return nil }
                date = .date(month)
            case (9, .varint) where date == nil:
                guard let number = reader.varint().flatMap({ UInt32(exactly: $0) }),
                    let year = PartialDate(year: number)
                else { return nil }
                date = .date(year)
            case (3, .delimited):
                guard var item = reader.message(), body.append(&item, depth: 0) else { return nil }
            case (4, .delimited) where comment.isEmpty:
                guard let text = reader.text() else { return nil }
                comment = text
            case (5, .varint):
                guard let flag = reader.varint(), flag <= 1 else { return nil }
                voiceEntryUsed = flag == 1
            case (6, .delimited):
                guard let name = reader.text() else { return nil }
                inferred.append(name)
            case (7, .delimited):
                guard var inner = reader.message(), let read = Extra(&inner) else { return nil }
                extra.append(read)
            default:
                return nil
            }
        }
    }
}

extension Extra {
    fileprivate init?(_ reader: inout WireReader) {
        self.init(name: "", json: "")
        while !reader.isAtEnd {
            guard let field = reader.field(), field.wire == .delimited, let text = reader.text() else { return nil }
            switch field.number {
            case 1 where name.isEmpty: name = text
            case 2 where json.isEmpty: json = text
            default: return nil
            }
        }
    }
}

extension FieldValues {
    /// Decodes and appends the next value; returns false if it is empty or its number is not greater than all before.
    fileprivate mutating func append(_ reader: inout WireReader, depth: Int) -> Bool {
        guard let field = reader.field(), field == (1, .varint),
            let number = reader.varint().flatMap({ UInt32(exactly: $0) }),
            let value = FieldValue(&reader, depth: depth), reader.isAtEnd
        else { return false }
        return append(value, number: number)
    }
}

extension FieldValue {
    /// The depth to which groups and lists are decoded here: a group in a list of a group in a list, as in a plan.
    private static let deepest = 4

    fileprivate init?(_ reader: inout WireReader, depth: Int) {
        guard let field = reader.field() else { return nil }
        switch (field.number, field.wire) {
        case (2, .delimited):
            guard let text = reader.text() else { return nil }
            self = .text(text)
        case (3, .delimited):
            guard var inner = reader.message(), let decimal = ExactDecimal(&inner) else { return nil }
            self = .decimal(decimal)
        case (4, .varint):
            guard let integer = reader.zigzag() else { return nil }
            self = .integer(integer)
        case (5, .varint):
            guard let flag = reader.varint(), flag <= 1 else { return nil }
            self = .flag(flag == 1)
        case (6, .varint):
            guard let days = reader.zigzag().flatMap({ Int32(exactly: $0) }) else { return nil }
            self = .day(Day(daysSince1970: days))
        case (8, .varint):
            guard let microseconds = reader.zigzag() else { return nil }
            self = .instant(Instant(microseconds: microseconds))
        case (9, .delimited):
            guard let bytes = reader.data(), let id = UUID(bytes: bytes) else { return nil }
            self = .id(id)
        case (10, .delimited):
            guard let bytes = reader.data() else { return nil }
            self = .bytes(bytes)
        case (11, .delimited) where depth < FieldValue.deepest:
            guard var inner = reader.message() else { return nil }
            var values: [FieldValue] = []
            while !inner.isAtEnd {
                guard let field = inner.field(), field == (1, .delimited), var item = inner.message(),
                    let value = FieldValue(&item, depth: depth + 1), item.isAtEnd
                else { return nil }
                values.append(value)
            }
            self = .list(values)
        case (7, .delimited) where depth < FieldValue.deepest:
            guard var inner = reader.message() else { return nil }
            var values = FieldValues()
            while !inner.isAtEnd {
                guard let field = inner.field(), field == (1, .delimited), var item = inner.message(),
                    values.append(&item, depth: depth + 1)
                else { return nil }
            }
            self = .group(values)
        default:
            return nil
        }
    }
}

extension ExactDecimal {
    fileprivate init?(_ reader: inout WireReader) {
        self.init(coefficient: 0, scale: 0)
        while !reader.isAtEnd {
            guard let field = reader.field(), field.wire == .varint else { return nil }
            switch field.number {
            case 1 where coefficient == 0:
                guard let digits = reader.zigzag() else { return nil }
                coefficient = digits
            case 2 where scale == 0:
                guard let places = reader.varint().flatMap({ UInt8(exactly: $0) }) else { return nil }
                scale = places
            case 3 where divisor == 1:
                guard let number = reader.varint().flatMap({ UInt32(exactly: $0) }), number > 1 else { return nil }
                divisor = number
            default:
                return nil
            }
        }
        guard isStorable else { return nil }
    }
}
