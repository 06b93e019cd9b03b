package import FoundationEssentials
package import HealthModel

/// What a reader may see of a practice and of some of its days: the input of its exports.
package struct PracticeContents: Sendable {
    package var practice: PracticeDocument
    package var specialists: [SpecialistDocument] = []
    package var clients: [ClientDocument] = []
    package var patients: [PatientDocument] = []
    /// The records of the patients that the reader may see, with their entries.
    package var records: [UUID: RecordState] = [:]
    package var appointments: [AppointmentDocument] = []
    package var triages: [TriageDocument] = []
    package var waiting: [WaitDocument] = []
    /// The times of specialists that belong to no appointment of the practice.
    package var busy: [BusyDocument] = []
    /// The times in which a room cannot be used.
    package var blocked: [UUID: [BlockedTime]] = [:]
    /// What the documents from which parts were imported say of them, and when the journal added and changed them.
    package var sources: [UUID: PartSource] = [:]
    /// The free times of a service, of one day after the other.
    package var free: [FreeSlotsDocument] = []
    /// The days of the appointments and of all other times.
    package var days: ClosedRange<Day>
    /// The moment at which the practice was read.
    package var now: Instant
    /// The day by the practice's clock on which hours and ends count.
    package var today: Day

    package init(_ practice: PracticeDocument, days: ClosedRange<Day>, now: Instant, today: Day) {
        (self.practice, self.days, self.now, self.today) = (practice, days, now, today)
    }
}
