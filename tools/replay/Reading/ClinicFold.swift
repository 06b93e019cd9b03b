import EventLog
import Foundation
import HealthModel
import JournalEvents

/// The practices of a log and their appointments, folded event by event.
struct ClinicFold {
    /// In the order of their creation.
    private(set) var practices: [UUID] = []
    private(set) var specialists: [UUID: Set<UUID>] = [:]
    private(set) var patients: [UUID: Set<UUID>] = [:]
    private(set) var clients: [UUID: Set<UUID>] = [:]
    private(set) var waiting: [UUID: Set<UUID>] = [:]
    private(set) var appointments: [UUID: AppointmentState] = [:]
    private(set) var triages: [UUID: TriageState] = [:]

    /// Reports whether events of a category can change the fold.
    static func matters(_ category: UInt16) -> Bool {
        [EventCategory.practice.rawValue, EventCategory.appointment.rawValue].contains(category)
    }

    mutating func take(_ event: RecordedEvent) {
        switch event.event.data {
        case is PracticeCreated: practices.append(event.stream)
        case let added as SpecialistAdded: specialists[added.practice, default: []].insert(event.subject)
        case let joined as SpecialistJoined: specialists[joined.practice, default: []].insert(event.subject)
        case let made as RegistrationMade: patients[made.practice, default: []].insert(event.subject)
        case let added as ClientAdded: clients[added.practice, default: []].insert(event.subject)
        case let added as WaitAdded: waiting[added.practice, default: []].insert(event.stream)
        default:
            guard event.event.type.category == .appointment, event.entry != event.subject else { return }
            var state = appointments[event.stream]
            evolve(&state, event)
            appointments[event.stream] = state
            var triage = triages[event.stream]
            evolve(&triage, event)
            triages[event.stream] = triage
        }
    }

    /// The triages of a practice by the UTC day of the patient's arrival.
    func triageDays(of practice: UUID) -> [Day: Set<UUID>] {
        Dictionary(grouping: triages.values.filter { $0.practice == practice }) { Day(of: $0.arrivedAt) }
            .mapValues { Set($0.map(\.id)) }
    }

    /// The appointments of a practice on each UTC day.
    func days(of practice: UUID) -> [Day: Set<UUID>] {
        var days: [Day: Set<UUID>] = [:]
        for state in appointments.values where state.details.practice == practice {
            for day in state.details.span?.days.all ?? [] { days[day, default: []].insert(state.id) }
        }
        return days
    }
}
