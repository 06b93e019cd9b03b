package import FoundationEssentials

/// Which services a specialist likes to do, on which day of the week.
///
/// It orders times that are equal otherwise, and binds nothing.
package struct AvailabilityPreference: Hashable, Sendable {
    package var service: UUID
    /// Nil for every day.
    package var weekday: Weekday?
    /// From -2 (rather not) to 2 (gladly).
    package var weight: Int

    package static let weights = -2...2
    package static let maximum = 20

    package init(service: UUID, weekday: Weekday? = nil, weight: Int) {
        self.service = service
        self.weekday = weekday
        self.weight = weight
    }

    /// Throws an error if there are too many preferences, a weight is out of range, or one is stated twice.
    package static func validate(_ preferences: [AvailabilityPreference]) throws(ModelError) {
        if preferences.count > maximum {
            throw ModelError(.invalid, field: "preferences", "has more than \(maximum) preferences")
        }
        guard preferences.allSatisfy({ weights.contains($0.weight) }) else {
            throw ModelError(.invalid, field: "preferences", "a weight must be between -2 and 2")
        }
        let stated = preferences.map { AvailabilityPreference(service: $0.service, weekday: $0.weekday, weight: 0) }
        if Set(stated).count < stated.count {
            throw ModelError(.invalid, field: "preferences", "a service is named twice for the same day")
        }
    }
}

extension AvailabilityPreference: EventListElement {
    private static let serviceField = Field(1, "service", "Service", .id, isRequired: true)
    private static let weekdayField = Field(2, "weekday", "Weekday", .choice(Weekday.allCases.map(\.name)))
    private static let weightField = Field(3, "weight", "Weight", .integer(-2...2), isRequired: true)

    package static var listType: FieldType {
        .list(of: .group([serviceField, weekdayField, weightField]), maximum: maximum)
    }

    package static func listValue(_ preferences: [AvailabilityPreference]) -> FieldValue {
        .list(
            preferences.map { preference in
                var values = FieldValues()
                values[serviceField] = .id(preference.service)
                values[weekdayField] = preference.weekday.map { .text($0.name) }
                values[weightField] = .integer(Int64(preference.weight))
                return .group(values)
            }
        )
    }

    package static func list(_ value: FieldValue) -> [AvailabilityPreference]? {
        guard case .list(let items) = value else { return nil }
        return items.compactMap { item in
            guard case .group(let values) = item, let service = UUID(fieldValue: values[serviceField]),
                let weight = Int(fieldValue: values[weightField])
            else { return nil }
            return AvailabilityPreference(
                service: service,
                weekday: values.text(weekdayField).flatMap { Weekday(name: $0) },
                weight: weight
            )
        }
    }
}

extension SpecialistState {
    /// Returns how gladly the specialist does a service on a local day, from -2 to 2; a preference for the day of the
    /// week takes precedence over one for every day.
    package func preference(for service: UUID?, in practice: UUID, on day: Day) -> Int {
        guard let service, let preferences = posts[practice]?.preferences.value(on: day) else { return 0 }
        let own = preferences.filter { $0.service == service }
        return (own.first { $0.weekday == day.weekday } ?? own.first { $0.weekday == nil })?.weight ?? 0
    }
}
