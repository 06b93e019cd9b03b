package import FoundationEssentials
package import HealthModel

/// An entry in a list: the main value first, then the other values.
package struct EntryLine: Sendable {
    /// The page of the entry; nil for a reader who may not open it.
    package let address: String?
    /// When it happened; nil where that is unknown.
    package let date: String?
    /// The main value, such as the name of a medicine or a weight.
    package let what: String
    /// The other values, each with its label.
    package let details: [LabelledText]
    package let comment: String?
    /// Whether its kind has dates, so that a list has a column for them.
    package let isDated: Bool
    /// When it was recorded, or last corrected, and by whom: shown where no page of the entry says it.
    package let recorded: String
    package let isCorrected: Bool
    package let isRetracted: Bool
    /// The changes of the entry since the moment that the page shows.
    package var since: [Since] = []
    /// The record and the kind, in a list of entries of several.
    package var place: String?

    /// `fields` limits the other values to those of some fields, where the page of the entry has the rest.
    package init(
        _ entry: EntryState,
        _ reader: Reader,
        _ names: Names,
        isLinked: Bool = true,
        fields: Set<Field>? = nil
    ) {
        let content = entry.content
        address = isLinked ? "/records/\(entry.record.text)/entries/\(entry.kind.name)/\(entry.id.text)" : nil
        date = content.date.map(reader.occurred)
        isDated = date != nil || !entry.kind.isTimeless
        let plan = content.plan.flatMap { names.plans[$0] }
        var (what, details) = content.shown(reader, of: plan, fields)
        if let plan { what = "\(plan.name) · \(what)" }
        (self.what, self.details) = (what, details)
        comment = content.comment.isEmpty ? nil : content.comment
        let stamp = entry.corrected ?? entry.added
        recorded =
            reader.words[
                entry.corrected == nil ? "recordedBy" : "correctedBy",
                reader.day(of: stamp.recordedAt),
                names[stamp.actor, reader]
            ]
        isCorrected = entry.corrected != nil
        isRetracted = entry.isRetracted
    }

    /// A difference between the entry's current state and the state that the page shows.
    package struct Since: Sendable {
        package let isRetraction: Bool
        package let text: String
        package let changes: [ShownChange]
    }
}

/// A text with its label.
package struct LabelledText: Hashable, Sendable {
    package let label: String
    package let text: String
    /// What calls the telephone number or writes to the address that the text is; nil for other texts.
    package let link: String?

    package init(_ label: String, _ text: String, link: String? = nil) {
        self.label = label
        self.text = text
        self.link = link
    }
}

/// The names of accounts and of medications, as far as the reader may know them.
package struct Names: Sendable {
    private let names: [UUID: String]
    /// The medications and supplements whose doses are shown.
    package let plans: [UUID: PlanProduct]

    package init(_ names: [UUID: String], plans: [UUID: PlanProduct] = [:]) {
        (self.names, self.plans) = (names, plans)
    }

    package subscript(account: UUID, reader: Reader) -> String {
        // Unnamed accounts are distinguished by the beginning of their id.
        names[account] ?? reader.words["unknownAccount", String(account.text.prefix(8))]
    }
}

extension EntryContent {
    /// The medication or the supplement of a dose.
    fileprivate var plan: UUID? { kind == Dose.kind ? body.id(Dose.of) : nil }

    /// Returns the main value of the entry, and the other values, or those of some fields; `product` is the product that a
    /// dose counts.
    package func shown(
        _ reader: Reader,
        of product: PlanProduct? = nil,
        _ fields: Set<Field>? = nil
    ) -> (what: String, details: [LabelledText]) {
        var rest = kind.fields.leaves.filter { !EntryContent.hidden.contains($0.name) }
        var measured: [LabelledText] = []
        let what: String
        switch kind {
        case Weight.kind:
            what = reader.weight(self) ?? reader.words["nothingSaid"]
            rest = []
        case Cost.kind:
            let amount = body.decimal(Cost.amount)?.description ?? "0"
            what = reader.amount(amount, body.text(Cost.currency))
            rest.removeAll { [Cost.amount.name, Cost.currency.name].contains($0.name) }
        case Blood.kind:
            what = body.text(Blood.name) ?? reader.words["nothingSaid"]
            let value = [body.text(Blood.value), body.text(Blood.unit)].compactMap(\.self).joined(separator: "\u{A0}")
            let marked = [value, reader.flag(of: self) ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
            if !marked.isEmpty { measured = [LabelledText(reader.words.label(Blood.value.label), marked)] }
            if let range = reader.range(of: self) { measured.append(LabelledText(reader.words["range"], range)) }
            rest.removeAll {
                [Blood.name, Blood.value, Blood.unit, Blood.low, Blood.high, Blood.normal, Blood.flag]
                    .contains($0.fields[0])
            }
        case Dose.kind:
            let number = body.decimal(Dose.amount)
            let amount = number == nil ? "" : reader.amount(number, nil, product?.unit, product?.strength)
            let status = body.text(Dose.status).map(reader.choice) ?? reader.words["nothingSaid"]
            what = amount.isEmpty ? status : reader.words["labelled", status, amount]
            rest.removeAll {
                [Dose.of, Dose.slot, Dose.planned, Dose.plannedAmount, Dose.status, Dose.amount].contains($0.fields[0])
            }
        case Foreign.kind where body[Foreign.title] != nil:
            what = body.text(Foreign.title) ?? ""
            rest.removeAll { $0.fields[0] == Foreign.title }
        default:
            rest.removeAll { EntryContent.planned.contains($0.fields[0].name) }
            measured = planInWords(reader)
            if let energy = Meal.energy(of: self) {
                measured.append(LabelledText(reader.words["energyOfMeal"], "\(reader.number(energy))\u{A0}kcal"))
            }
            guard let first = rest.first(where: { body[$0] != nil }) else { return (reader.words["nothingSaid"], []) }
            what = reader.text(of: body[first], first)
            rest.removeAll { $0 == first }
        }
        let details = rest.compactMap { path -> LabelledText? in
            guard let value = body[path], fields?.contains(path.fields[0]) ?? true else { return nil }
            let text = path.fields[0] == SharedFields.codes ? codes(besides: what) : reader.text(of: value, path)
            return text.map { LabelledText(reader.words.label(path.label), $0, link: ContactLink.of($0, path)) }
        }
        return (what, measured + details)
    }

    /// The stop, the pauses and the rules of a plan in words.
    private func planInWords(_ reader: Reader) -> [LabelledText] {
        guard Plan.kinds.contains(kind) else { return [] }
        let epoch = Instant(microseconds: 0)
        let plan = Plan(id: UUID(), self) { _ in Plan.Recorded(at: epoch, day: Day(of: epoch)) }
        let (unit, strength) = (body.text(PlanFields.unit), PlanStrength(body))
        // That it is not taken comes first.
        let interruptions = [reader.stop(of: plan, self)].compactMap(\.self) + plan.pauses.map(reader.pause)
        let rules = plan.rules.map { reader.rule($0, stopped: plan.stopped, unit: unit, strength: strength) }
        return (interruptions + rules).map { LabelledText(reader.words["planInWords"], $0) }
    }

    /// Fields of a plan, which are shown in words, and those that contain the ids of other entries: the plan of a supply,
    /// which its own page names, and what a finding is about, which its details name.
    private static let planned: Set<String> = [
        PlanFields.rules.name, PlanFields.pauses.name, PlanFields.stopped.name, PlanFields.lastChange.name,
        Supply.of.name, Interaction.entries.name,
    ]

    /// Fields that only machines need, and that are not shown.
    static let hidden: Set<String> = [
        "content.digest", "content.size", "contactIdentifier", "isImportedFromContacts", "mediaType",
        "reference",
    ]
}

extension Reader {
    /// Formats a value for the reader.
    func text(of value: FieldValue?, _ path: FieldPath) -> String {
        guard let value, let type = path.fields.last?.type else { return "" }
        return text(of: value, as: type)
    }

    private func text(of value: FieldValue, as type: FieldType) -> String {
        switch value {
        case .bytes: return ""
        case .text(let text):
            switch type {
            case .choice: return choice(text)
            case .partialDate, .dayOrPeriod: return partialDate(text)
            default: return text
            }
        case .group(let values):
            guard case .group(let fields) = type else { return "" }
            // The ids of rules, times and details say nothing to a reader.
            let shown = fields.filter { field in if case .id = field.type { false } else { true } }
            return shown.compactMap { field in values[field].map { text(of: $0, as: field.type) } }
                .joined(separator: " ")
        case .decimal(let decimal): return number(decimal)
        case .integer(let integer): return number(integer)
        case .flag(let flag): return words[flag ? "yes" : "no"]
        case .day(let day): return self.day(day)
        case .instant(let instant): return exactMoment(instant)
        case .id(let id): return id.text
        case .list(let values):
            guard case .list(let element, _) = type else { return "" }
            return values.map { text(of: $0, as: element) }.joined(separator: ", ")
        }
    }

    /// A doubt about a new entry, as a sentence.
    package func doubt(_ doubt: EntryDoubt) -> String {
        let other = doubt.other.map { other in
            [other.value, other.date.map(occurred) ?? words["noDate"]].filter { !$0.isEmpty }.joined(separator: ", ")
        }
        return words["doubt.\(doubt.reason.rawValue)", doubt.value, other ?? ""]
    }

    /// The text of an option of a choice.
    package func choice(_ word: String) -> String { words.texts["choice.\(word)"] ?? word }
}
