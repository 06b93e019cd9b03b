/// The description of a practice, with the periods of notice that it asks for.
package struct PracticeProfile: ClinicProfile {
    package var values: FieldValues

    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
    package static let location = Field(
        2,
        "location",
        "Location",
        .group([ClinicFields.latitude, ClinicFields.longitude, ClinicFields.address])
    )
    package static let zone = Field(3, "zone", "Time zone", .zone, isRequired: true)
    package static let phone = Field(4, "phone", "Phone", .text(maximum: Limits.phone))
    package static let email = Field(5, "email", "E-mail", .text(maximum: Limits.email))
    package static let specialties = Field(
        6,
        "specialties",
        "Specialties",
        .list(of: .group([Specialty.id, Specialty.name, Specialty.category]), maximum: 100)
    )
    /// Until when clients may move and cancel their appointments.
    static let notice = Field(7, "notice", "Changes by clients until (h before)", .integer(0...720))
    /// From when on, and until when, clients may book.
    static let bookFrom = Field(8, "bookFrom", "Booking by clients from (h ahead)", .integer(0...720))
    static let bookUntil = Field(9, "bookUntil", "Booking by clients until (days ahead)", .integer(1...730))
    static let missedAfter = Field(10, "missedAfter", "Missed after (min)", .integer(0...240))

    /// The fields of a specialty.
    package enum Specialty {
        package static let id = Field(1, "id", "Id", .id)
        package static let name = Field(2, "name", "Name", .text(maximum: Limits.line), isRequired: true)
        package static let category = Field(3, "category", "Category", .text(maximum: Limits.line))
    }

    package static let fields = [
        name, location, zone, phone, email, specialties, notice, bookFrom, bookUntil, missedAfter,
    ]

    package init(values: FieldValues) { self.values = values }

    package var name: String { values.text(PracticeProfile.name) ?? "" }
    package var zone: String { values.text(PracticeProfile.zone) ?? "" }
    package var noticeHours: Int { minutes(PracticeProfile.notice) ?? 24 }
    package var bookFromHours: Int { minutes(PracticeProfile.bookFrom) ?? 24 }
    package var bookUntilDays: Int { minutes(PracticeProfile.bookUntil) ?? 90 }
    package var missedAfterMinutes: Int { minutes(PracticeProfile.missedAfter) ?? 15 }

    /// The names of the specialties, and their categories.
    package var specialties: [(name: String, category: String)] {
        values.groups(PracticeProfile.specialties)
            .map { ($0.text(Specialty.name) ?? "", $0.text(Specialty.category) ?? "") }
    }

    /// Returns a specialty of the practice by its name, whatever its case.
    package func specialty(named name: String) -> RankingRequest.Specialty? {
        values.groups(PracticeProfile.specialties)
            .first { $0.text(Specialty.name)?.lowercased() == name.lowercased() }
            .map { group in
                RankingRequest.Specialty(
                    name: name.lowercased(),
                    category: group.text(Specialty.category)?.lowercased() ?? name.lowercased()
                )
            }
    }

    package func check() throws(ModelError) {
        let location = values.group(PracticeProfile.location)
        let coordinates = [ClinicFields.latitude, ClinicFields.longitude].map { location?.decimal($0) }
        if coordinates.count(where: { $0 == nil }) == 1 {
            throw ModelError(.invalid, field: "location", "needs both a latitude and a longitude, or neither")
        }
        for coordinate in coordinates.compactMap(\.self) where coordinate.scale > 6 {
            throw ModelError(.invalid, field: "location", "has more than 6 decimal places")
        }
        let names = specialties.map { $0.name.lowercased() }
        if Set(names).count < names.count {
            throw ModelError(.invalid, field: "specialties", "a specialty is listed twice")
        }
    }
}
