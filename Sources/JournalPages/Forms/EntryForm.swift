internal import FoundationEssentials
package import HealthModel

/// The form of an entry: creates its fields, and reads them when they are submitted.
package struct EntryForm: Sendable {
    package let kind: Kind
    private let reader: Reader

    package init(_ kind: Kind, _ reader: Reader) {
        self.kind = kind
        self.reader = reader
    }

    /// Returns the fields that a person fills in.
    ///
    /// Fields that only machines or imports fill in are left out, unless an imported one, such as the codes, has a
    /// value.
    private func paths(_ content: EntryContent) -> [FieldPath] {
        content.body.inputs(of: kind.fields)
            .filter { path in
                !EntryContent.hidden.contains(path.name) && path.name != Document.missing.name
                    && (!EntryForm.imported.contains(path.name) || content.body[path] != nil)
                    && !(Plan.kinds.contains(kind) && EntryForm.planned.contains(path.fields[0].number))
                    && (path.fields[0] != SharedFields.codes || content.body[SharedFields.codes] != nil)
            }
    }

    /// Fields that only an import or a device fills in, never a person by hand.
    private static let imported: Set<String> = ["rawText", "mergedText", "address.text", "stated"]

    /// Fields that the forms of plans set.
    private static let planned: Set<UInt32> = Set(
        [PlanFields.rules, PlanFields.pauses, PlanFields.stopped, PlanFields.lastChange].map(\.number)
    )

    // MARK: - New entries

    /// Returns the initial content of a new entry's form.
    package func begun(at now: Instant) throws(ModelError) -> EntryContent {
        var content = EntryContent(kind: kind)
        let today = Day(of: now, in: reader.zone)
        if kind == Weight.kind { try content.set(Weight.unit.name, text: reader.measuredWeightUnit ?? "kg") }
        if kind == Cost.kind {
            try content.set(Cost.basis.name, text: Cost.item)
            try content.set(Cost.year.name, text: String(today.year))
        }
        if !kind.isTimeless { content.date = .day(today) }
        return content
    }

    /// Whether nothing was filled in; such an entry would be stored permanently without any information.
    package static func isEmpty(_ content: EntryContent) -> Bool { content.body.isEmpty && content.comment.isEmpty }

    // MARK: - Output

    /// Returns the form's fields, with the typed values if there are any, otherwise with the values of the entry.
    ///
    /// The form of a new document has a field for its file.
    package func fields(
        _ content: EntryContent,
        typed: [String: String]? = nil,
        problems: [String: String] = [:],
        isNew: Bool = false
    ) -> [FormField] {
        var file: [FormField] = []
        if isNew, kind == Document.kind {
            file = [FormField("file", reader.words["file"], .file, problem: problems["file"])]
            file[0].hint = reader.words["hint.file"]
        }
        let body = paths(content)
            .map { path in
                FormField(
                    path,
                    value: typed.map { $0[path.name] ?? "" } ?? text(content, path),
                    problem: problems[path.name],
                    reader
                )
            }
        // A file has a name of its own, so the document's name is optional.
        let isNamedByFile = !file.isEmpty
        let shown = body.map { field in
            guard isNamedByFile, field.name == Document.name.name else { return field }
            var field = field
            field.isRequired = false
            field.hint = reader.words["hint.nameOfFile"]
            return field
        }
        let (date, time) = dateAndTime(content.date)
        var dateField = FormField(
            "date",
            reader.words["date"],
            .day,
            value: typed?["date"] ?? date,
            problem: problems["date"]
        )
        dateField.hint = nil
        var timeField = FormField("time", reader.words["time"], .time, value: typed?["time"] ?? time)
        timeField.hint = reader.words["hint.time", reader.zone.label]
        let precision = DatePrecision(of: content.date)
        let precisionField = FormField("datePrecision", precision, typed: typed?["datePrecision"], reader)
        let comment = FormField(
            "comment",
            reader.words["comment"],
            .paragraphs,
            value: typed?["comment"] ?? content.comment,
            problem: problems["comment"]
        )
        let which = whichTime(
            typed.map { ($0["date"] ?? "", $0["time"] ?? "") } ?? (date, time),
            chosen: typed?["whichTime"] ?? self.which(content.date),
            problems["whichTime"]
        )
        return file + shown + [dateField, timeField, precisionField] + which + [comment]
    }

    /// Returns a field that asks which of two moments is meant, if clocks that were set back showed the time twice.
    private func whichTime(_ typed: (date: String, time: String), chosen: String, _ problem: String?) -> [FormField] {
        guard let day = try? Day(parsing: typed.date), let second = EntryForm.second(typed.time) else { return [] }
        let instants = day.instants(atSecond: second, in: reader.zone)
        guard instants.count > 1 else { return [] }
        var field = FormField("whichTime", reader.words["whichTime"], .choice, problem: problem)
        field.options =
            [FormOption("", reader.words["notSaid"], isChosen: chosen.isEmpty)]
            + zip(EntryForm.timesByOrder, instants)
            .map { name, instant in
                let label = reader.words["whichTime.\(name)", reader.offset(at: instant)]
                return FormOption(name, label, isChosen: name == chosen)
            }
        return [field]
    }

    /// The form's names of the two moments of a time that occurred twice.
    private static let timesByOrder = ["first", "second"]

    /// Returns which of the two moments a date is, if the reader's clocks showed its time twice; otherwise an empty
    /// string.
    private func which(_ date: OccurredDate?) -> String {
        guard case .instant(let instant)? = date, !instant.isMidnightUTC else { return "" }
        let shown = dateAndTime(date)
        guard let day = try? Day(parsing: shown.date), let second = EntryForm.second(shown.time) else { return "" }
        let instants = day.instants(atSecond: second, in: reader.zone)
        guard instants.count > 1 else { return "" }
        return EntryForm.timesByOrder[instants[1] <= instant ? 1 : 0]
    }

    /// The seconds after midnight of a time such as 14:05; nil if the text is not a time.
    private static func second(_ time: String) -> Int64? {
        let parts = time.split(separator: ":").map { Int64($0) }
        guard parts.count >= 2, let hour = parts[0], let minute = parts[1], (0..<24).contains(hour),
            (0..<60).contains(minute)
        else { return nil }
        return (hour * 60 + minute) * 60
    }

    private func text(_ content: EntryContent, _ path: FieldPath) -> String {
        switch content.body[path] {
        case .decimal(let decimal): reader.typed(decimal)
        case let value: value?.text ?? ""
        }
    }

    private func dateAndTime(_ date: OccurredDate?) -> (date: String, time: String) {
        switch date {
        case nil: return ("", "")
        case .date(let date): return (date.firstDay.description, "")
        case .instant(let instant) where instant.isMidnightUTC: return (Day(of: instant).description, "")
        case .instant(let instant):
            let text = reader.wallText(instant)
            return (String(text.prefix(10)), String(text.dropFirst(11)))
        }
    }

    // MARK: - Input

    /// Applies the typed values that differ from the stored ones, and returns the problems by field.
    ///
    /// An unchanged value keeps all of its digits, and an unchanged guess stays marked as guessed.
    package func take(_ typed: [String: String], into content: inout EntryContent) -> [String: String] {
        var problems: [String: String] = [:]
        // An imported weight may have none.
        let hadNoUnit = content.body[Weight.value] != nil && content.body[Weight.unit] == nil
        func set(_ name: String, _ text: String) {
            do {
                try content.set(name, text: text)
            } catch {
                problems[error.field ?? name] = reader.words.sentence(error.text)
            }
        }
        for path in paths(content) {
            let stored = self.text(content, path)
            var text = (typed[path.name] ?? "").withoutOuterSpaces
            if text == stored.returned(isLine: path.isLine) { continue }
            text = text.typed(over: stored)
            // An unticked box is submitted as no value, like a flag that was never set.
            if text.isEmpty, case .flag? = path.fields.last?.type, content.body[path] != .flag(true) { continue }
            switch path.fields.last?.type {
            case .decimal, .integer:
                if reader.isAmbiguous(text) {
                    let (thousands, fraction) = (text.replacing(".", with: ""), text.replacing(".", with: ","))
                    problems[path.name] = reader.words["ambiguousNumber", text, thousands, fraction]
                } else {
                    set(path.name, reader.plainNumber(text))
                }
            default: set(path.name, text)
            }
        }
        content.body.removeEmptyItems(of: kind.fields)
        // The form of a new weight has a unit already, so that one is missing only if it was removed.
        if kind == Weight.kind, !hadNoUnit, typed[Weight.unit.name] == "", content.body[Weight.value] != nil,
            content.body[Weight.unit] == nil
        {
            problems[Weight.unit.name] = reader.words["unitNeeded"]
        }
        let (date, time) = (typed["date"] ?? "", typed["time"] ?? "")
        let which = typed["whichTime"] ?? ""
        let known = DatePrecision(of: content.date)
        let precision = typed["datePrecision"].map { DatePrecision(rawValue: $0) ?? .day } ?? known
        if (date, time) != dateAndTime(content.date) || !which.isEmpty && which != self.which(content.date)
            || precision != known
        {
            do {
                content.date = try occurred(date, time, which, precision)
            } catch {
                problems[error.field ?? "date"] = reader.words.sentence(error.text)
            }
        }
        let comment = (typed["comment"] ?? "").withoutOuterSpaces
        if comment != content.comment.returned(isLine: false) {
            set("comment", comment.typed(over: content.comment))
        }
        return problems
    }

    private func occurred(
        _ date: String,
        _ time: String,
        _ which: String,
        _ precision: DatePrecision
    ) throws(ModelError) -> OccurredDate? {
        if date.isEmpty {
            guard time.isEmpty else { throw ModelError(.invalid, field: "date", "a time needs its date") }
            return nil
        }
        let day = try Day(parsing: date)
        guard !time.isEmpty else {
            return .date(precision.date(of: day))
        }
        guard precision == .day else {
            throw ModelError(.invalid, field: "date", "with a time, the date must be exact to the day")
        }
        guard let second = EntryForm.second(time) else {
            throw ModelError(.invalid, field: "date", "the time must read 14:05")
        }
        let instants = day.instants(atSecond: second, in: reader.zone)
        guard let first = instants.first else {
            throw ModelError(
                .invalid,
                field: "date",
                "there was no \(time) on that day: the clocks (\(reader.zone.identifier)) were set forward over it"
            )
        }
        let place = EntryForm.timesByOrder.firstIndex(of: which)
        guard instants.count == 1 || place != nil else {
            throw ModelError(
                .invalid,
                field: "whichTime",
                "it was \(time) twice on that day, as the clocks (\(reader.zone.identifier)) were set back: choose which is meant"
            )
        }
        let instant = instants.count == 1 ? first : instants[place ?? 0]
        // Imports represent a day as midnight in UTC; a microsecond is added so that a typed time remains a moment.
        return .instant(instant.isMidnightUTC ? Instant(microseconds: instant.microseconds + 1) : instant)
    }
}

extension FieldPath {
    /// Whether the form shows a single-line field for this path.
    var isLine: Bool {
        if case .text(let maximum)? = fields.last?.type { maximum <= Limits.line } else { true }
    }
}

extension String {
    /// The text as it is stored: with Unix line breaks, and without whitespace at both ends.
    var withoutOuterSpaces: String { withUnixLines.trimmed }

    private var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
