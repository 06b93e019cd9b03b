import Foundation
import TestSupport
import Testing

@testable import HealthModel

/// The check of interactions, with rules made for each test.
@Suite("Interactions")
struct InteractionCheckTests {
    private static let now = Instant(microseconds: 1_772_452_800_000_000)
    private static let namespace = UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9))

    private static func rule(
        _ id: String,
        _ kind: InteractionRule.Kind,
        _ a: String,
        _ b: String? = nil,
        _ severity: InteractionSeverity = .high,
        isStanding: Bool = false,
        limit: SubstanceAmount? = nil
    ) -> InteractionRule {
        func term(_ text: String) -> InteractionRule.Term {
            text.hasPrefix("class:") ? .group(String(text.dropFirst(6))) : .name(FoldedName(text))
        }
        return InteractionRule(
            id: id,
            kind: kind,
            a: term(a),
            b: b.map(term),
            severity: severity,
            source: InteractionRule.Source(name: "a book"),
            isStanding: isStanding,
            limit: limit
        )
    }

    private static func set(
        _ rules: [InteractionRule],
        classes: [String: [String]] = [:],
        synonyms: [String: String] = [:],
        name: String = "test"
    ) -> RuleSet {
        RuleSet(
            name: name,
            version: "1",
            licence: "CC0-1.0",
            classes: classes.mapValues { $0.map { FoldedName($0) } },
            synonyms: Dictionary(uniqueKeysWithValues: synonyms.map { (FoldedName($0), FoldedName($1)) }),
            rules: rules
        )
    }

    /// A plan with a dose a day, some days from now.
    private static func plan(
        _ name: String,
        _ substances: String...,
        daily times: String = "08:00=1",
        from day: Int32 = -30,
        strength: SubstanceAmount? = nil,
        id: UUID = UUID()
    ) throws -> CheckedPlan {
        let first = Day(of: now).adding(days: Int(day))
        let pattern = try PlanRule.Pattern(.daily, parsing: times, anchor: first) { UUID() }
        let rule = PlanRule(id: UUID(), from: WallMoment(day: first), pattern: pattern, recordedAt: .epoch)
        return CheckedPlan(
            id: id,
            name: name,
            substances: substances.map { CheckedPlan.Substance(name: $0, strength: strength) },
            plan: Plan(id: id, rules: [rule])
        )
    }

    private static func clocks() throws -> CareClocks {
        try CareClocks(ZoneHistory(home: "UTC"), rules: [], ZoneTable(version: "", zones: ["UTC": .init(initial: 0)]))
    }

    private static func check(_ input: CheckInput, _ sets: RuleSet...) throws -> CheckResult {
        checkInteractions(input, RuleIndex(sets), at: now, try clocks(), namespace: namespace)
    }

    // MARK: - Names

    @Test(
        "Names are compared without case, accents and punctuation",
        arguments: [
            ("Paracétamol", "paracetamol"), ("ÁCIDO  acetilsalicílico", "acido acetilsalicilico"),
            ("Acetylsalicylsäure", "acetylsalicylsaure"), ("St. John's wort", "st john s wort"),
            ("co-amoxiclav", "co amoxiclav"), ("Strauß", "strauss"), ("Œdème", "oedeme"), ("é", "e"),
        ]
    )
    func folding(name: String, folded: String) {
        #expect(FoldedName(name).text == folded)
        #expect(FoldedName(folded) == FoldedName(name))
    }

    @Test("A name that no rule set knows is listed, and never counts as checked")
    func unknownNames() throws {
        let rules = Self.set([Self.rule("x", .pair, "warfarin", "ibuprofen")], synonyms: ["coumadin": "warfarin"])
        let plans = [
            try Self.plan("Zqxol"), try Self.plan("Coumadin 5 mg"), try Self.plan("Both", "Warfarin", "Zqxol"),
        ]
        let result = try Self.check(CheckInput(plans: plans), rules)
        #expect(result.notChecked == ["Both (Zqxol)", "Zqxol"])
        #expect(try Self.check(CheckInput(plans: [plans[0]]), rules).outcome == .notChecked)
        #expect(try Self.check(CheckInput(plans: [plans[1]]), rules).outcome == .noneFound)
        #expect(try Self.check(CheckInput(plans: []), rules).outcome == .noneFound)
        let without = try Self.check(CheckInput(plans: plans))
        #expect(without.outcome == .notChecked)
        #expect(without.ruleSets.isEmpty)
        #expect(without.notChecked == ["Both", "Coumadin 5 mg", "Zqxol"])
    }

    @Test("A question is understood by the names in it")
    func questions() {
        let index = RuleIndex([
            Self.set(
                [Self.rule("x", .pair, "ibuprofen", "class:c")],
                classes: ["c": ["acetylsalicylic acid", "st johns wort"]],
                synonyms: ["aspirin": "acetylsalicylic acid"]
            )
        ])
        func named(_ text: String) -> [String] { index.substances(in: text).map(\.text) }
        #expect(named("May I take IBUPROFEN?") == ["ibuprofen"])
        #expect(named("aspirin, or acetylsalicylic acid, or ibuprofen") == ["acetylsalicylic acid", "ibuprofen"])
        #expect(named("May I take Zqxol?") == [])
    }

    // MARK: - Kinds of rules

    @Test("One substance in two plans is a serious duplicate, with rules or without")
    func duplicates() throws {
        let (one, other) = (UUID(), UUID())
        let plans = [try Self.plan("Dafalgan", "Paracetamol", id: one), try Self.plan("PARACETAMOL", id: other)]
        let rules = Self.set([Self.rule("n", .duplicate, "class:c")], classes: ["c": ["paracetamol", "ibuprofen"]])
        for result in [try Self.check(CheckInput(plans: plans)), try Self.check(CheckInput(plans: plans), rules)] {
            #expect(result.findings.count == 1)
            let finding = try #require(result.findings.first)
            #expect(finding.severity == .high)
            #expect(finding.kind == .duplicate)
            #expect(Set(finding.entries) == [one, other])
        }
        let different = [plans[0], try Self.plan("Ibuprofen")]
        #expect(try Self.check(CheckInput(plans: different), rules).findings.map(\.rule) == ["n"])
        #expect(try Self.check(CheckInput(plans: different)).findings.isEmpty)
    }

    @Test("A pair is found in either order, and not between a substance and itself")
    func pairs() throws {
        let rules = Self.set(
            [Self.rule("qt", .pair, "class:qt", "class:qt"), Self.rule("ab", .pair, "a", "class:b")],
            classes: ["qt": ["q", "r"], "b": ["b1", "b2"]]
        )
        func found(_ names: String...) throws -> [String] {
            try Self.check(CheckInput(plans: names.map { try Self.plan($0) }), rules).findings.map(\.rule)
        }
        #expect(try found("a", "b1") == ["ab"])
        #expect(try found("b2", "a") == ["ab"])
        #expect(try found("q", "r") == ["qt"])
        #expect(try found("q", "q") == ["duplicate q"])
        #expect(try found("b1", "b2").isEmpty)
    }

    @Test("An allergy is found by the substance, by its class, and by another rule")
    func allergies() throws {
        let rules = Self.set(
            [
                Self.rule("pen", .allergy, "class:penicillin", "class:penicillin", .critical),
                Self.rule("ceph", .allergy, "cefalexin", "class:penicillin", .medium),
            ],
            classes: ["penicillin": ["penicillin", "amoxicillin"], "opioid": ["codeine"]],
            synonyms: ["penicilline": "penicillin"]
        )
        func found(_ plan: String, _ allergy: String, _ sets: [RuleSet]) throws -> [InteractionSeverity] {
            let input = CheckInput(plans: [try Self.plan(plan)], allergies: [CheckedAllergy(id: UUID(), name: allergy)])
            return checkInteractions(input, RuleIndex(sets), at: Self.now, try Self.clocks(), namespace: Self.namespace)
                .findings.map(\.severity)
        }
        #expect(try found("Amoxicillin", "Penicillin", [rules]) == [.critical])
        #expect(try found("Amoxicillin", "allergic to Penicilline", [rules]) == [.critical])
        #expect(try found("Cefalexin", "penicillins", [rules]) == [.medium])
        #expect(try found("Codeine", "Opioids", [rules]) == [.critical])
        #expect(try found("Codeine", "Penicillin", [rules]).isEmpty)
        #expect(try found("Zqxol", "zqxol", []) == [.critical])
    }

    @Test("An allergy counts for its class where a rule about allergies names it, and a lower rule hides no allergy")
    func relatedAllergies() throws {
        let rules = Self.set(
            [
                Self.rule("ceph", .allergy, "class:cephalosporin", "class:penicillin", .medium),
                Self.rule("nsaid", .allergy, "class:nsaid", "class:nsaid", .high),
                Self.rule("statin", .pair, "class:statin", "amoxicillin"),
            ],
            classes: [
                "penicillin": ["penicillin", "amoxicillin"], "cephalosporin": ["cefazolin", "cefalexin"],
                "nsaid": ["ibuprofen", "naproxen"], "statin": ["simvastatin", "lovastatin"],
            ]
        )
        func found(_ plan: String, _ allergy: String) throws -> [InteractionSeverity] {
            let input = CheckInput(plans: [try Self.plan(plan)], allergies: [CheckedAllergy(id: UUID(), name: allergy)])
            let result = try Self.check(input, rules)
            #expect(result.notChecked.isEmpty, "\(allergy)")
            return result.findings.map(\.severity)
        }
        #expect(try found("Cefalexin", "Cefazolin") == [.critical])
        #expect(try found("Amoxicillin", "Penicillin") == [.critical])
        #expect(try found("Cefalexin", "Penicillin") == [.medium])
        #expect(try found("Amoxicillin", "Cefazolin").isEmpty)
        // The rating of the rule stands for another substance, and not for the same one.
        #expect(try found("Naproxen", "Ibuprofen") == [.high])
        #expect(try found("Ibuprofen", "Ibuprofen") == [.critical, .high])
        #expect(try found("Cefalexin", "penicillin and cefalexin") == [.critical, .medium])
        // No rule about allergies names the class.
        #expect(try found("Lovastatin", "Simvastatin").isEmpty)
    }

    @Test("An allergy that no rule set knows is listed, and never counts as checked")
    func unknownAllergies() throws {
        let rules = Self.set(
            [
                Self.rule("pen", .allergy, "class:penicillin", "class:penicillin", .critical),
                Self.rule("nut", .foodAllergy, "class:nut", "class:nut"),
            ],
            classes: ["penicillin": ["amoxicillin"], "nut": ["hazelnuts"]],
            synonyms: ["amoxil": "amoxicillin"]
        )
        func notChecked(_ names: String..., sets: [RuleSet]) throws -> [String] {
            let allergies = names.map { CheckedAllergy(id: UUID(), name: $0) }
            let input = CheckInput(plans: [], allergies: allergies)
            return checkInteractions(input, RuleIndex(sets), at: Self.now, try Self.clocks(), namespace: Self.namespace)
                .notChecked
        }
        #expect(try notChecked("Zqxol", "Penicillins", "against AMOXIL", sets: [rules]) == ["Zqxol"])
        #expect(try notChecked("Hazelnut", "nuts", "Bees", sets: [rules]) == ["Bees"])
        #expect(try notChecked("Penicillin", sets: []) == ["Penicillin"])
        let nuts = CheckInput(
            plans: [],
            allergies: [CheckedAllergy(id: UUID(), name: "Nuts")],
            meals: [CheckedMeal(id: UUID(), at: Self.now, foods: ["Hazelnut cake"])]
        )
        #expect(try Self.check(nuts, rules).findings.map(\.rule) == ["nut"])
    }

    @Test("Food is found in the meals of a day; standing advice never interrupts")
    func food() throws {
        let rules = Self.set(
            [Self.rule("g", .food, "simvastatin", "class:grapefruit", .critical, isStanding: true)],
            classes: ["grapefruit": ["grapefruit", "pomelo"]]
        )
        func found(_ food: String, hours: Int) throws -> [InteractionSeverity] {
            let meal = CheckedMeal(id: UUID(), at: Self.now.adding(minutes: -60 * hours), foods: [food])
            return try Self.check(CheckInput(plans: [try Self.plan("Simvastatin")], meals: [meal]), rules)
                .findings.map(\.severity)
        }
        #expect(try found("Juice of grapefruits", hours: 3) == [.critical, .medium])
        #expect(try found("Juice of grapefruits", hours: 24) == [.medium])
        #expect(try found("Orange juice", hours: 3) == [.medium])
    }

    @Test("A food is compared with allergies and with what is watched for")
    func foodAllergies() throws {
        let meal = CheckedMeal(id: UUID(), at: Self.now, foods: ["Peanut butter", "Bread"], watchedFor: ["bread"])
        let allergy = CheckedAllergy(id: UUID(), name: "Peanuts")
        let input = CheckInput(plans: [], allergies: [allergy], meals: [meal])
        let found = try Self.check(input).findings
        #expect(found.count == 2 && found.allSatisfy { $0.kind == .foodAllergy && $0.severity == .high })
        let rules = Self.set(
            [Self.rule("milk", .foodAllergy, "class:dairy", "class:dairy")],
            classes: ["dairy": ["milk", "cheese"]]
        )
        let cheese = CheckInput(
            plans: [],
            allergies: [CheckedAllergy(id: UUID(), name: "Milk")],
            meals: [CheckedMeal(id: UUID(), at: Self.now, foods: ["Cheese"])]
        )
        #expect(try Self.check(cheese, rules).findings.map(\.rule) == ["milk"])
        #expect(try Self.check(cheese).findings.isEmpty)
    }

    @Test(
        "A maximum is exceeded above it, and not below it or exactly at it",
        arguments: [(7, false), (8, false), (9, true)]
    )
    func maximum(tablets: Int, isExceeded: Bool) throws {
        let limit = try #require(SubstanceAmount(ExactDecimal(coefficient: 4, scale: 0), unit: "g"))
        let half = try #require(SubstanceAmount(ExactDecimal(coefficient: 500, scale: 0), unit: "mg"))
        let rules = Self.set([Self.rule("max", .maximum, "paracetamol", limit: limit)])
        // In two plans, so that neither exceeds it alone; they are taken at eight and at nine.
        let plans = [
            try Self.plan("A", "Paracetamol", daily: "08:00=\(tablets - 3)", strength: half),
            try Self.plan("B", "Paracetamol", daily: "21:00=3", strength: half),
        ]
        let found = try Self.check(CheckInput(plans: plans), rules).findings.filter { $0.kind == .maximum }
        #expect(found.count == (isExceeded ? 1 : 0))
        #expect(found.first.map { $0.effect.contains("4.5 g") && $0.entries.count == 2 } ?? true)
    }

    @Test("A plan whose amount is not known is named, and not taken for nothing")
    func unknownAmounts() throws {
        let limit = try #require(SubstanceAmount(ExactDecimal(coefficient: 4, scale: 0), unit: "g"))
        let rules = Self.set([Self.rule("max", .maximum, "paracetamol", limit: limit)])
        let result = try Self.check(CheckInput(plans: [try Self.plan("A", "Paracetamol")]), rules)
        #expect(result.findings.isEmpty)
        #expect(result.notChecked == ["A (how much in a day: its strength or a dose is not known)"])
    }

    @Test(
        "What is taken when needed counts as often as its plan allows",
        arguments: [
            (DoseLimits(maximumDoses: 4), "5 g"), (DoseLimits(maximumDoses: 2), nil),
            (DoseLimits(minimumInterval: 360), "5 g"), (DoseLimits(minimumInterval: 600, maximumDoses: 9), "4.5 g"),
            (DoseLimits(maximumDoses: 2, period: 720), "5 g"),
            (DoseLimits(maximumAmount: ExactDecimal(coefficient: 3, scale: 0)), "4.5 g"),
        ] as [(DoseLimits, String?)]
    )
    func maximumWhenNeeded(limits: DoseLimits, possible: String?) throws {
        let limit = try #require(SubstanceAmount(ExactDecimal(coefficient: 4, scale: 0), unit: "g"))
        let half = try #require(SubstanceAmount(ExactDecimal(coefficient: 500, scale: 0), unit: "mg"))
        let rules = Self.set([Self.rule("max", .maximum, "paracetamol", limit: limit)])
        var needed = try Self.plan("B", "Paracetamol", strength: half)
        needed.plan.rules[0].pattern = .asNeeded(Intake(amount: ExactDecimal(coefficient: 1, scale: 0)))
        needed.plan.limits = limits
        let daily = try Self.plan("A", "Paracetamol", daily: "08:00=3,20:00=3", strength: half)
        let result = try Self.check(CheckInput(plans: [daily, needed]), rules)
        let found = result.findings.filter { $0.kind == .maximum }
        #expect(found.map(\.entries.count) == (possible == nil ? [] : [2]))
        if let possible { #expect(found.first?.effect.contains("can be \(possible) within 24 hours") == true) }
        #expect(result.notChecked.isEmpty)
    }

    @Test("What is taken when needed without a limit is named, because nobody knows how much it is")
    func neededWithoutLimit() throws {
        let limit = try #require(SubstanceAmount(ExactDecimal(coefficient: 4, scale: 0), unit: "g"))
        let half = try #require(SubstanceAmount(ExactDecimal(coefficient: 500, scale: 0), unit: "mg"))
        let rules = Self.set([Self.rule("max", .maximum, "paracetamol", limit: limit)])
        var needed = try Self.plan("B", "Paracetamol", strength: half)
        needed.plan.rules[0].pattern = .asNeeded(Intake(amount: ExactDecimal(coefficient: 1, scale: 0)))
        let result = try Self.check(CheckInput(plans: [needed]), rules)
        #expect(result.notChecked == ["B (how much in a day: it is taken when needed and its plan has no limit)"])
        needed.plan.stopped = WallMoment(day: Day(of: Self.now))
        let stopped = try Self.check(CheckInput(plans: [needed]), rules).notChecked
        #expect(stopped == ["B (stopped on \(Day(of: Self.now)))"])
    }

    @Test(
        "A mass is written in the unit in which it is no fraction",
        arguments: [("4.5", "g", "4.5 g"), ("0.5", "g", "500 mg"), ("800", "µg", "800 µg"), ("1500", "µg", "1.5 mg")]
    )
    func masses(value: String, unit: String, text: String) throws {
        #expect(SubstanceAmount(try ExactDecimal(parsing: value), unit: unit)?.text == text)
    }

    @Test("Rules for people are not said to have checked an animal")
    func animals() throws {
        let starter = Self.set([Self.rule("x", .pair, "warfarin", "ibuprofen")], name: "starter")
        let own = Self.set([Self.rule("x", .pair, "meloxicam", "prednisolone")], name: "animals")
        let input = CheckInput(plans: [try Self.plan("Ibuprofen")], isOfAnimal: true)
        let result = try Self.check(input, starter)
        #expect(result.outcome == .notChecked)
        #expect(result.notChecked == [CheckResult.animals])
        let both = try Self.check(input, own, starter)
        #expect(both.outcome == .noneFound)
        #expect(both.notChecked == [CheckResult.animals])
        #expect(try Self.check(CheckInput(plans: input.plans), starter).notChecked.isEmpty)
        let pair = CheckInput(plans: input.plans + [try Self.plan("Warfarin")], isOfAnimal: true)
        #expect(try Self.check(pair, starter).outcome == .found)
    }

    @Test(
        "The metal of a salt is no mineral; beside a vitamin or behind a separator it is one",
        arguments: [
            ("Rosuvastatin calcium 20 mg", ["rosuvastatin"]), ("Losartan-Kalium", ["losartan"]),
            ("Rosuvastatin + calcium", ["rosuvastatin", "calcium"]),
            ("Rosuvastatin, calcium", ["rosuvastatin", "calcium"]), ("Calcium", ["calcium"]),
            ("Vitamin D3 Calcium", ["vitamin d3", "calcium"]), ("Magnesium calcium", ["magnesium", "calcium"]),
            ("Losartankalium", ["losartan"]), ("Multivitamin calcium", ["multivitamin", "calcium"]),
        ]
    )
    func salts(name: String, substances: [String]) throws {
        let rules = Self.set(
            [
                Self.rule("a", .pair, "rosuvastatin", "calcium"), Self.rule("b", .pair, "losartan", "potassium"),
                Self.rule("c", .pair, "vitamin d3", "magnesium"), Self.rule("d", .pair, "multivitamin", "magnesium"),
            ],
            synonyms: ["kalium": "potassium"]
        )
        let index = RuleIndex([rules])
        #expect(index.parts(ofName: name, isMedication: true).known.map(\.text) == substances)
        // Also behind a name that no rule knows.
        #expect(index.parts(ofName: "Zqxol-Calcium", isMedication: true) == NamedParts(known: [], rest: ["Zqxol"]))
        // A supplement may contain both.
        #expect(index.parts(ofName: "Rosuvastatin calcium", isMedication: false).known.count == 2)
        // Who asks may leave out every word between two names.
        #expect(index.parts(ofQuestion: "rosuvastatin calcium?").known.count == 2)
    }

    // MARK: - Use

    @Test("A plan is in use around its doses, and after one that was taken")
    func use() throws {
        let clocks = try Self.clocks()
        func use(_ edit: (inout CheckedPlan) -> Void) throws -> PlanUse {
            var plan = try Self.plan("A")
            edit(&plan)
            return plan.use(at: Self.now, clocks)
        }
        let today = Day(of: Self.now)
        func taken(_ days: Int) -> LoggedDose {
            LoggedDose(id: UUID(), plan: UUID(), status: .taken, at: Self.now.adding(minutes: -1_440 * days))
        }
        #expect(try use { _ in } == .active)
        #expect(try Self.plan("A", from: 6).use(at: Self.now, clocks) == .active)
        #expect(try Self.plan("A", from: 9).use(at: Self.now, clocks) == .ahead(WallMoment(day: today.adding(days: 9))))
        // What was stopped is named for five weeks, because it may still act.
        for (days, isNamed) in [(0, true), (35, true), (36, false)] {
            let day = today.adding(days: -days)
            let expected: PlanUse = isNamed ? .stopped(day) : .inactive
            #expect(try use { $0.plan.stopped = WallMoment(day: day) } == expected, "\(days)")
            #expect(try use { $0.ended = day } == expected, "\(days)")
        }
        for (days, expected) in [(8, PlanUse.stopped(today.adding(days: -8))), (40, .inactive)] {
            let end = WallMoment(day: today.adding(days: -days))
            #expect(try use { $0.plan.rules[0].until = end } == expected, "\(days)")
        }
        #expect(try use { $0.plan.pauses = [PlanPause(from: WallMoment(day: today))] } == .paused)
        func pause(days: Int) -> PlanPause {
            PlanPause(from: WallMoment(day: today), until: WallMoment(day: today.adding(days: days)))
        }
        #expect(try use { $0.plan.pauses = [pause(days: 9)] } == .paused)
        #expect(try use { $0.plan.pauses = [pause(days: 6)] } == .active)
        let monthly = PlanRule(
            id: UUID(),
            from: WallMoment(day: today.adding(days: -90)),
            pattern: .days(
                DayFilter(everyDays: 91, anchor: today.adding(days: -45)),
                times: [DoseTime(id: UUID(), at: try WallTime(parsing: "08:00"), intake: Intake())]
            ),
            recordedAt: .epoch
        )
        #expect(try use { $0.plan.rules = [monthly] } == .active)
        #expect(try use { ($0.plan.stopped, $0.doses) = (WallMoment(day: today), [taken(13)]) } == .active)
        #expect(try use { ($0.plan.stopped, $0.doses) = (WallMoment(day: today), [taken(14)]) } == .stopped(today))
        #expect(try use { $0.plan.rules = [] } == .unknown)
        #expect(try use { ($0.plan.rules, $0.began) = ([], today.adding(days: -13).startInstant) } == .active)
        #expect(try use { ($0.plan.rules, $0.began) = ([], today.adding(days: -15).startInstant) } == .unknown)
        let needed = PlanRule(
            id: UUID(),
            from: WallMoment(day: today.adding(days: -90)),
            pattern: .asNeeded(Intake()),
            recordedAt: .epoch
        )
        #expect(try use { $0.plan.rules = [needed] } == .active)
        #expect(try use { ($0.plan.rules, $0.plan.stopped) = ([needed], WallMoment(day: today)) } == .stopped(today))
    }

    // MARK: - Properties

    private static let names = (0..<12).map { "substance \($0)" }

    /// Random rules of every kind over a few substances.
    private static func rules(_ random: inout SeededGenerator, name: String) throws -> RuleSet {
        var classes: [String: [String]] = [:]
        for number in 0..<4 { classes["c\(number)"] = names.filter { _ in random.bool() } + ["food \(number)"] }
        func term(_ random: inout SeededGenerator) throws -> String {
            random.bool() ? "class:c\(random.below(4))" : try random.pick(names)
        }
        var rules: [InteractionRule] = []
        for number in 0..<random.int(1...12) {
            let kind = try random.pick(InteractionRule.Kind.allCases)
            let isGroup = kind == .duplicate
            rules.append(
                rule(
                    "rule \(number)",
                    kind,
                    isGroup ? "class:c\(random.below(4))" : try term(&random),
                    isGroup || kind == .maximum ? nil : try term(&random),
                    try random.pick(InteractionSeverity.allCases),
                    isStanding: kind == .food && random.bool(),
                    limit: SubstanceAmount(ExactDecimal(coefficient: Int64(random.int(1...9)), scale: 0), .mass)
                )
            )
        }
        return set(rules, classes: classes, synonyms: ["other name": names[0]], name: name)
    }

    private static func input(_ random: inout SeededGenerator) throws -> CheckInput {
        var plans: [CheckedPlan] = []
        for number in 0..<random.int(0...6) {
            let amount = SubstanceAmount(ExactDecimal(coefficient: Int64(random.int(1...3)), scale: 0), .mass)
            var plan = try plan("plan \(number)", daily: "08:00=1,20:00=2", strength: amount, id: random.id())
            plan.substances = try (0..<random.below(3))
                .map { _ in
                    CheckedPlan.Substance(name: try random.pick(names + ["Other Name", "unknown"]), strength: amount)
                }
            plan.doses = (0..<random.below(3))
                .map { _ in .taken(at: now.adding(minutes: -random.below(3_000)), &random) }
            plans.append(plan)
        }
        let allergies = try (0..<random.below(3))
            .map { _ in CheckedAllergy(id: random.id(), name: try random.pick(names + ["c1", "food 2"])) }
        let meals = (0..<random.below(3))
            .map { _ in
                CheckedMeal(
                    id: random.id(),
                    at: now.adding(minutes: -random.below(3_000)),
                    foods: ["food \(random.below(5))", "a food \(random.below(5)) of it"],
                    watchedFor: random.bool() ? ["food 3"] : []
                )
            }
        return CheckInput(plans: plans, allergies: allergies, meals: meals)
    }

    @Test("The order of the inputs does not matter, and a check that is repeated finds the same")
    func order() throws {
        try checkProperty("order of the inputs", times: 200) { random, comment in
            let sets = [try Self.rules(&random, name: "one"), try Self.rules(&random, name: "two")]
            var input = try Self.input(&random)
            let clocks = try Self.clocks()
            func check(_ input: CheckInput, _ sets: [RuleSet]) -> CheckResult {
                checkInteractions(input, RuleIndex(sets), at: Self.now, clocks, namespace: Self.namespace)
            }
            let first = check(input, sets)
            #expect(check(input, sets) == first, comment)
            input.plans.shuffle(using: &random)
            input.allergies.shuffle(using: &random)
            input.meals.shuffle(using: &random)
            #expect(check(input, sets.reversed()) == first, comment)
            #expect(Set(first.findings.map(\.id)).count == first.findings.count, comment)
            #expect(first.findings.map(\.severity) == first.findings.map(\.severity).sorted(by: >), comment)
        }
    }

    @Test("An unrelated plan changes no other finding, and another record has other ids")
    func unrelated() throws {
        try checkProperty("an unrelated plan", times: 200) { random, comment in
            let index = RuleIndex([try Self.rules(&random, name: "one")])
            var input = try Self.input(&random)
            let clocks = try Self.clocks()
            let before = checkInteractions(input, index, at: Self.now, clocks, namespace: Self.namespace)
            let plan = try Self.plan("unrelated", "unrelated", id: random.id())
            input.plans.insert(plan, at: random.below(input.plans.count + 1))
            let after = checkInteractions(input, index, at: Self.now, clocks, namespace: Self.namespace)
            #expect(after.findings == before.findings, comment)
            #expect(after.notChecked == (before.notChecked + ["unrelated"]).sorted(), comment)
            let other = checkInteractions(input, index, at: Self.now, clocks, namespace: random.id())
            #expect(Set(other.findings.map(\.id)).isDisjoint(with: after.findings.map(\.id)), comment)
            for finding in after.findings {
                #expect(throws: Never.self, comment) { try finding.content(at: Self.now).validate(now: Self.now) }
            }
        }
    }

    @Test("The greatest sum of a day is that of a slow search")
    func dailySums() throws {
        try checkProperty("daily sums", times: 300) { random, comment in
            let intakes = (0..<random.below(9))
                .map { _ in
                    SubstanceIntake(
                        at: Self.now.adding(minutes: random.below(6) * 720),
                        amount: ExactDecimal(coefficient: Int64(random.below(50)), scale: 1)
                    )
                }
            let sums = intakes.map { end in
                intakes.filter { $0.at <= end.at && $0.at > end.at.adding(minutes: -1_440) }
                    .reduce(ExactDecimal.zero) { $0.adding($1.amount) ?? $0 }
            }
            #expect(SubstanceIntake.greatestDailySum(of: intakes) == sums.max(), comment)
        }
    }
}
