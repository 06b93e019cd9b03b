package import FoundationEssentials

/// The description of a service that a practice offers, such as a vaccination.
package struct ServiceProfile: ClinicProfile {
    package var values: FieldValues

    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
    package static let type = Field(2, "type", "Type", AppointmentType.fieldType, isRequired: true)
    package static let minutes = Field(3, "minutes", "Duration (min)", .integer(5...1_440), isRequired: true)
    static let firstVisit = Field(4, "firstVisitMinutes", "First visit (min)", .integer(5...1_440))
    static let before = Field(5, "bufferBefore", "Before it (min)", .integer(0...120))
    static let after = Field(6, "bufferAfter", "After it (min)", .integer(0...120))
    static let grid = Field(7, "grid", "Starts every (min)", .integer(5...30))
    static let species = Field(8, "species", "Species", .text(maximum: Limits.line))
    package static let specialty = Field(9, "specialty", "Specialty", .text(maximum: Limits.line))
    /// The rooms and devices; an appointment needs one of them.
    static let places = Field(10, "places", "One of the rooms", .list(of: .id, maximum: 50))
    static let online = Field(11, "online", "Clients may book it", .flag)
    static let nurseCompletes = Field(12, "nurseCompletes", "A nurse may complete it", .flag)
    static let months = Field(1, "months", "Months", .integer(1...120))
    static let group = Field(2, "group", "Group", .text(maximum: Limits.line))
    static let recall = Field(13, "recall", "Recall", .group([months, group]))

    package static let fields = [
        name, type, minutes, firstVisit, before, after, grid, species, specialty, places, online, nurseCompletes,
        recall,
    ]

    package init(values: FieldValues) { self.values = values }

    package var name: String { values.text(ServiceProfile.name) ?? "" }
    package var type: AppointmentType { AppointmentType(fieldValue: values[ServiceProfile.type]) ?? .routine }
    package var minutes: Int { minutes(ServiceProfile.minutes) ?? 30 }
    package var firstVisitMinutes: Int { minutes(ServiceProfile.firstVisit) ?? minutes }
    package var bufferBefore: Int { minutes(ServiceProfile.before) ?? 0 }
    package var bufferAfter: Int { minutes(ServiceProfile.after) ?? 0 }
    package var grid: Int { minutes(ServiceProfile.grid) ?? ServiceProfile.defaultGrid }
    package static let defaultGrid = 15
    package var species: String? { values.text(ServiceProfile.species) }
    package var specialty: String? { values.text(ServiceProfile.specialty) }
    package var isOnline: Bool { values.flag(ServiceProfile.online) ?? false }
    package var nurseCompletes: Bool { values.flag(ServiceProfile.nurseCompletes) ?? false }

    /// After how many months a patient is to come again, and the group of such visits; nil if it need not.
    package var recall: (months: Int, group: String)? {
        guard let recall = values.group(ServiceProfile.recall),
            let months = recall.integer(ServiceProfile.months).flatMap({ Int(exactly: $0) })
        else { return nil }
        return (months, recall.text(ServiceProfile.group) ?? name)
    }

    package var places: [UUID] {
        guard case .list(let ids)? = values[ServiceProfile.places] else { return [] }
        return ids.compactMap { if case .id(let id) = $0 { id } else { nil } }
    }

    package func check() throws(ModelError) {
        guard [5, 10, 15, 20, 30].contains(grid) else {
            throw ModelError(.invalid, field: "grid", "must be 5, 10, 15, 20 or 30 minutes")
        }
        if let species, SpeciesCode(name: species) == nil {
            throw ModelError(.invalid, field: "species", "must be the name of a species, such as dog or cat")
        }
        if bufferBefore + bufferAfter + max(minutes, firstVisitMinutes) > 1_440 {
            throw ModelError(.invalid, field: "minutes", "an appointment and its buffers last at most 24 hours")
        }
    }
}

/// A type of appointment; the raw value is the word in documents of VetNet.
package enum AppointmentType: String, EventChoice, Sendable {
    case routine
    case emergency
    case surgery
    case followUp = "follow_up"
    case vaccination

    package var name: String { rawValue }
}
