/// Reads the text of a rule set, as `TriageRules.text` writes it.
extension TriageRules {
    /// Parses the lines of a rule set; throws an error that names the line.
    ///
    /// Empty lines and lines that begin with `#` are ignored.
    package init(parsing text: String) throws(ModelError) {
        var reader = RuleReader()
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var words = RuleWords(line)
            if words.isEmpty { continue }
            do {
                try reader.read(&words)
                try words.end()
            } catch {
                throw ModelError(.invalid, field: "rules", "line \(number + 1): \(error.message)")
            }
        }
        self = try reader.rules()
        try validate()
    }

    /// Returns the requested rule set: one of the program by its label, or another one by its text.
    package static func asked(label: String?, text: String?) throws(ModelError) -> TriageRules {
        switch (label, text) {
        case (let label?, nil):
            guard let rules = builtIn(label: label) else {
                let known = builtIn.map(\.label).joined(separator: ", ")
                throw ModelError(.notFound, field: "rules", "the program has no such rule set; it has \(known)")
            }
            return rules
        case (nil, let text?): return try TriageRules(parsing: text)
        default: throw ModelError(.invalid, field: "rules", "name a rule set of the program, or give the text of one")
        }
    }

    /// Returns a built-in rule set by its label, such as `hj-triage/1`.
    package static func builtIn(label: String) -> TriageRules? { builtIn.first { $0.label == label } }
}

/// The words of one line.
private struct RuleWords {
    private var words: ArraySlice<Substring>

    init(_ line: Substring) {
        let plain = line.split(whereSeparator: \.isWhitespace)
        words = plain.first?.hasPrefix("#") == true ? [] : plain[...]
    }

    var isEmpty: Bool { words.isEmpty }

    mutating func next(_ what: String) throws(ModelError) -> String {
        guard let word = words.popFirst() else { throw ModelError(.invalid, "\(what) is missing") }
        return String(word)
    }

    /// Takes words if the line goes on with them.
    mutating func take(_ text: String) -> Bool {
        let wanted = text.split(separator: " ")
        guard words.starts(with: wanted) else { return false }
        words.removeFirst(wanted.count)
        return true
    }

    mutating func expect(_ text: String) throws(ModelError) {
        guard take(text) else { throw ModelError(.invalid, "\"\(text)\" is missing") }
    }

    mutating func integer(_ what: String) throws(ModelError) -> Int {
        let word = try next(what)
        guard let value = Int(word) else { throw ModelError(.invalid, "\(what) must be a whole number") }
        return value
    }

    mutating func decimal(_ what: String) throws(ModelError) -> ExactDecimal {
        try ExactDecimal(parsing: try next(what))
    }

    mutating func level() throws(ModelError) -> UrgencyLevel {
        guard let level = UrgencyLevel(rawValue: try integer("a level")) else {
            throw ModelError(.invalid, "a level is a number from 1 to 5")
        }
        return level
    }

    mutating func word<Word: RawRepresentable<String>>(_ what: String) throws(ModelError) -> Word {
        let text = try next(what)
        guard let word = Word(rawValue: text) else { throw ModelError(.invalid, "\(text) is no \(what)") }
        return word
    }

    /// Reads a span such as `60..120`, `..80` or `28..`; nil for `-`.
    mutating func span() throws(ModelError) -> LimitSpan? {
        let text = try next("a range")
        if text == "-" { return nil }
        guard let dots = text.range(ofDots: ()) else { throw ModelError(.invalid, "write a range as 60..120") }
        let (low, high) = (String(text[..<dots]), String(text[text.index(dots, offsetBy: 2)...]))
        return LimitSpan(
            low.isEmpty ? nil : try ExactDecimal(parsing: low),
            high.isEmpty ? nil : try ExactDecimal(parsing: high)
        )
    }

    mutating func ageSpan() throws(ModelError) -> PatientAge.Span {
        PatientAge.Span(try integer("an age"), try word("unit of an age"))
    }

    func end() throws(ModelError) {
        if let word = words.first { throw ModelError(.invalid, "\(word) is not expected here") }
    }
}

extension String {
    /// The place of the first two dots in a row.
    fileprivate func range(ofDots: Void) -> String.Index? {
        indices.first { self[$0...].hasPrefix("..") }
    }
}

/// The parts of a rule set that were read so far.
private struct RuleReader {
    private var label: (name: String, version: String)?
    private var notAssessed: UrgencyLevel?
    private var signs: [SignRule] = []
    private var examination: [ExaminationRule] = []
    private var thresholds: [ThresholdRule] = []
    private var limits: [Int: SpeciesLimits] = [:]
    private var weights = ComplexityWeights(
        base: [:],
        species: [:],
        unknownSpecies: 0,
        ages: [],
        illness: 0,
        allergy: 0,
        surgery: 0,
        surgeryDays: 0,
        drug: 0,
        drugsFree: 0,
        historyMaximum: 0
    )

    mutating func read(_ words: inout RuleWords) throws(ModelError) {
        switch try words.next("a word") {
        case "triage":
            try words.expect("rules")
            let parts = try words.next("a name").split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw ModelError(.invalid, "write the name and the version as name/1") }
            label = (String(parts[0]), String(parts[1]))
        case "not":
            try words.expect("assessed")
            notAssessed = try words.level()
        case "sign":
            let sign = TriageSign(try words.next("a sign"))
            let level = try words.level()
            signs.append(SignRule(sign, level, words.take("-") ? nil : try words.word("part of the examination")))
        case "examination":
            let part: ABCDE.Part = try words.word("part of the examination")
            examination.append(ExaminationRule(part, try words.word("result"), try words.level()))
        case "threshold":
            let item: TriageItem = try words.word("vital sign")
            thresholds.append(ThresholdRule(item, try condition(&words), try words.level()))
        case "limits": try readLimits(&words)
        case "complexity": try readWeight(&words)
        case let word: throw ModelError(.invalid, "\(word) is no rule")
        }
    }

    func rules() throws(ModelError) -> TriageRules {
        guard let label else {
            throw ModelError(.invalid, field: "rules", "the line \"triage rules NAME/VERSION\" is missing")
        }
        guard let notAssessed else {
            throw ModelError(.invalid, field: "rules", "the line \"not assessed LEVEL\" is missing")
        }
        return TriageRules(
            name: label.name,
            version: label.version,
            signs: signs,
            examination: examination,
            thresholds: thresholds,
            limits: limits.sorted { $0.key < $1.key }.map(\.value),
            notAssessedLevel: notAssessed,
            complexityWeights: weights
        )
    }

    private func condition(_ words: inout RuleWords) throws(ModelError) -> ThresholdRule.Condition {
        if words.take("is") { return .word(try words.next("a word")) }
        if words.take("below") { return .below(try words.decimal("a limit")) }
        if words.take("above") { return .above(try words.decimal("a limit")) }
        try words.expect("at least")
        return .atLeast(try words.decimal("a limit"))
    }

    private mutating func readLimits(_ words: inout RuleWords) throws(ModelError) {
        let row = try words.integer("the number of a row")
        switch try words.next("a vital sign or species") {
        case "species":
            let none = VitalLimits(usual: LimitSpan(nil, nil))
            var group = SpeciesLimits(
                try words.word("species"),
                heartRate: none,
                respiratoryRate: none,
                temperature: none
            )
            if words.take("younger than") { group.youngerThan = try words.ageSpan() }
            if words.take("lighter than") {
                group.lighterThan = try words.decimal("a weight")
                try words.expect("kg")
            }
            group.pantingLiftsUpperLimit = words.take("panting lifts the upper limit")
            limits[row] = group
        case "heartRate": try set(\.heartRate, row, &words)
        case "respiratoryRate": try set(\.respiratoryRate, row, &words)
        case "temperature": try set(\.temperature, row, &words)
        case let word: throw ModelError(.invalid, "\(word) has no limits")
        }
    }

    private mutating func set(
        _ path: WritableKeyPath<SpeciesLimits, VitalLimits>,
        _ row: Int,
        _ words: inout RuleWords
    ) throws(ModelError) {
        guard limits[row] != nil else { throw ModelError(.invalid, "the line of the species comes first") }
        try words.expect("usual")
        let usual = try words.span()
        try words.expect("orange beyond")
        let orange = try words.span()
        try words.expect("red beyond")
        let red = try words.span()
        limits[row]?[keyPath: path] = VitalLimits(
            usual: usual ?? LimitSpan(nil, nil),
            orangeBeyond: orange,
            redBeyond: red
        )
    }

    private mutating func readWeight(_ words: inout RuleWords) throws(ModelError) {
        switch try words.next("a weight") {
        case "base":
            let level = try words.level()
            weights.base[level] = try words.integer("a weight")
        case "species":
            if words.take("unknown") {
                weights.unknownSpecies = try words.integer("a weight")
            } else {
                let species: SpeciesCode = try words.word("species")
                weights.species[species] = try words.integer("a weight")
            }
        case "age":
            let species: SpeciesCode? = words.take("any") ? nil : try words.word("species")
            let from = words.take("from") ? try words.ageSpan() : nil
            let below = words.take("below") ? try words.ageSpan() : nil
            weights.ages.append(AgeWeight(species, from: from, below: below, try words.integer("a weight")))
        case "illness": weights.illness = try words.integer("a weight")
        case "allergy": weights.allergy = try words.integer("a weight")
        case "surgery":
            weights.surgery = try words.integer("a weight")
            try words.expect("within")
            weights.surgeryDays = try words.integer("a number of days")
            try words.expect("days")
        case "drug":
            weights.drug = try words.integer("a weight")
            try words.expect("beyond")
            weights.drugsFree = try words.integer("a number")
        case "history":
            try words.expect("at most")
            weights.historyMaximum = try words.integer("a weight")
        case let word: throw ModelError(.invalid, "\(word) has no weight")
        }
    }
}
