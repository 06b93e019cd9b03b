package import FoundationEssentials
package import JournalCore

/// Frees the time of an animal's future appointments when its record is erased, and finds those that a change of a time
/// zone's rules has moved.
package struct ClinicCapability: Capability {
    package init() {}

    package func addErasure(of record: UUID, in journal: Journal, to change: inout Change) throws {
        try journal.appointments.freeFutureTimes(of: record, &change)
    }

    package func findings(in journal: Journal) -> [Finding] { journal.appointments.zoneFindings() }
}
