extension Journal {
    /// Who may see a record: owners, caregivers, invitations and access in emergencies.
    package struct Sharing: Sendable {
        let journal: Journal
    }

    package var sharing: Sharing { Sharing(journal: self) }
}
