/// The description of a room or a device of a practice.
package struct PlaceProfile: ClinicProfile {
    package var values: FieldValues

    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
    /// How many appointments it takes at the same time.
    static let capacity = Field(2, "capacity", "Places at the same time", .integer(1...50))

    package static let fields = [name, capacity]

    package init(values: FieldValues) { self.values = values }

    package var name: String { values.text(PlaceProfile.name) ?? "" }
    package var capacity: Int { minutes(PlaceProfile.capacity) ?? 1 }
}
