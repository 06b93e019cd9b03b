internal import FoundationEssentials
internal import HealthModel
internal import Interchange

/// A builder of a record of the sample, as an imported document contains it.
struct SampleRecord {
    private(set) var document: ImportedRecord
    let clock: SampleClock

    init(id: UUID, _ subject: Subject, _ clock: SampleClock) {
        self.clock = clock
        document = ImportedRecord(
            id: id,
            profile: RecordProfile(subject: subject),
            entries: [],
            shape: .native,
            unrepresented: []
        )
    }

    mutating func profile(_ values: KeyValuePairs<String, String>) throws(ModelError) {
        for (name, value) in values { try document.profile.set(name, text: value) }
    }

    /// Adds an entry with a date, as precise as the text, or without one.
    @discardableResult
    mutating func add(
        _ kind: Kind,
        _ date: String?,
        _ values: KeyValuePairs<String, String>
    ) throws(ModelError) -> UUID {
        var content = EntryContent(kind: kind)
        if let date { try content.set("date", text: date) }
        for (name, value) in values { try content.set(name, text: value) }
        return add(content)
    }

    @discardableResult
    mutating func add(
        _ kind: Kind,
        _ day: Day,
        _ values: KeyValuePairs<String, String>
    ) throws(ModelError) -> UUID {
        try add(kind, day.description, values)
    }

    @discardableResult
    mutating func add(
        _ kind: Kind,
        at moment: Instant,
        _ values: KeyValuePairs<String, String>
    ) throws(ModelError) -> UUID {
        try add(kind, moment.description, values)
    }

    /// Adds an entry, with the id that its content determines or one that follows from its number.
    @discardableResult
    mutating func add(_ content: EntryContent) -> UUID {
        let number = document.entries.count
        let id = content.kind.derivedID(content) ?? nextID
        let path = "\(content.kind.name)[\(number)]"
        document.entries.append(ImportedEntry(id: id, content: content, path: path))
        return id
    }

    /// The id of the next entry.
    private var nextID: UUID { UUID(nameBased: document.id, "sample/\(document.entries.count)") }

    /// Adds a medication or a supplement that is taken in a pattern; `edit` adds what else is known of it.
    ///
    /// `strength` is that of one unit, such as `500 mg`.
    mutating func plan(
        _ kind: Kind,
        _ name: String,
        strength: String,
        since day: Day,
        from daysAgo: Int,
        _ form: PlanRule.Pattern.Form,
        _ times: String,
        _ values: KeyValuePairs<String, String> = [:]
    ) throws(ModelError) -> SamplePlan {
        try plan(kind, name, strength: strength, since: day, values) { clock, newID throws(ModelError) in
            let first = clock.day(daysAgo)
            var pattern = try PlanRule.Pattern(form, parsing: times, anchor: first, newID: newID)
            // A medication that is taken twice a day is taken with the meals.
            if case .days(_, let times) = pattern, times.count == 2 { pattern.describe { $0.withMeal = true } }
            let from = WallMoment(day: first)
            return [PlanRule(id: newID(), from: from, pattern: pattern, recordedAt: clock.now)]
        }
    }

    /// Adds a medication or a supplement with the rules that a closure makes, with the ids that it is given.
    mutating func plan(
        _ kind: Kind,
        _ name: String,
        strength: String,
        since day: Day,
        _ values: KeyValuePairs<String, String> = [:],
        _ rules: (SampleClock, _ newID: () -> UUID) throws(ModelError) -> [PlanRule]
    ) throws(ModelError) -> SamplePlan {
        var content = EntryContent(kind: kind)
        try content.set("date", text: day.description)
        try content.set("name", text: name)
        try content.set("dosage", text: strength)
        for (name, value) in values { try content.set(name, text: value) }
        let parts = strength.split(separator: " ").map(String.init)
        content.fillSubstance(from: .bundled, strength: try ExactDecimal(parsing: parts[0]), unit: parts[1])
        if content.body[PlanFields.substances] == nil {
            // As the form of a plan does it: no list knows the name.
            try content.set("substances.0.name", text: name)
            try content.set("substances.0.strength", text: parts[0])
            try content.set("substances.0.strengthUnit", text: parts[1])
        }
        let id = nextID
        var count = 0
        let rules = try rules(clock) {
            count += 1
            return UUID(nameBased: id, "rule/\(count)")
        }
        for rule in rules { content.addRule(rule) }
        let recorded = Plan.Recorded(at: clock.now, day: clock.today)
        add(content)
        let plan = Plan(id: id, content) { _ in recorded }
        return SamplePlan(id: id, plan: plan, unit: content.body.text(PlanFields.unit))
    }

    /// Says how much of a medication there was at a moment.
    mutating func count(_ amount: String, of plan: SamplePlan, at moment: Instant) throws(ModelError) {
        let amount = try ExactDecimal(parsing: amount)
        add(EntryContent.supply(of: plan.id, .counted, amount, unit: plan.unit, at: moment))
    }
}
