import Foundation
import TestSupport
import Testing

@testable import HealthModel

/// Sentences that are read into entries.
@Suite("Drafts")
struct DraftTests {
    private static let ibuprofen = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    private static let weak = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2))
    private static let syrup = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3))

    private static func plan(_ id: UUID, _ name: String, unit: String, strength: String? = nil) -> DraftPlan {
        var content = EntryContent(kind: Drug.kind)
        content.body[Drug.name] = .text(name)
        content.body[PlanFields.unit] = .text(unit)
        content.fillSubstance(
            from: .bundled,
            strength: strength.flatMap { try? ExactDecimal(parsing: $0) },
            unit: strength.map { _ in "mg" }
        )
        return DraftPlan(id: id, content) ?? DraftPlan(id: id, name: name)
    }

    private static let plans = [
        plan(ibuprofen, "Ibuprofen", unit: "tablet", strength: "400"), plan(syrup, "Cough Syrup", unit: "mL"),
    ]

    /// Reads a sentence on 2 March 2026 in Zurich, by default at 09:10.
    private static func read(
        _ text: String,
        at time: String = "09:10",
        plans: [DraftPlan] = plans
    ) throws -> Draft {
        let history = ZoneHistory(home: "Europe/Zurich", changes: [])
        let clock = try PersonClock(history, .real)
        let now = clock.moment(of: try WallMoment(parsing: "2026-03-02T\(time)")).instant
        return try Draft.read(text, names: DraftNames(plans: plans), now: DraftMoment(now, clock))
    }

    private static func date(_ draft: Draft) -> String? { draft.content?.date?.description }

    @Test(
        "A dose names its plan, its amount and its time",
        arguments: [
            ("took two ibuprofen 400 at half past eight", "2", "2026-03-02T07:30:00Z"),
            ("I took ibuprofen at 8:15", nil, "2026-03-02T07:15:00Z"),
            ("had half a tablet of ibuprofen twenty minutes ago", "0.5", "2026-03-02T07:50:00Z"),
            ("Took two ibuprofens at ten to nine", "2", "2026-03-02T07:50:00Z"),
            ("took ibuprofen just now", nil, "2026-03-02T08:10:00Z"),
            ("took 3 pills of Ibuprofen yesterday at 10 pm", "3", "2026-03-01T21:00:00Z"),
            ("took ibuprofen at eleven", nil, "2026-03-01T22:00:00Z"),
            ("took 2 ibuprofen at eight thirty", "2", "2026-03-02T07:30:00Z"),
            ("took ibuprofen last night at ten", nil, "2026-03-01T21:00:00Z"),
        ]
    )
    func doses(text: String, amount: String?, date: String) throws {
        let draft = try Self.read(text)
        let content = try #require(draft.content)
        #expect(content.kind == Dose.kind)
        #expect(content.body.id(Dose.of) == Self.ibuprofen)
        #expect(content.body.text(Dose.status) == "taken")
        #expect(content.body.decimal(Dose.amount)?.description == amount)
        #expect(Self.date(draft) == date)
        #expect(draft.rest.isEmpty)
        #expect(draft.outcome == .understood)
    }

    @Test(
        "A number that may mean something else is not an amount",
        arguments: [
            "took .5 mg ibuprofen", "took 1/2 tablet of ibuprofen", "took 1½ tablets of ibuprofen",
            "took a quarter of a tablet of ibuprofen", "took 2-3 tablets of ibuprofen", "took 0,125 mg ibuprofen",
            "took one thousand mg ibuprofen", "took ibuprofen 400", "took 1 g ibuprofen", "took ibuprofen 2 tablets",
            "took 800 mg of ibuprofen", "took 10 ml of cough syrup", "took two spoons of cough syrup",
            "took two cough syrup", "took 1,000 ibuprofen", "took 1'000 ibuprofen", "took 1 000 ibuprofen",
            "took two or three ibuprofen", "took one to two tablets of ibuprofen", "took 2 – 3 ibuprofen",
            "took one and a half ibuprofens", "took two and half a tablet of ibuprofen", "took 2.5 ibuprofen",
            "took zero point five tablets of ibuprofen", "took twenty two tablets of ibuprofen", "took 12 ibuprofen",
            "took two ibuprofen twice", "took two ibuprofen ½", "took two thirds of a tablet of ibuprofen",
            "took 5% drops of ibuprofen", "took two hundred ibuprofen", "took two doses of ibuprofen",
            "took ibuprofen and two tablets of zufirin", "took half a dozen ibuprofen", "took about two ibuprofen 3 4",
        ]
    )
    func doubtful(text: String) throws {
        let draft = try Self.read(text)
        let content = try #require(draft.content)
        #expect(content.kind == Dose.kind)
        #expect(content.body.id(Dose.of) != nil)
        #expect(content.body.decimal(Dose.amount) == nil, "\(draft.understood)")
    }

    @Test("The strength of a new plan is not read from doubtful numbers")
    func doubtfulStrength() throws {
        for text in [
            ".5 mg lorazepam every evening", "lorazepam 1/2 mg every evening", "lorazepam 0,125 mg every evening",
            "lorazepam 2-3 mg every evening", "lorazepam one thousand mg every evening",
            "lorazepam two fifty mg every evening", "lorazepam 5 to 10 mg every evening",
        ] {
            let content = try #require(Self.read(text).content, "\(text)")
            #expect(content.body.text(Drug.name) == "Lorazepam", "\(text)")
            #expect(content.body.text(Drug.dosage) == nil, "\(text)")
            let strengths = content.body.groups(PlanFields.substances)
                .compactMap { $0.decimal(PlanFields.Substance.strength) }
            #expect(strengths.isEmpty, "\(text)")
        }
    }

    @Test(
        "A negation is never a dose",
        arguments: [
            "I haven't taken my ibuprofen", "I haven’t taken my ibuprofen", "I havenʼt taken my ibuprofen",
            "I havent taken my ibuprofen", "I haven t taken my ibuprofen", "didn't take ibuprofen",
            "I have not had ibuprofen", "never took ibuprofen", "took no ibuprofen", "I didn't forget ibuprofen",
            "I haven't missed ibuprofen", "forgot ibuprofen but took it later", "I haven't taken my warfarin",
        ]
    )
    func negations(text: String) throws {
        let draft = try Self.read(text)
        #expect(draft.content == nil)
        #expect(draft.outcome == .nothing)
    }

    @Test("A dose that was forgotten or missed was skipped")
    func forgotten() throws {
        for text in ["forgot ibuprofen at 8", "I missed my ibuprofen this morning"] {
            let content = try #require(Self.read(text).content)
            #expect(content.body.text(Dose.status) == "skipped")
            #expect(content.body.decimal(Dose.amount) == nil)
        }
    }

    @Test("The time of a dose is one of the person's clock; there is none if the sentence does not say it")
    func wallTime() throws {
        #expect(try Self.read("took ibuprofen yesterday at 10 pm").wall?.description == "2026-03-01T22:00")
        #expect(try Self.read("took ibuprofen").wall == nil)
    }

    @Test(
        "A plan with a word about time that was not understood has no rules",
        arguments: [
            "adalimumab 40 mg every 2 weeks at 9", "adalimumab 40 mg twice weekly", "adalimumab 40 mg monthly at 9",
            "adalimumab 40 mg every other monday at 9", "adalimumab 40 mg every fortnight at 9",
            "adalimumab 40 mg every 2-3 days", "adalimumab 40 mg monday to friday", "adalimumab 40 mg every ½ day",
            "adalimumab 40 mg at 9 once every three months",
        ]
    )
    func unreadTime(text: String) throws {
        let draft = try Self.read(text)
        let content = try #require(draft.content)
        #expect(content.body.text(Drug.name) == "Adalimumab")
        let recorded = Plan.Recorded(at: Instant(microseconds: 0), day: Day(daysSince1970: 0))
        let plan = Plan(id: Self.weak, content) { _ in recorded }
        #expect(plan.rules.isEmpty)
        #expect(draft.understood.allSatisfy { ["name", "dosage"].contains($0.field) })
    }

    @Test("A strength chooses between two plans of one substance; without it, the name is not understood")
    func twoPlans() throws {
        let plans = Self.plans + [Self.plan(Self.weak, "Ibuprofen", unit: "tablet", strength: "200")]
        let exact = try Self.read("took two ibuprofen 200", plans: [Self.plans[0], plans[2]].map(Self.renamed))
        #expect(exact.content?.body.id(Dose.of) == Self.weak)
        let unclear = try Self.read("took two ibuprofen", plans: [Self.plans[0], plans[2]].map(Self.renamed))
        #expect(unclear.content?.body.id(Dose.of) == nil)
        #expect(unclear.rest == ["two", "ibuprofen"])
        #expect(unclear.content?.body.decimal(Dose.amount) == nil)
        #expect(unclear.outcome == .partly)
    }

    private static func renamed(_ plan: DraftPlan) -> DraftPlan {
        DraftPlan(id: plan.id, name: "Brand \(plan.id.text.suffix(1))", unit: plan.unit, substances: plan.substances)
    }

    @Test("A dose of something that the record does not have names it")
    func missing() throws {
        for (text, name) in [("took two aspirin at 8", "Aspirin"), ("took a Zufirin Forte at 8", "Zufirin Forte")] {
            let draft = try Self.read(text)
            #expect(draft.missingPlan == name)
            #expect(draft.content?.kind == Dose.kind)
            #expect(draft.content?.body.id(Dose.of) == nil)
            #expect(draft.outcome == .partly)
        }
    }

    @Test("A dose that was skipped has a reason")
    func skipped() throws {
        let draft = try Self.read("skipped ibuprofen this morning because I felt sick")
        #expect(draft.content?.body.text(Dose.status) == "skipped")
        #expect(draft.content?.body.text(Dose.reason) == "unwell")
        #expect(draft.content?.body.text(Dose.reasonText) == "I felt sick")
        #expect(draft.content?.body.id(Dose.of) == Self.ibuprofen)
        #expect(draft.content?.inferred == ["date"])
    }

    @Test(
        "A plan has its name, strength and times",
        arguments: [
            ("lisinopril 10 mg every morning", "drug", "Lisinopril", "10 mg", "daily 08:00"),
            ("metformin 500 mg twice a day with meals", "drug", "Metformin", "500 mg", "daily 08:00,20:00"),
            ("vitamin d 1000 iu daily", "supplement", "Vitamin d", "1000 IU", "daily 08:00"),
            ("start one tablet of ramipril 5 mg every other day", "drug", "Ramipril", "5 mg", "days 2@08:00=1"),
            (
                "two capsules of amoxicillin 500 mg three times a day for 7 days", "drug", "Amoxicillin", "500 mg",
                "daily 08:00=2,12:30=2,18:30=2"
            ),
            ("methotrexate 10 mg every monday at 9", "drug", "Methotrexate", "10 mg", "weekdays mon@09:00"),
            ("take paracetamol 500 mg as needed", "drug", "Paracetamol", "500 mg", "as needed"),
            ("zopiclone 7.5 mg at bedtime every day", "drug", "Zopiclone", "7.5 mg", "daily 22:00"),
            ("start Zufirin every evening", "drug", "Zufirin", nil, "daily 18:30"),
        ]
    )
    func plan(text: String, kind: String, name: String, dosage: String?, pattern: String) throws {
        let draft = try Self.read(text)
        let content = try #require(draft.content)
        #expect(content.kind.name == kind)
        #expect(content.body.text(Drug.name) == name)
        #expect(content.body.text(Drug.dosage) == dosage)
        let recorded = Plan.Recorded(at: Instant(microseconds: 0), day: Day(daysSince1970: 0))
        let plan = Plan(id: Self.weak, content) { _ in recorded }
        #expect(plan.rules.map(\.pattern.description) == [pattern])
        #expect(draft.rest.isEmpty, "\(draft.rest)")
        if text.contains("7 days") { #expect(plan.rules[0].until?.description == "2026-03-09") }
        if text.contains("meals") { #expect(plan.rules[0].pattern.isWithMeal) }
    }

    @Test(
        "A weight has its number and unit",
        arguments: [
            ("weight 75.4 kilos", "75.4", "kg"), ("I weigh 165 pounds this morning", "165", "lb"),
            ("weighed seventy five point four kg", "75.4", "kg"), ("weight 75,4", "75.4", nil),
        ]
    )
    func weights(text: String, value: String, unit: String?) throws {
        let content = try #require(Self.read(text).content)
        #expect(content.kind == Weight.kind)
        #expect(content.body.decimal(Weight.value)?.description == value)
        #expect(content.body.text(Weight.unit) == unit)
        #expect(try Self.read(text).rest.isEmpty)
    }

    @Test(
        "A meal has its foods",
        arguments: [
            ("had oatmeal and a banana for breakfast", "breakfast", ["oatmeal", "banana"]),
            ("ate 200 g of rice, two eggs and salad for dinner", "dinner", ["200 g rice", "2 eggs", "salad"]),
            ("garlic bread with a glass of milk for lunch", "lunch", ["garlic bread", "1 glass milk"]),
            ("I ate an apple", nil, ["apple"]), ("had pizza", nil, ["pizza"]),
        ]
    )
    func meals(text: String, type: String?, foods: [String]) throws {
        let draft = try Self.read(text)
        let content = try #require(draft.content)
        #expect(content.kind == Meal.kind)
        #expect(content.body.text(Meal.mealType) == type)
        let found = content.body.groups(Meal.foods)
            .map { food in
                [food.text(Meal.Food.quantity), food.text(Meal.Food.name)].compactMap(\.self).joined(separator: " ")
            }
        #expect(found == foods)
        #expect(draft.rest.isEmpty)
    }

    @Test("What is not understood is listed, and a sentence without words is refused")
    func rest() throws {
        let draft = try Self.read("took ibuprofen at 8 beside the purple elephant")
        #expect(draft.content?.body.id(Dose.of) == Self.ibuprofen)
        #expect(draft.rest == ["beside", "purple", "elephant"])
        #expect(draft.outcome == .partly)
        let nothing = try Self.read("the weather is fine")
        #expect(nothing.content == nil)
        #expect(nothing.outcome == .nothing)
        for text in ["", "  ", "?!"] {
            #expect {
                try Self.read(text)
            } throws: { error in
                (error as? ModelError)?.code == .invalid && (error as? ModelError)?.field == "text"
            }
        }
        #expect(throws: ModelError.self) { try Self.read(String(repeating: "a", count: 1_001)) }
    }

    @Test("Any sentence can be read, and each word is understood or listed at most once")
    func random() throws {
        let words = [
            "took", "two", "ibuprofen", "400", "mg", "at", "half", "past", "eight", "for", "breakfast", "and", "a",
            "of", "every", "morning", "weight", "75.4", "kilos", "yesterday", "ago", "hours", "to", "quarter", ",",
            "10:30", "skipped", "because", "tablets", "vitamin", "d", "twice", "day", "9999999999999", "point",
            "mondays",
            "hundred", "as", "needed", "with", "had", "rice", "pm", "o'clock", "days",
        ]
        try checkProperty("sentences", times: 300) { random, comment in
            let text = try (0..<random.int(1...14)).map { _ in try random.pick(words) }.joined(separator: " ")
            guard text.contains(where: \.isLetter) || text.contains(where: \.isNumber) else { return }
            let draft = try Self.read(text)
            let heard = draft.understood.flatMap { $0.heard.split(separator: " ") }.filter { $0 != "…" }
            let all = text.split(separator: " ").filter { $0 != "," }
            #expect(heard.count + draft.rest.count <= all.count, comment)
            guard var content = draft.content else { return }
            // The person completes these.
            if content.kind == Dose.kind { content.body[Dose.of] = .id(Self.ibuprofen) }
            if content.kind == Meal.kind { content.body[Meal.mealType] = .text("lunch") }
            // What was filled in is valid, as far as it can be.
            try content.validate(now: Instant(microseconds: 4_000_000_000_000_000))
        }
    }
}

extension PlanRule.Pattern {
    fileprivate var isWithMeal: Bool {
        if case .days(_, let times) = self { times.allSatisfy(\.intake.withMeal) } else { false }
    }
}
