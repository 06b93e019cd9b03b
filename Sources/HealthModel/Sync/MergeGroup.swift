package import FoundationEssentials

/// The parts of an entry's content that a merge takes from one side together.
///
/// The parts of one group are never mixed from two people, so that no dosage arises that no one wrote.
package struct MergeGroup: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case date
        case comment
        case voiceEntryUsed
        case extra
        case field(UInt32)
        /// One food of a meal, by its id.
        case food(UUID)
    }

    package let parts: [Part]

    /// Returns the groups of entries of a kind, for contents whose fields this program may not all know.
    package static func all(of kind: Kind, in contents: [EntryContent]) -> [MergeGroup] {
        let bound = bound(of: kind)
        let taken = Set(bound.flatMap(\.parts))
        var single: [Part] = [.date, .comment, .voiceEntryUsed, .extra]
        let numbers = Set(kind.fields.map(\.number) + contents.flatMap { $0.body.items.map(\.number) })
        single += numbers.sorted().map { .field($0) }
        return bound + single.filter { !taken.contains($0) }.map { MergeGroup(parts: [$0]) }
    }

    /// Returns the groups of a merge of two contents that have a common base: the foods of a meal are separate groups if
    /// both changed them.
    package static func merging(base: EntryContent, _ left: EntryContent, _ right: EntryContent) -> [MergeGroup] {
        let contents = [base, left, right]
        let groups = all(of: left.kind, in: contents)
        let foods = MergeGroup(parts: [.field(Meal.foods.number)])
        let ids = contents.compactMap(\.foodIDs)
        guard ids.count == contents.count, !base.agrees(with: left, on: foods), !base.agrees(with: right, on: foods)
        else { return groups }
        let each = Set(ids.joined()).sorted { $0.text < $1.text }.map { MergeGroup(parts: [.food($0)]) }
        return groups.filter { $0 != foods } + each
    }

    /// Whether the group is one food of a meal.
    package var isFood: Bool {
        if case .food? = parts.first { true } else { false }
    }

    /// The group of all parts, for contents that are not valid when they are mixed.
    package static func whole(of kind: Kind, in contents: [EntryContent]) -> MergeGroup {
        MergeGroup(parts: all(of: kind, in: contents).flatMap(\.parts))
    }

    /// The groups of more than one part.
    private static func bound(of kind: Kind) -> [MergeGroup] {
        func group(_ fields: [Field], and parts: [Part] = []) -> MergeGroup {
            MergeGroup(parts: parts + fields.map { .field($0.number) })
        }
        switch kind {
        case Drug.kind, Supplement.kind:
            // A dosage is that of one product: its name and form belong to it.
            let product = [
                Drug.name, SharedFields.codes, Drug.dosage, Drug.rawText, PlanFields.form, PlanFields.route,
                PlanFields.frequency,
            ]
            let brand = kind == Supplement.kind ? [Supplement.brand] : []
            return [group(product + brand + PlanFields.dosing)]
        case Dose.kind:
            let fields = [
                Dose.of, Dose.slot, Dose.planned, Dose.plannedAmount, Dose.status, Dose.amount, Dose.reason,
                Dose.reasonText, Dose.stated,
            ]
            return [group(fields, and: [.date])]
        case Supply.kind: return [group([Supply.of, Supply.what, Supply.amount, Supply.unit])]
        case Zone.kind: return [group([Zone.zone], and: [.date])]
        case Weight.kind: return [group([Weight.value, Weight.unit])]
        case MeasuredValue.kind: return [group([MeasuredValue.value, MeasuredValue.unit, MeasuredValue.parts])]
        case Blood.kind:
            // A range is that of the unit and of the laboratory's method.
            let range = [Blood.low, Blood.high, Blood.normal, Blood.flag]
            return [group([Blood.name, Blood.value, Blood.unit, SharedFields.codes] + range)]
        case Cost.kind: return [group([Cost.amount, Cost.currency])]
        case Interaction.kind: return [group([Interaction.resolved, Interaction.resolution])]
        case Document.kind: return [group(kind.fields)]
        default:
            guard kind.fields.contains(SharedFields.codes), let name = kind.fields.first else { return [] }
            return [group([name, SharedFields.codes])]
        }
    }
}

extension MergeGroup.Part {
    /// The name under which a divergence mentions the part.
    package func name(in kind: Kind) -> String {
        switch self {
        case .date: "date"
        case .comment: "comment"
        case .voiceEntryUsed: "voiceEntryUsed"
        case .extra: "extra"
        case .field(let number): kind.fields.first { $0.number == number }?.name ?? "#\(number)"
        case .food(let id): "\(Meal.foods.name).\(id.text)"
        }
    }
}

extension MergeGroup {
    /// Returns the names of the parts in which two contents differ.
    package func names(where left: EntryContent, differsFrom right: EntryContent) -> [String] {
        let names = parts.filter { left[$0] != right[$0] }.map { $0.name(in: left.kind) }
        // Only the guessed fields differ.
        return names.isEmpty ? parts.prefix(1).map { $0.name(in: left.kind) } : names
    }
}

/// The value of one part of a content.
package enum PartValue: Hashable, Sendable {
    case date(OccurredDate)
    case text(String)
    case flag(Bool)
    case extra([Extra])
    case field(FieldValue)
}

extension EntryContent {
    /// The value of a part; nil if it is absent or empty.
    package subscript(part: MergeGroup.Part) -> PartValue? {
        switch part {
        case .date: date.map { .date($0) }
        case .comment: comment.isEmpty ? nil : .text(comment)
        case .voiceEntryUsed: voiceEntryUsed ? .flag(true) : nil
        case .extra: extra.isEmpty ? nil : .extra(extra)
        case .field(let number): body[number: number].map { .field($0) }
        case .food(let id): food(id).map { .field(.group($0)) }
        }
    }

    /// Reports whether two contents have the same values in a group, given and guessed ones.
    package func agrees(with other: EntryContent, on group: MergeGroup) -> Bool {
        group.parts.allSatisfy { self[$0] == other[$0] } && guessed(of: group) == other.guessed(of: group)
    }

    /// Replaces the values of a group by those of another content.
    package mutating func take(_ group: MergeGroup, from other: EntryContent) {
        if agrees(with: other, on: group) { return }
        for part in group.parts {
            switch part {
            case .date: date = other.date
            case .comment: comment = other.comment
            case .voiceEntryUsed: voiceEntryUsed = other.voiceEntryUsed
            case .extra: extra = other.extra
            case .field(let number): body[number: number] = other.body[number: number]
            case .food(let id): setFood(id, to: other.food(id))
            }
        }
        let names = (guessed(of: group), other.guessed(of: group))
        if names.0 != names.1 { inferred = (inferred.filter { !names.0.contains($0) } + names.1).sorted() }
    }

    /// The names of fields of a group whose values were guessed, sorted.
    private func guessed(of group: MergeGroup) -> [String] {
        if inferred.isEmpty { return [] }
        let names = Set(group.parts.map { $0.name(in: kind) })
        return inferred.filter { path in names.contains { path == $0 || path.hasPrefix($0 + ".") } }.sorted()
    }

    /// The foods of a meal by their ids; nil if not all have different ids.
    package var foodIDs: [UUID]? {
        guard kind == Meal.kind else { return nil }
        let foods = body.groups(Meal.foods)
        let ids = foods.compactMap { $0.id(Meal.Food.id) }
        return ids.count == foods.count && Set(ids).count == ids.count ? ids : nil
    }

    private func food(_ id: UUID) -> FieldValues? {
        body.groups(Meal.foods).first { $0.id(Meal.Food.id) == id }
    }

    private mutating func setFood(_ id: UUID, to food: FieldValues?) {
        var foods = body.groups(Meal.foods)
        switch (foods.firstIndex { $0.id(Meal.Food.id) == id }, food) {
        case (let index?, let food?): foods[index] = food
        case (let index?, nil): foods.remove(at: index)
        case (nil, let food?): foods.append(food)
        case (nil, nil): break
        }
        body[Meal.foods] = .list(foods.map { .group($0) })
    }

    /// Sorts the foods that a base does not have by their ids, after those that it has, so that the order in which two
    /// devices are merged does not matter.
    mutating func sortFoods(after base: [UUID]) {
        let places = Dictionary(uniqueKeysWithValues: base.enumerated().map { ($0.element, $0.offset) })
        let foods = body.groups(Meal.foods)
            .sorted { left, right in
                let ids = (left.id(Meal.Food.id), right.id(Meal.Food.id))
                let order = (ids.0.flatMap { places[$0] } ?? .max, ids.1.flatMap { places[$0] } ?? .max)
                return order.0 == order.1 ? (ids.0?.text ?? "") < (ids.1?.text ?? "") : order.0 < order.1
            }
        body[Meal.foods] = .list(foods.map { .group($0) })
    }
}
