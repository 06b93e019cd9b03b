import HealthJournal
import HealthModel
import JournalPages

extension Pages {
    /// Returns the next appointment of a record by the clock of its practice, for an owner of the record; nil if there is none.
    ///
    /// The read is audited if the record has appointments.
    func nextAppointment(of record: RecordState, _ caller: Caller, _ reader: Reader) async throws -> TodayPage.Warning?
    {
        // Only animals are patients of practices.
        guard record.profile.subject == .animal, !record.isClosed else { return nil }
        let now = journal.now
        let next = try await journal.appointments.list(of: record.id, caller).map(\.state)
            .first { $0.status.takesTime && $0.status != .held && $0.details.start > now }
        guard let next,
            let practice = try await journal.practices.list(caller).map(\.practice)
                .first(where: { $0.id == next.details.practice })
        else { return nil }
        let view = PracticeView(practice, try journal.practiceStates.clock(of: practice), reader)
        return view.nextAppointment(next.details, of: record.id)
    }
}
