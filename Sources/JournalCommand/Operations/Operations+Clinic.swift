import FoundationEssentials
import HealthJournal
import HealthModel
import JournalServer

extension JournalOperation where Result == WriteResult {
    /// A change of an appointment, at the address of its word.
    static func change(appointment id: UUID, _ change: AppointmentChange, dryRun: Bool = false) -> Self {
        let word = change.request.word
        precondition(word != .edit || !dryRun, "the address of an edit has no trial")
        return word == .edit
            ? Self(AppointmentEndpoints.edit, id, nil, change)
            : Self(AppointmentEndpoints.change(word), id, nil, change, dryRun)
    }
}
