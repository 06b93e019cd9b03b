import FoundationEssentials
import HealthModel

/// Reads the fields of an entry or a record into a form, and keeps originals that the form would not reproduce.
struct PurusFormReader {
    let keys: PurusKeys
    let dates: PurusDates
    let path: DocumentPath
    private(set) var form: PurusForm
    private(set) var extra: [Extra] = []
    /// Keys that were kept but not understood.
    private(set) var unrepresented: [String] = []
    /// The source key that filled each field, for the paths of validation errors.
    private var filledBy: [String: String] = [:]

    /// `ignored` are names that the caller reads itself.
    init(
        _ members: [JSONValue.Member],
        keys: PurusKeys,
        dates: PurusDates,
        at path: DocumentPath,
        ignored: Set<String>
    ) throws(ModelError) {
        self.keys = keys
        self.dates = dates
        self.path = path
        form = PurusForm(fields: keys.fields)
        let values = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
        // Explicit keys are read before keys that only imply a value: an entered weight before `weightKg`.
        let all = keys.own + keys.further
        for key in all.filter({ !$0.slot.implies }) + all.filter(\.slot.implies) {
            guard let value = values[key.name], value != .null else { continue }
            try take(value, by: key)
        }
        for member in members where !ignored.contains(member.name) { try keep(member) }
    }

    /// Changes the field of a model error to the path of the source's key.
    func located(_ error: ModelError) -> ModelError {
        guard let field = error.field else { return error.at(path) }
        if field == "extra" || field.hasPrefix("extra.") { return error.at(path) }
        let key = filledBy[field] ?? (keys.own + keys.further).first { PurusKeys.paths($0.slot).contains(field) }?.name
        return error.at(path.appending(key ?? field))
    }

    /// Required texts that are empty in the source, and a year of 0: they are left absent and listed as inferred.
    var inferred: [String] {
        keys.fields
            .filter { field in
                guard field.isRequired, form.values[field] == nil else { return false }
                if case .text = field.type { return true }
                return isYearUnset && field == Cost.year
            }
            .map(\.name)
    }

    /// Whether the source has the year 0, which the app writes if no year was entered.
    private var isYearUnset = false

    // MARK: Values

    private mutating func take(_ value: JSONValue, by key: PurusKey) throws(ModelError) {
        let place = path.appending(key.name)
        let target = PurusKeys.paths(key.slot)[0]
        let isFree = filledBy[target] == nil
        switch key.slot {
        case .datePrecision:
            if case .string(let precision) = value, let date = form.date?.withPurusPrecision(precision) {
                form.date = date
            }
            return
        case .birthdate:
            try takeBirthdate(try dates.instant(value, at: place))
        case _ where !isFree:
            // Another key has filled the field; the value of this key is kept as an original if it differs.
            return
        case .field(Cost.year.name) where value.isZero:
            isYearUnset = true
            unrepresented.append(key.name)
        case .field(let name): try takeField(value, name, at: place)
        case .date: form.date = .instant(try dates.instant(value, at: place))
        case .comment:
            form.comment = try TextCheck.received(
                text(value, at: place),
                field: place.field,
                maximum: Limits.paragraphs
            )
        case .voiceEntryUsed: form.voiceEntryUsed = try flag(value, at: place)
        case .isPet: form.isPet = try flag(value, at: place)
        case .sex:
            let word = try text(value, at: place)
            form.values[RecordProfile.sex] = PurusWords.sex(of: word).map { .text($0) }
            if form.values[RecordProfile.sex] == nil, !word.isEmpty { unrepresented.append(key.name) }
        case .weightUnit: try takeUnit(try text(value, at: place), at: place)
        case .kilograms:
            try takeField(value, Weight.value.name, at: place)
            form.values[Weight.unit] = .text("kg")
        case .itemAmount:
            try takeField(value, Cost.amount.name, at: place)
            if form.values[Cost.basis] == nil { form.values[Cost.basis] = .text(Cost.item) }
        case .totalAmount:
            try takeField(value, Cost.amount.name, at: place)
            form.values[Cost.basis] = .text(Cost.total)
        case .costBasis: try takeField(value, Cost.basis.name, at: place)
        case .attachment:
            guard let data = Data(base64Encoded: try text(value, at: place)) else {
                throw ModelError(.invalid, field: place.field, "is not base64")
            }
            form.attachment = Array(data)
        }
        filledBy[target] = key.name
    }

    private mutating func takeField(_ value: JSONValue, _ name: String, at place: DocumentPath) throws(ModelError) {
        guard let field = keys.fields.path(named: name)?.fields.last else { return }
        var read = try FieldCodec.purus.value(value, as: field, at: place)
        if field.format == .currency, case .text(let text)? = read { read = .text(text.uppercased()) }
        form[name] = read
    }

    private mutating func takeUnit(_ word: String, at place: DocumentPath) throws(ModelError) {
        if word.isEmpty { return }
        guard let unit = PurusWords.unit(of: word) else {
            throw ModelError(.invalid, field: place.field, "must be kg, g, lb or lbs")
        }
        form.values[Weight.unit] = .text(unit)
    }

    /// An explicit day takes precedence over the birthdate's instant, unless they differ by more than one day.
    private mutating func takeBirthdate(_ instant: Instant) throws(ModelError) {
        let day = dates.day(of: instant)
        if let said = form.values.day(RecordProfile.birthdate),
            abs(said.daysSince1970 - Day(of: instant).daysSince1970) <= 1
        {
            return
        }
        form.values[RecordProfile.birthdate] = .day(day)
    }

    private func text(_ value: JSONValue, at place: DocumentPath) throws(ModelError) -> String {
        guard case .string(let text) = value else {
            throw ModelError(.invalid, field: place.field, "must be text, not \(value.typeName)")
        }
        return text
    }

    private func flag(_ value: JSONValue, at place: DocumentPath) throws(ModelError) -> Bool {
        switch value {
        case .bool(let flag): return flag
        case .number("0"): return false
        case .number("1"): return true
        default: throw ModelError(.invalid, field: place.field, "must be true or false, not \(value.typeName)")
        }
    }

    // MARK: Originals that the form would not reproduce

    private mutating func keep(_ member: JSONValue.Member) throws(ModelError) {
        let place = path.appending(member.name)
        if PurusStamps.names.contains(member.name) {
            if member.value == .null { return }
            _ = try dates.instant(member.value, at: place)
            extra.append(Extra(name: member.name, json: JSONWriter.text(dates.normalised(member.value))))
        } else if let key = keys.byName[member.name] {
            if key.slot == .attachment { return }
            let source = key.slot.isTime ? dates.normalised(member.value) : member.value
            let stillValid = PurusKeys.value(of: key.slot, in: form)
            guard source != .null, !PurusKept.isSame(stillValid, source) else { return }
            extra.append(PurusKept(name: key.name, rendered: stillValid, source: source).extra)
        } else {
            try keepUnknown(member, at: place)
        }
    }

    private mutating func keepUnknown(_ member: JSONValue.Member, at place: DocumentPath) throws(ModelError) {
        guard !PurusKept.isReserved(member.name) else {
            throw ModelError(.invalid, field: place.field, "the name is reserved")
        }
        guard member.value.depth <= PurusSource.maximumExtraDepth else {
            throw ModelError(.invalid, field: place.field, "is nested more than \(PurusSource.maximumExtraDepth) deep")
        }
        extra.append(Extra(name: member.name, json: JSONWriter.text(member.value)))
        unrepresented.append(member.name)
    }
}

extension PurusKey.Slot {
    /// Whether a key only implies a value: it fills a field only if no explicit key has filled it.
    fileprivate var implies: Bool {
        switch self {
        case .kilograms, .itemAmount, .totalAmount, .birthdate, .datePrecision: true
        default: false
        }
    }

    fileprivate var isTime: Bool { self == .date || self == .birthdate }
}

extension JSONValue {
    /// Whether it is a number that is 0.
    fileprivate var isZero: Bool {
        guard case .number(let text) = self else { return false }
        return (try? ExactDecimal(parsing: text))?.coefficient == 0
    }
}
