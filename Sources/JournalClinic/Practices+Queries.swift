internal import EventLog
package import FoundationEssentials
package import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents
internal import PracticeDirectory

/// A practice as it is shown to a caller.
package struct PracticeAnswer: Sendable {
    package var practice: PracticeState
    /// The log position that the answer reflects.
    package var position: UInt64
    /// The caller's roles in it today.
    package var roles: Set<ClinicRole>
    /// The members, for members.
    package var members: [UUID: Membership]
}

/// A patient of a practice.
package struct PatientAnswer: Hashable, Sendable {
    package var patient: PatientName
    package var registration: RegistrationState
}

/// Which patients of a practice are wanted.
package enum PatientFilter: Hashable, Sendable {
    case all
    /// Those whose name contains a text, whatever its case and accents, and the one whose number is the text.
    case name(String)
    case record(UUID)

    func admits(_ answer: PatientAnswer) -> Bool {
        switch self {
        case .all: true
        case .name(let text):
            text.isEmpty || answer.registration.number == text
                || (!FoldedName(text).isEmpty
                    && FoldedName(answer.patient.name).text.contains(FoldedName(text).text))
        case .record(let record): answer.patient.record == record
        }
    }
}

extension Journal.Practices {
    /// Returns the practices of the journal, in the order in which they were created.
    package func list(asOf moment: AsOf? = nil, _ caller: Caller) async throws(JournalError) -> [PracticeAnswer] {
        try await journal.retrying {
            if let why = Gate.refusal(of: .see, by: caller, roles: [], isClient: false) {
                throw try await journal.access.refusal(of: caller, .practice, reason: why)
            }
            let position = try journal.log.position(asOf: moment)
            var answers: [PracticeAnswer] = []
            for practice in try journal.practiceDirectory.practices(asOf: position) {
                let admission = try await journal.access.admit(caller, to: .see, in: practice)
                answers.append(try answer(practice, admission, asOf: position))
            }
            return answers
        }
    }

    /// Returns a practice as of a moment.
    package func practice(
        _ practice: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> PracticeAnswer {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .see, in: practice)
            return try answer(practice, admission, asOf: journal.log.position(asOf: moment))
        }
    }

    /// Returns whether a practice is open at a moment, by default now, and whether it can treat what needs a specialty.
    package func operating(
        of practice: UUID,
        at moment: Instant? = nil,
        specialty: String? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> OperatingDocument {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .see, in: practice)
            let (position, moment) = (try journal.log.head(), moment ?? journal.now)
            let day = admission.clock.day(at: moment)
            let answer = try specialty.map { name in
                let found = try directory(of: practice, asOf: position)
                return (name, admission.practice.canAccommodateSpecialty(name, found, on: day))
            }
            return OperatingDocument(
                at: moment,
                admission.practice.state(at: moment, admission.clock),
                specialty: answer,
                position: position
            )
        }
    }

    /// Returns the specialists who work or worked in a practice, in the order of their names.
    ///
    /// Those who are no members see what a client has to know: who they are and what they can.
    package func specialists(
        of practice: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [SpecialistState] {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .see, in: practice)
            let found = try directory(of: practice, asOf: journal.log.position(asOf: moment))
            return admission.roles.isEmpty ? found.map(\.forClients) : found
        }
    }

    /// Returns the specialists of a practice, in the order of their names.
    package func directory(of practice: UUID, asOf position: UInt64) throws -> [SpecialistState] {
        try journal.practiceDirectory.specialists(of: practice, asOf: position)
            .compactMap { try journal.practiceStates.specialist($0, asOf: position)?.state }
            .sorted(byNameAndID: { ($0.profile.name, $0.id) })
    }

    private func answer(
        _ id: UUID,
        _ admission: PracticeAdmission,
        asOf position: UInt64
    ) throws -> PracticeAnswer {
        PracticeAnswer(
            practice: try journal.practiceStates.practice(id, asOf: position).state,
            position: position,
            roles: admission.roles,
            members: admission.roles.isEmpty
                ? [:] : try journal.practiceStates.members(of: id, asOf: position).state.members
        )
    }
}

extension SpecialistState {
    /// The specialist without what concerns the staff alone: licence, caseload and the reasons of absences.
    fileprivate var forClients: SpecialistState {
        var specialist = self
        specialist.profile.values = FieldValues()
        for field in [SpecialistProfile.name, SpecialistProfile.credentials, SpecialistProfile.expertise] {
            specialist.profile.values[field] = profile.values[field]
        }
        specialist.absences = absences.mapValues { Absence(span: $0.span, why: .other) }
        return specialist
    }
}

extension Sequence {
    /// Returns the elements in the order of their names, whatever their case; those of one name in the order of their ids.
    func sorted(byNameAndID key: (Element) -> (name: String, id: UUID)) -> [Element] {
        map { element in
            let key = key(element)
            return (name: key.name.lowercased(), id: key.id, element: element)
        }
        .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        .map(\.element)
    }
}
