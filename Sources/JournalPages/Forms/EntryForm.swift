package import FoundationEssentials
package import HealthModel

/// The form of an entry: creates its fields, and reads them when they are submitted.
package struct EntryForm: Sendable {
    package let kind: Kind
    let reader: Reader
    /// What the form of a new measurement asks for; nil for a form that asks for its name too.
    package let measurement: CommonMeasurement?
    let layout: EntryFormLayout
    /// The medications and supplements that the form lets choose, by entry id; empty if the reader may not see them.
    private let products: [UUID: PlanProduct]

    package init(
        _ kind: Kind,
        _ reader: Reader,
        measuring measurement: CommonMeasurement? = nil,
        products: [UUID: PlanProduct] = [:]
    ) {
        self.kind = kind
        self.reader = reader
        self.measurement = measurement
        self.products = products
        layout = EntryFormLayout.of(kind)
    }

    /// Returns the fields that a person fills in, with those of each line that was typed.
    ///
    /// Fields that only machines or imports fill in are left out, unless an imported one, such as the codes, has a
    /// value. Ids of the items of a list are always left out.
    private func paths(_ content: EntryContent, _ typed: [String: String] = [:]) -> [FieldPath] {
        inputs(content, typed)
            .filter { path in
                !EntryContent.hidden.contains(path.name) && path.name != Document.missing.name && !path.isIDOfItem
                    && (!isKept(path) || content.body[path] != nil)
                    && (!isWhollyKept(path.fields[0]) || content.body[path.fields[0]] != nil)
                    && !(Plan.kinds.contains(kind) && EntryForm.planned.contains(path.fields[0].number))
                    && !isMeasured(path)
            }
    }

    /// Whether the form sets the field itself, or asks for it as part of a common measurement.
    private func isMeasured(_ path: FieldPath) -> Bool {
        let fields = [MeasuredValue.name, MeasuredValue.value, MeasuredValue.unit, MeasuredValue.parts]
        return measurement != nil && fields.contains(path.fields[0])
    }

    /// Returns all fields of the kind, with those of each line of a list.
    private func inputs(_ content: EntryContent, _ typed: [String: String]) -> [FieldPath] {
        kind.fields.leaves.flatMap { path -> [FieldPath] in
            guard let list = path.fields.last, case .list(.group, _) = list.type else { return [path] }
            let stored = content.body.countOfItems(path)
            let isLines = layout.lists.contains(path.name)
            let least = isWhollyKept(path.fields[0]) ? 0 : 1
            let count = isLines ? max(stored, EntryForm.lineCount(of: path.name, typed), least) : stored + 1
            return (0..<count).compactMap { list.item($0) }
                .flatMap { item in [item].leaves.compactMap { kind.fields.path(named: "\(path.name).\($0.name)") } }
        }
    }

    /// Whether only programs fill in a field, although people fill in others of the same group or list.
    private func isKept(_ path: FieldPath) -> Bool {
        EntryForm.imported.contains(path.name)
            || !isWhollyKept(path.fields[0]) && layout.placement(of: path.name) == .kept
    }

    /// Whether only programs fill in a field of a kind, and all that is in it.
    private func isWhollyKept(_ field: Field) -> Bool {
        field == SharedFields.codes || layout.placement(of: field.name) == .kept
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
        let typed = typed.map { withAddedLine($0["step"] == nil ? withoutEmptyLines($0, content) : $0, content) }
        let body =
            measured(typed, problems)
            + paths(content, typed ?? [:])
            .map { path in
                let field = FormField(
                    path,
                    value: typed.map { $0[path.name] ?? "" } ?? text(content, path),
                    problem: problems[path.name],
                    reader
                )
                return placed(choosing(field, path), path, content)
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
        dateField.isMore = layout.placement(of: "date") == .more
        var timeField = FormField("time", reader.words["time"], .time, value: typed?["time"] ?? time)
        timeField.hint = reader.words["hint.time", reader.zone.label]
        timeField.isMore = dateField.isMore
        if let line = layout.lines.first(where: { $0.contains("date") })?.first {
            (dateField.line, timeField.line) = (FormLine(line), FormLine(line))
        }
        let precision = DatePrecision(of: content.date)
        var precisionField = FormField("datePrecision", precision, typed: typed?["datePrecision"], reader)
        precisionField.isMore = layout.placement(of: "datePrecision") == .more
        precisionField.usual = DatePrecision.day.rawValue
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
        return file + withAdditions(shown) + [dateField, timeField, precisionField] + which + [comment]
    }

    /// Returns the field for an entry of the record as a choice between those that are known.
    private func choosing(_ field: FormField, _ path: FieldPath) -> FormField {
        guard !products.isEmpty, path.fields.count == 1, case .entry = path.fields[0].type else { return field }
        var options = products.map { (value: $0.key.text, label: $0.value.label) }
            .sorted { ($0.label, $0.value) < ($1.label, $1.value) }
        // That of a dose may have been retracted.
        if !field.value.isEmpty, !options.contains(where: { $0.value == field.value }) {
            options.append((field.value, reader.words["otherProduct"]))
        }
        return field.choosing(options, reader.words)
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
    static func second(_ time: String) -> Int64? {
        let parts = time.split(separator: ":").map { Int64($0) }
        guard parts.count >= 2, let hour = parts[0], let minute = parts[1], (0..<24).contains(hour),
            (0..<60).contains(minute)
        else { return nil }
        return (hour * 60 + minute) * 60
    }

    private func text(_ content: EntryContent, _ path: FieldPath) -> String {
        switch content.body[path] {
        case .decimal(let decimal): reader.typed(decimal)
        case .instant(let instant): reader.wallText(instant)
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
        let typed = withoutEmptyLines(typed, content)
        takeMeasured(typed, &content, &problems)
        for path in paths(content, typed) {
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
            case .instant:
                do {
                    set(path.name, try instant(text))
                } catch {
                    problems[path.name] = reader.words.sentence(error.text)
                }
            default: set(path.name, text)
            }
        }
        removeEmptyLines(from: &content)
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

extension FieldPath {
    /// Whether the value is the id of an item of a list, which only programs set.
    var isIDOfItem: Bool {
        if case .id? = fields.last?.type { fields.count > 1 } else { false }
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
