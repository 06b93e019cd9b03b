internal import FoundationEssentials
package import HealthModel

/// The fields of an entry, as a form shows them and as it brings them back.
package struct EntryForm: Sendable {
    package let kind: Kind
    private let reader: Reader

    package init(_ kind: Kind, _ reader: Reader) {
        self.kind = kind
        self.reader = reader
    }

    /// What a person fills in: what only machines or imports fill in is left out, unless something stands in it.
    private func paths(_ content: EntryContent) -> [FieldPath] {
        kind.fields.leaves.filter { path in
            !EntryContent.hidden.contains(path.name) && path.name != Document.missing.name
                && (!EntryForm.imported.contains(path.name) || content.body[path] != nil)
        }
    }

    /// What a source merged, and nobody would write.
    private static let imported: Set<String> = ["rawText", "mergedText", "address.text"]

    // MARK: - Begun

    /// What has no day of its own is not given that on which it is written down.
    private static let timeless: Set<Kind> = [Allergy.kind, Doctor.kind, EmergencyContact.kind, Risk.kind]

    /// What stands in the form of a new entry.
    package func begun(at now: Instant) throws(ModelError) -> EntryContent {
        var content = EntryContent(kind: kind)
        let today = Day(of: now, in: reader.zone)
        if kind == Weight.kind { try content.set(Weight.unit.name, text: reader.weightUnit ?? "kg") }
        if kind == Cost.kind {
            try content.set(Cost.basis.name, text: Cost.item)
            try content.set(Cost.year.name, text: String(today.year))
        }
        if !EntryForm.timeless.contains(kind) { content.date = .day(today) }
        return content
    }

    /// Whether nothing was filled in: such an entry would stand there for good, and say nothing.
    package static func isEmpty(_ content: EntryContent) -> Bool { content.body.isEmpty && content.comment.isEmpty }

    // MARK: - Out

    /// With what was typed, where something was; else with what the entry says.
    ///
    /// A new document comes with its file.
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
        // A file has a name of its own.
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
        timeField.hint = reader.words["hint.time", reader.zone.told]
        let comment = FormField(
            "comment",
            reader.words["comment"],
            .paragraphs,
            value: typed?["comment"] ?? content.comment,
            problem: problems["comment"]
        )
        return file + shown + [dateField, timeField, comment]
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
        case .day(let day): return (day.description, "")
        case .instant(let instant) where instant.isMidnightUTC: return (Day(of: instant).description, "")
        case .instant(let instant):
            let seconds = reader.zone.secondsFromGMT(for: instant.date)
            let local = Instant(microseconds: instant.microseconds + Int64(seconds) * Instant.microsecondsPerSecond)
            let text = local.description
            return (Day(of: local).description, String(text.dropFirst(11).prefix(5)))
        }
    }

    // MARK: - In

    /// Takes over what was typed where it differs from what stood there; answers what is wrong, field by field.
    ///
    /// What stays as it is stays so to the last digit, and a guess that nobody touched stays one.
    package func take(_ typed: [String: String], into content: inout EntryContent) -> [String: String] {
        var problems: [String: String] = [:]
        func set(_ name: String, _ text: String) {
            do {
                try content.set(name, text: text)
            } catch {
                problems[error.field ?? name] = Sentence(error.message).text
            }
        }
        for path in paths(content) {
            let stored = self.text(content, path)
            var text = (typed[path.name] ?? "").withoutOuterSpaces
            if text == stored.returned(isLine: path.isLine) { continue }
            text = text.typed(over: stored)
            // A box that is not ticked says nothing, as one that was never there.
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
        let (date, time) = (typed["date"] ?? "", typed["time"] ?? "")
        if (date, time) != dateAndTime(content.date) {
            do {
                content.date = try occurred(date, time)
            } catch {
                problems["date"] = Sentence(error.message).text
            }
        }
        let comment = (typed["comment"] ?? "").withoutOuterSpaces
        if comment != content.comment.returned(isLine: false) {
            set("comment", comment.typed(over: content.comment))
        }
        return problems
    }

    private func occurred(_ date: String, _ time: String) throws(ModelError) -> OccurredDate? {
        if date.isEmpty {
            guard time.isEmpty else { throw ModelError(.invalid, field: "date", "a time needs its date") }
            return nil
        }
        let day = try Day(parsing: date)
        guard !time.isEmpty else { return .day(day) }
        // By the reader's clocks: as if they were UTC, and then as many hours off as they are.
        let parts = time.split(separator: ":").map { Int64($0) }
        guard parts.count >= 2, let hour = parts[0], let minute = parts[1], (0..<24).contains(hour),
            (0..<60).contains(minute)
        else { throw ModelError(.invalid, field: "date", "the time must read 14:05") }
        let wall = day.startInstant.microseconds + (hour * 60 + minute) * 60 * Instant.microsecondsPerSecond
        func offset(_ microseconds: Int64) -> Int64 {
            Int64(reader.zone.secondsFromGMT(for: Instant(microseconds: microseconds).date))
                * Instant.microsecondsPerSecond
        }
        // Once more, for the hours around a change of clocks.
        let instant = Instant(microseconds: wall - offset(wall - offset(wall)))
        // Midnight in UTC is how imports write a day; a time that somebody typed stays one.
        return .instant(instant.isMidnightUTC ? Instant(microseconds: instant.microseconds + 1) : instant)
    }
}

extension FieldPath {
    /// Whether a form has no more than a line for it.
    var isLine: Bool {
        if case .text(let maximum)? = fields.last?.type { maximum <= Limits.line } else { true }
    }
}

extension String {
    /// As a form sends it, and as it is kept.
    var withoutOuterSpaces: String { withUnixLines.trimmed }

    var withUnixLines: String { replacing("\r\n", with: "\n") }

    private var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
