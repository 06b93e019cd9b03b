import FoundationEssentials
import HealthModel

extension PurusKeys {
    /// What a key says of the form; nil where there is nothing to say.
    static func render(_ slot: PurusKey.Slot, _ form: PurusForm) -> JSONValue? {
        switch slot {
        case .field(let path): renderField(path, form)
        case .date: form.date.map(seconds)
        case .datePrecision: if case .day? = form.date { .string("day") } else { nil }
        case .comment: form.comment.isEmpty ? nil : .string(form.comment)
        case .voiceEntryUsed: form.voiceEntryUsed ? .bool(true) : nil
        case .isPet: .bool(form.isPet)
        case .sex: form.values.text(RecordProfile.sex).flatMap { PurusWords.gender(of: $0) }.map { .string($0) }
        case .birthdate: form.values.day(RecordProfile.birthdate).map { seconds(.day($0)) }
        case .kilograms: form.values.text(Weight.unit) == "kg" ? renderField("value", form) : nil
        case .weightUnit: form.values.text(Weight.unit).map { .string($0 == "lb" ? "lbs" : $0) }
        case .itemAmount: renderField("amount", form)
        case .totalAmount: form.values.text(Cost.basis) == Cost.total ? renderField("amount", form) : nil
        case .costBasis: form.values.text(Cost.basis).map { .string($0) }
        case .attachment: form.attachment.map { .string(Data($0).base64EncodedString()) }
        }
    }

    /// What an export writes beside the CloudKit shape's own keys: nothing that these say already.
    static func renderFurther(_ slot: PurusKey.Slot, _ form: PurusForm) -> JSONValue? {
        switch slot {
        // A weight in kilograms is all in `weightKg`; any other is written as it was entered, and never converted.
        case .field(Weight.value.name), .weightUnit:
            if form.values.text(Weight.unit) == "kg" && form.fields == Weight.kind.fields {
                nil
            } else {
                render(slot, form)
            }
        // `amount` is an item unless something says otherwise.
        case .costBasis: form.values.text(Cost.basis) == Cost.item ? nil : render(slot, form)
        case .totalAmount: nil
        default: render(slot, form)
        }
    }

    /// What a kept original stood for.
    ///
    /// An original is written only while this is still the same.
    static func standing(_ slot: PurusKey.Slot, _ form: PurusForm) -> JSONValue {
        // A weight that is not in kilograms has no `weightKg`, but an original one belongs to that weight alone.
        if slot == .kilograms, form.values.text(Weight.unit) != "kg", let value = form.values.decimal(Weight.value) {
            let unit = form.values.text(Weight.unit) ?? ""
            return .string("\(value.withoutTrailingZeros) \(unit)")
        }
        return render(slot, form) ?? .null
    }

    private static func renderField(_ path: String, _ form: PurusForm) -> JSONValue? {
        guard let field = form.fields.path(named: path)?.fields.last, let value = form[path] else { return nil }
        return FieldCodec.purus.json(value, as: field)
    }

    private static func seconds(_ date: OccurredDate) -> JSONValue {
        switch date {
        case .instant(let instant): .number(instant.secondsSince1970.description)
        case .day(let day): .number(day.startInstant.secondsSince1970.description)
        }
    }
}

/// The words of Purus for what the model names otherwise.
enum PurusWords {
    static func gender(of sex: String) -> String? {
        switch sex {
        case "male": "Male"
        case "female": "Female"
        case "other": "Other"
        case "notApplicable": "N/A"
        default: nil
        }
    }

    static func sex(of gender: String) -> String? {
        switch gender.lowercased() {
        case "male", "m": "male"
        case "female", "f": "female"
        case "other": "other"
        case "n/a", "notapplicable", "not applicable": "notApplicable"
        default: nil
        }
    }

    static func unit(of word: String) -> String? {
        switch word.lowercased() {
        case "kg": "kg"
        case "g": "g"
        case "lb", "lbs": "lb"
        default: nil
        }
    }
}
