/// A meal, with the foods that were eaten.
///
/// The entry's date is the time of the meal.
package enum Meal {
    package static let mealType = Field(
        1,
        "mealType",
        "Meal",
        .choice(["breakfast", "lunch", "dinner", "snack"]),
        isRequired: true
    )
    package static let foods = Field(2, "foods", "Foods", .list(of: .group(Food.all), maximum: 100))
    /// The foods that the person avoids and wants to be warned of.
    package static let allergies = Field(
        3,
        "allergies",
        "Allergies to watch for",
        .list(of: .text(maximum: Limits.line), maximum: 100)
    )
    package static let scheduledTime = Field(4, "scheduledTime", "Planned for", .instant)
    package static let actualTime = Field(5, "actualTime", "Eaten at", .instant)

    /// The fields of a food.
    package enum Food {
        package static let id = Field(1, "id", "Id", .id)
        package static let name = Field(2, "name", "Name", .text(maximum: Limits.line), isRequired: true)
        package static let quantity = Field(3, "quantity", "Quantity", .text(maximum: Limits.line))
        /// In kilocalories.
        package static let calories = Field(4, "calories", "Energy (kcal)", .integer(0...100_000))
        package static let notes = Field(5, "notes", "Notes", .text(maximum: Limits.paragraphs))

        static let all = [id, name, quantity, calories, notes]
    }

    /// Returns the energy of all foods in kilocalories; nil if it is unknown for any of them, or if there are none.
    package static func energy(of meal: EntryContent) -> Int64? {
        guard meal.kind == kind else { return nil }
        let foods = meal.body.groups(Meal.foods)
        let energies = foods.compactMap { $0.integer(Food.calories) }
        return foods.isEmpty || energies.count < foods.count ? nil : energies.reduce(0, +)
    }

    package static let kind = Kind(
        code: 25,
        name: "meal",
        label: "Meal",
        plural: "Meals",
        section: .myhealth,
        fields: [mealType, foods, allergies, scheduledTime, actualTime],
        example: [
            "date": "2026-03-02T11:40:00Z", "mealType": "lunch", "foods.0.name": "Rice", "foods.0.quantity": "200 g",
            "foods.0.calories": "260",
        ]
    )
}
