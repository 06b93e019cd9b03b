import FoundationEssentials

/// What specialists and services say of whom they treat.
extension BookingRules {
    /// Returns an error for each statement about its specialists and its service that an agreement disregards.
    ///
    /// An emergency may disregard them if it says why.
    func treatmentErrors(_ details: AppointmentDetails) -> [ModelError] {
        if details.type == .emergency, details.reason.contains(where: { !$0.isWhitespace }) { return [] }
        let chosen = details.specialists.compactMap { specialists[$0]?.profile }
        let isEmergency = details.type == .emergency
        var errors: [ModelError] = []
        if let species, chosen.contains(where: { $0.neverTreats(species) }) {
            errors.append(
                ModelError(
                    .conflict,
                    field: "specialist",
                    isEmergency
                        ? "does not treat this species: state the reason of the emergency"
                        : "does not treat this species, except in an emergency"
                )
            )
        }
        if !chosen.isEmpty, let specialty = specialty(of: details.service),
            !chosen.contains(where: { $0.specialties.contains(specialty) })
        {
            errors.append(
                ModelError(
                    .conflict,
                    field: "specialist",
                    isEmergency
                        ? "does not have the specialty that the service needs: state the reason of the emergency"
                        : "does not have the specialty that the service needs, except in an emergency"
                )
            )
        }
        return errors
    }

    /// Whether a specialist may be offered for a service: has its specialty, and treats the species of the patient.
    func treats(_ specialist: SpecialistState, _ service: UUID?) -> Bool {
        if let species, specialist.profile.neverTreats(species) { return false }
        return specialty(of: service).map(specialist.profile.specialties.contains) ?? true
    }

    /// The specialty that a service needs, in lower case.
    private func specialty(of service: UUID?) -> String? {
        service.flatMap { practice.services[$0]?.profile.specialty?.lowercased() }
    }
}

extension SpecialistProfile {
    /// Whether the specialist never treats a species, given as the text of a record.
    ///
    /// Species are compared by their codes, and a word that has none by itself.
    package func neverTreats(_ species: String) -> Bool {
        if let code = SpeciesCode(name: species) { return neverSpecies.contains(code) }
        let names = values.group(SpecialistProfile.species)?.texts(SpecialistProfile.never) ?? []
        return names.contains { FoldedName($0) == FoldedName(species) }
    }
}
