package import JournalCore
package import FoundationEssentials

extension Journal {
    /// Appointments: free times, booking, changing, moving and blocking.
    package struct Appointments: Sendable {
        let journal: Journal
    }

    package var appointments: Appointments { Appointments(journal: self) }
}

/// Frees the time of an animal's future appointments when its record is erased, and finds those that a change of a time
/// zone's rules has moved.
package struct ClinicCapability: Capability {
    package init() {}

    package func addErasure(of record: UUID, in journal: Journal, to change: inout Change) throws {
        try journal.appointments.freeFutureTimes(of: record, &change)
    }

    package func findings(in journal: Journal) -> [Finding] { journal.appointments.zoneFindings() }
}
