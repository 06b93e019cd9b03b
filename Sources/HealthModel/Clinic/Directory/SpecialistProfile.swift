/// The description of a specialist: a veterinarian or another person with whom appointments are made.
package struct SpecialistProfile: ClinicProfile {
    package var values: FieldValues

    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
    package static let credentials = Field(2, "credentials", "Credentials", .text(maximum: Limits.line))
    package static let licenseNumber = Field(3, "licenseNumber", "Licence number", .text(maximum: 100))
    package static let licenseAuthority = Field(4, "licenseAuthority", "Licence issued by", .text(maximum: Limits.line))
    static let licenseUntil = Field(5, "licenseUntil", "Licence valid until", .day)
    package static let expertise = Field(
        6,
        "expertise",
        "Expertise",
        .list(
            of: .group([Expertise.specialty, Expertise.level, Expertise.years, Expertise.certifications]),
            maximum: 50
        )
    )
    static let appointments = Field(1, "appointments", "Appointments a day", .integer(1...200))
    static let dailyMinutes = Field(2, "minutes", "Minutes a day", .integer(1...1_440))
    static let caseload = Field(7, "caseload", "At most", .group([appointments, dailyMinutes]))
    static let preferred = Field(1, "preferred", "Preferred", .list(of: .text(maximum: Limits.line), maximum: 50))
    static let never = Field(2, "never", "Never", .list(of: .text(maximum: Limits.line), maximum: 50))
    static let species = Field(8, "species", "Species", .group([preferred, never]))

    /// The fields of an area of expertise.
    package enum Expertise {
        package static let specialty = Field(
            1,
            "specialty",
            "Specialty",
            .text(maximum: Limits.line),
            isRequired: true
        )
        package static let level = Field(
            2,
            "level",
            "Level",
            .choice(["basic", "intermediate", "advanced", "expert"]),
            isRequired: true
        )
        package static let years = Field(3, "years", "Years of experience", .integer(0...80))
        package static let certifications = Field(
            4,
            "certifications",
            "Certifications",
            .list(of: .text(maximum: Limits.line), maximum: 20)
        )
    }

    package static let fields = [
        name, credentials, licenseNumber, licenseAuthority, licenseUntil, expertise, caseload, species,
    ]

    package init(values: FieldValues) { self.values = values }

    package var name: String { values.text(SpecialistProfile.name) ?? "" }
    /// The last day on which the licence is valid; nil if none is stated.
    package var licenseUntil: Day? { values.day(SpecialistProfile.licenseUntil) }

    package func isLicensed(on day: Day) -> Bool { licenseUntil.map { day <= $0 } ?? true }

    /// The licence as it is compared: its authority and its number, without spaces, hyphens, dots and case.
    package var license: String? {
        guard let number = values.text(SpecialistProfile.licenseNumber) else { return nil }
        let plain = number.filter { !$0.isWhitespace && $0 != "-" && $0 != "." }.lowercased()
        guard !plain.isEmpty else { return nil }
        return "\((values.text(SpecialistProfile.licenseAuthority) ?? "").lowercased())\n\(plain)"
    }

    /// The specialties of the specialist, in lower case.
    package var specialties: Set<String> {
        Set(values.groups(SpecialistProfile.expertise).compactMap { $0.text(Expertise.specialty)?.lowercased() })
    }

    /// The specialties with how well the specialist masters each.
    package var expertise: [(specialty: String, proficiency: RankingCandidate.Proficiency)] {
        values.groups(SpecialistProfile.expertise)
            .compactMap { area in
                guard let name = area.text(Expertise.specialty),
                    let level = area.text(Expertise.level).flatMap(RankingCandidate.Proficiency.init(rawValue:))
                else { return nil }
                return (name, level)
            }
    }

    package var preferredSpecies: Set<SpeciesCode> { speciesCodes(SpecialistProfile.preferred) }
    package var neverSpecies: Set<SpeciesCode> { speciesCodes(SpecialistProfile.never) }

    private func speciesCodes(_ field: Field) -> Set<SpeciesCode> {
        let names = values.group(SpecialistProfile.species)?.texts(field) ?? []
        return Set(names.compactMap { SpeciesCode(name: $0) })
    }

    package var maximumAppointments: Int? {
        values.group(SpecialistProfile.caseload)?.integer(SpecialistProfile.appointments).flatMap { Int(exactly: $0) }
    }

    package var maximumMinutes: Int? {
        values.group(SpecialistProfile.caseload)?.integer(SpecialistProfile.dailyMinutes).flatMap { Int(exactly: $0) }
    }
}
