import FoundationEssentials
import HealthModel

extension PurusKeys {
    /// The value of a key for the form; nil if there is none.
    static func render(_ slot: PurusKey.Slot, _ form: PurusForm) -> JSONValue? {
        switch slot {
        case .field(let path): renderField(path, form)
        case .date: form.date.map(seconds)
        case .datePrecision: form.date?.purusPrecision.map { .string($0) }
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

    /// The value that an export writes beside the CloudKit shape's own keys; nil if those contain it already.
    static func renderFurther(_ slot: PurusKey.Slot, _ form: PurusForm) -> JSONValue? {
        switch slot {
        // A weight in kilograms is complete in `weightKg`; any other is written as it was entered, without conversion.
        case .field(Weight.value.name), .weightUnit:
            if form.values.text(Weight.unit) == "kg" && form.fields == Weight.kind.fields {
                nil
            } else {
                render(slot, form)
            }
        // `amount` is that of an item by default.
        case .costBasis: form.values.text(Cost.basis) == Cost.item ? nil : render(slot, form)
        case .totalAmount: nil
        default: render(slot, form)
        }
    }

    /// The value that a kept original represents in the form.
    ///
    /// The original is written only while this value is unchanged.
    static func value(of slot: PurusKey.Slot, in form: PurusForm) -> JSONValue {
        // A weight in another unit has no `weightKg` of its own; an original `weightKg` is valid only for that weight
        // and unit.
        if slot == .kilograms, form.values.text(Weight.unit) != "kg", let value = form.values.decimal(Weight.value) {
            let unit = form.values.text(Weight.unit) ?? ""
            return .string("\(value.withoutTrailingZeros) \(unit)")
        }
        return render(slot, form) ?? .null
    }

    private static func renderField(_ path: String, _ form: PurusForm) -> JSONValue? {
        guard let field = form.fields.path(named: path)?.fields.last, let value = form[path] else { return nil }
        return FieldCodec.purus.json(value, as: field.type)
    }

    private static func seconds(_ date: OccurredDate) -> JSONValue {
        switch date {
        case .instant(let instant): .number(instant.secondsSince1970.description)
        case .date(let date): .number(date.firstDay.startInstant.secondsSince1970.description)
        }
    }
}

/// Translates between the words of Purus and those of the model.
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

extension OccurredDate {
    /// The precision of a date, because a Purus document contains only its first moment; nil for a time.
    var purusPrecision: String? {
        switch self {
        case .date(.day): "day"
        case .date(.month): "month"
        case .date(.year): "year"
        case .instant: nil
        }
    }

    /// Returns the date with a precision, which must be given for the first moment of a day, a month or a year.
    func withPurusPrecision(_ precision: String) -> OccurredDate? {
        guard case .instant(let instant) = self, instant.isMidnightUTC else { return nil }
        let day = Day(of: instant)
        return switch precision {
        case "day": .day(day)
        case "month" where day.day == 1: .date(.month(year: day.year, month: day.month))
        case "year" where day.day == 1 && day.month == 1: .date(.year(day.year))
        default: nil
        }
    }
}
