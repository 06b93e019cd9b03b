extension RecordProfile {
    /// Whether the profile may be of the same person or animal: the names are equal, apart from case and accents, and
    /// nothing that both state tells the two apart.
    package func isSimilar(to other: RecordProfile) -> Bool {
        guard subject == other.subject else { return false }
        let name = FoldedName(displayName)
        // Of profiles without a name nothing can be said.
        guard !name.isEmpty, displayName != RecordProfile(subject: subject).displayName,
            name == FoldedName(other.displayName)
        else { return false }
        if let own = values.partialDate(RecordProfile.birthdate),
            let others = other.values.partialDate(RecordProfile.birthdate),
            own.lastDay < others.firstDay || others.lastDay < own.firstDay
        {
            return false
        }
        return [RecordProfile.species, RecordProfile.animalID]
            .allSatisfy { field in
                guard let own = values.text(field), let others = other.values.text(field) else { return true }
                return FoldedName(own) == FoldedName(others)
            }
    }
}
