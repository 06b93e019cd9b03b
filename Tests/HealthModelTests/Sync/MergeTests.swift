import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

/// The laws of merging changes that were made offline, over random contents.
@Suite struct MergeTests {
    @Test func aGroupThatOneSideChangedIsTakenFromThatSide() throws {
        try checkProperty("merge of different groups") { random, comment in
            let base = try random.content()
            let groups = MergeGroup.all(of: base.kind, in: [base])
            let other = try random.content(like: base)
            let split = groups.map { _ in random.bool() }
            var (mine, theirs, expected) = (base, base, base)
            for (group, isMine) in zip(groups, split) {
                if isMine { mine.take(group, from: other) } else { theirs.take(group, from: other) }
                expected.take(group, from: other)
            }
            let merge = Merge(base: base, theirs: theirs, mine: mine, .at(1)) { _ in .by(1, at: 2) }
            #expect(merge.conflicts.isEmpty, comment)
            for group in groups { #expect(merge.content.agrees(with: expected, on: group), comment) }
        }
    }

    /// S4: changes of different groups give one state in any order.
    @Test func theOrderOfChangesOfDifferentGroupsDoesNotMatter() throws {
        try checkProperty("order of merges") { random, comment in
            let base = try random.content()
            let groups = MergeGroup.all(of: base.kind, in: [base])
            let changes = try groups.shuffled(using: &random)
                .map { group in
                    var changed = base
                    changed.take(group, from: try random.content(like: base))
                    return changed
                }
            func merged(_ changes: [EntryContent]) -> EntryContent {
                changes.reduce(base) { state, mine in
                    Merge(base: base, theirs: state, mine: mine, .at(1)) { _ in .by(1, at: 2) }.content
                }
            }
            #expect(merged(changes) == merged(changes.reversed()), comment)
        }
    }

    /// Two versions of the same values give one state in either order: the later one.
    @Test func theLaterOfTwoVersionsIsShownInEitherOrder() throws {
        try checkProperty("two versions") { random, comment in
            let base = try random.content()
            let (first, second) = (try random.content(like: base), try random.content(like: base))
            let times = (random.int(0...3), random.int(0...3))
            let one = ChangeOrigin(madeAt: Instant(microseconds: Int64(times.0)), device: Example.id(1))
            let two = ChangeOrigin(madeAt: Instant(microseconds: Int64(times.1)), device: Example.id(2))
            let writers = (
                ChangeWriter(author: Example.anna, origin: one), ChangeWriter(author: Example.anna, origin: two)
            )
            let forward = Merge(base: base, theirs: first, mine: second, two) { _ in writers.0 }
            let backward = Merge(base: base, theirs: second, mine: first, one) { _ in writers.1 }
            for group in MergeGroup.all(of: base.kind, in: [base, first, second]) {
                #expect(forward.content.agrees(with: backward.content, on: group), comment)
            }
            #expect(Set(forward.conflicts.map(\.group)) == Set(backward.conflicts.map(\.group)), comment)
            // S3: each value is shown, or belongs to a conflict.
            for group in MergeGroup.merging(base: base, first, second) {
                for version in [first, second] where !version.agrees(with: base, on: group) {
                    let isShown = forward.content.agrees(with: version, on: group)
                    let conflicts = forward.conflicts.map(\.group)
                    #expect(isShown || conflicts.contains { !Set($0.parts).isDisjoint(with: group.parts) }, comment)
                }
            }
        }
    }

    /// S5: what is due after a merge is one side's, as a whole, with the name and the strength of what is taken.
    @Test(arguments: [Drug.kind, Supplement.kind]) func dosingIsOneSides(_ kind: Kind) throws {
        try checkProperty("dosing of \(kind.name)") { random, comment in
            func plan() throws -> EntryContent {
                EntryContent(kind: kind, body: try random.values(kind.fields), comment: random.text(upTo: 5))
            }
            let (base, theirs, mine) = (try plan(), try plan(), try plan())
            let later = random.bool()
            let merge = Merge(base: base, theirs: theirs, mine: mine, .at(later ? 3 : 1)) { _ in .by(1, at: 2) }
            let fields =
                PlanFields.dosing + [
                    Drug.name, Drug.dosage, Drug.rawText, SharedFields.codes, PlanFields.form, PlanFields.route,
                    PlanFields.frequency, Supplement.brand,
                ]
            func dosing(_ content: EntryContent) -> [FieldValue?] { fields.map { content.body[$0] } }
            #expect([base, theirs, mine].map(dosing).contains(dosing(merge.content)), comment)
        }
    }

    /// One side names another medication, the other changes the dosage: neither wrote the other one's dosage.
    @Test func aNameIsNotShownWithTheDosageOfAnother() throws {
        func plan(_ name: String, _ dosage: String, comment: String = "") throws -> EntryContent {
            var content = try Example.content(Drug.kind, [("name", name), ("dosage", dosage)])
            content.comment = comment
            return content
        }
        let base = try plan("Lisinopril", "1 tablet")
        let (renamed, doubled) = (try plan("Ramipril", "1 tablet"), try plan("Lisinopril", "2 tablets", comment: "x"))
        let merge = Merge(base: base, theirs: renamed, mine: doubled, .at(3)) { _ in .by(1, at: 2) }
        #expect(merge.content == doubled)
        #expect(merge.conflicts.count == 1)
        let backward = Merge(base: base, theirs: doubled, mine: renamed, .at(1)) { _ in .by(1, at: 2) }
        #expect(backward.content == doubled)
    }

    @Test func foodsOfTwoDevicesAreMerged() throws {
        func meal(_ foods: [(UInt8, String)]) throws -> EntryContent {
            var content = EntryContent(kind: Meal.kind)
            content.body[Meal.mealType] = .text("lunch")
            content.body[Meal.foods] = .list(
                foods.map { id, name in
                    var food = FieldValues()
                    food[Meal.Food.id] = .id(Example.id(id))
                    food[Meal.Food.name] = .text(name)
                    return .group(food)
                }
            )
            return content
        }
        let base = try meal([(9, "rice"), (8, "beans")])
        let (left, right) = (try meal([(9, "rice"), (8, "beans"), (2, "pear")]), try meal([(9, "rice"), (1, "plum")]))
        let expected = try meal([(9, "rice"), (1, "plum"), (2, "pear")])
        let forward = Merge(base: base, theirs: left, mine: right, .at(1)) { _ in .by(1, at: 2) }
        let backward = Merge(base: base, theirs: right, mine: left, .at(1)) { _ in .by(1, at: 2) }
        #expect(forward.content == expected)
        #expect(backward.content == expected)
        #expect(forward.conflicts.isEmpty)
        #expect(backward.conflicts.isEmpty)
    }
}

extension ChangeOrigin {
    static func at(_ time: Int64) -> ChangeOrigin {
        ChangeOrigin(madeAt: Instant(microseconds: time), device: Example.id(1))
    }
}

extension ChangeWriter {
    static func by(_ author: UInt8, at time: Int64) -> ChangeWriter {
        ChangeWriter(author: Example.id(author), origin: ChangeOrigin(madeAt: Instant(microseconds: time)))
    }
}

extension SeededGenerator {
    /// Returns random content of the same kind.
    mutating func content(like other: EntryContent) throws -> EntryContent {
        var content = EntryContent(kind: other.kind, body: try values(other.kind.fields))
        content.date = [nil, .day(day()), .instant(instant())][int(0...2)]
        if bool() { content.comment = text(upTo: 20) }
        content.voiceEntryUsed = bool()
        if bool() { content.inferred = ["date"] }
        return content
    }
}
