import HealthModel

/// What a resource says, as an entry of a kind.
struct FHIRMeaning {
    var content: EntryContent
    /// The file that the resource contains; its kept text has a reference in its place.
    var file: FHIRFile?

    init(_ kind: Kind) { content = EntryContent(kind: kind) }

    subscript(_ field: Field) -> String? {
        get { content.body.text(field) }
        set { content.body[field] = newValue.map { .text($0) } }
    }

    /// Sets the end of an entry that is over; if its source does not say when, the end is a guess, and marked as one.
    mutating func end(_ date: OccurredDate?, orBy guess: OccurredDate?) -> Bool {
        guard let end = date ?? guess else { return false }
        content.body[SharedFields.ended] = .text(end.partial.description)
        if date == nil { content.inferred.append(SharedFields.ended.name) }
        return true
    }

    /// Adds lines to the comment.
    mutating func comment(_ lines: [String]) {
        content.comment = ([content.comment] + lines).filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

/// A file within a resource.
struct FHIRFile {
    let mediaType: String?
    let bytes: [UInt8]
}

// MARK: - The texts of other systems

extension FHIRMeaning {
    /// The meaning with texts as entries have them; the kept text of the resource still has them as they came.
    ///
    /// FHIR allows other line breaks and longer texts. A name that is too long is shortened and stands whole in the comment;
    /// a value, a unit, a dosage or a phone number is never shortened: it stands in the comment alone.
    func withTextsOfEntries() -> FHIRMeaning {
        var result = self
        var whole: [String] = []
        for field in content.kind.fields {
            guard let value = content.body[field] else { continue }
            let clean = value.asReceived(field.type)
            result.content.body[field] = field == SharedFields.codes ? clean.fittingCodes : clean
            guard case .text(let text) = clean, case .text(let maximum) = field.type, text.utf8.count > maximum else {
                continue
            }
            let canBeShorter = maximum >= Limits.line && !["value", "unit", "dosage"].contains(field.name)
            result.content.body[field] = canBeShorter ? .text(text.shortened(toBytes: maximum)) : nil
            whole.append("\(field.label): \(text)")
        }
        result.content.comment = content.comment.asReceived(isLine: false)
        result.comment(whole)
        result.content.comment = result.content.comment.shortened(toBytes: Limits.paragraphs)
        return result
    }
}

extension FieldValue {
    /// The value with line breaks and control characters as entries have them.
    fileprivate func asReceived(_ type: FieldType) -> FieldValue {
        switch (self, type) {
        case (.text(let text), .text(let maximum)):
            return .text(text.asReceived(isLine: maximum <= Limits.line))
        case (.group(let values), .group(let fields)):
            var result = FieldValues()
            for field in fields { result[field] = values[field]?.asReceived(field.type) }
            return .group(result)
        case (.list(let items), .list(let element, _)):
            return .list(items.map { $0.asReceived(element) })
        default:
            return self
        }
    }

    /// The codes that an entry can have; the kept text has all of them.
    ///
    /// A code is never shortened, only its meaning.
    fileprivate var fittingCodes: FieldValue {
        guard case .list(let items) = self, case .list(_, let maximum) = SharedFields.codes.type else { return self }
        let fitting = items.compactMap { item -> FieldValue? in
            guard case .group(var values) = item else { return nil }
            for field in [SharedFields.system, SharedFields.code, SharedFields.version]
            where values.text(field)?.utf8.count ?? 0 > Limits.line {
                return nil
            }
            if let display = values.text(SharedFields.display) {
                values[SharedFields.display] = .text(display.shortened(toBytes: Limits.line))
            }
            return .group(values)
        }
        return .list(Array(fitting.prefix(maximum)))
    }
}

extension String {
    /// A text of another system with LF for each line break, or a space if it must be one line, and a replacement character
    /// for each other control character.
    func asReceived(isLine: Bool) -> String {
        guard unicodeScalars.contains(where: { $0.value < 0x20 && $0.value != 0x09 || TextCheck.refuses($0) }) else {
            return self
        }
        var result = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in unicodeScalars {
            defer { isAfterReturn = scalar == "\r" }
            switch scalar {
            case "\n" where isAfterReturn: break
            case "\r", "\n", "\u{85}": result.append(isLine ? " " : "\n")
            default: result.append(TextCheck.refuses(scalar) ? "\u{FFFD}" : scalar)
            }
        }
        guard isLine else { return String(result) }
        let scalars = result.drop { $0 == " " }
        return String(String.UnicodeScalarView(scalars.reversed().drop { $0 == " " }.reversed()))
    }

    /// The beginning of a text of more than `maximum` bytes, with an ellipsis at its end; a shorter text as it is.
    func shortened(toBytes maximum: Int) -> String {
        guard utf8.count > maximum else { return self }
        var (result, count) = ("", 0)
        for character in self {
            count += character.utf8.count
            if count > maximum - 3 { break }
            result.append(character)
        }
        return result + "…"
    }
}
