/// Meals.
extension DraftReader {
    /// Reads a meal and its foods.
    mutating func meal() -> EntryContent? {
        var content = EntryContent(kind: Meal.kind)
        let occurrence = occurrence()
        content.date = .instant(occurrence?.instant ?? now.instant)
        if occurrence?.isGuess ?? true { content.inferred = ["date"] }
        for index in words.indices where isFree(index) {
            guard let meal = vocabulary.meals[words[index].text] else { continue }
            content.body[Meal.mealType] = .text(meal)
            understand(index..<index + 1, as: Meal.mealType.name, meal)
            for before in [index - 1, index - 2] where ["for", "at", "as", "my", "a", "was"].contains(word(before)) {
                use(before..<before + 1)
            }
            break
        }
        for index in words.indices where isFree(index) && vocabulary.ate.contains(words[index].text) {
            use(index..<index + 1)
        }
        let parts = foods()
        var foods: [FieldValue] = []
        for (place, range) in parts.enumerated() where foods.count < 100 {
            guard let food = food(in: range, place) else { continue }
            foods.append(.group(food))
        }
        content.body[Meal.foods] = .list(foods)
        return foods.isEmpty && content.body[Meal.mealType] == nil ? nil : content
    }

    /// The parts of the sentence between its commas and the words for `and`.
    private func foods() -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start: Int?
        for index in words.indices {
            let isSeparator = !isFree(index) || ["and", "with", "plus"].contains(words[index].text)
            if let first = start, isSeparator || words[index].isAfterBreak {
                parts.append(first..<index)
                start = nil
            }
            if !isSeparator, start == nil { start = index }
        }
        if let start { parts.append(start..<words.count) }
        return parts
    }

    private mutating func food(in range: Range<Int>, _ place: Int) -> FieldValues? {
        var start = range.lowerBound
        while start < range.upperBound, ["i", "some", "the", "my", "for", "also", "then"].contains(words[start].text) {
            start += 1
        }
        var food = FieldValues()
        if let number = number(at: start), number.end <= range.upperBound {
            let unit = number.end < range.upperBound ? words[number.end].text : ""
            if vocabulary.foodUnits.contains(unit) {
                food[Meal.Food.quantity] = .text("\(number.value) \(words[number.end].heard)")
                start = number.end + 1
            } else {
                if !number.isArticle { food[Meal.Food.quantity] = .text(number.value.description) }
                start = number.end
            }
            if start < range.upperBound, words[start].text == "of" { start += 1 }
        }
        guard start < range.upperBound else { return nil }
        let name = words[start..<range.upperBound].map(\.heard).joined(separator: " ")
        food[Meal.Food.name] = .text(name)
        let quantity = food.text(Meal.Food.quantity).map { "\($0) " } ?? ""
        understand(range, as: "\(Meal.foods.name).\(place)", quantity + name)
        return food
    }
}
