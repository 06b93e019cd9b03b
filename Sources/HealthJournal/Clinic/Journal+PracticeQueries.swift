internal import EventLog
package import FoundationEssentials
package import HealthModel
package import Interchange
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

    fileprivate func admits(_ answer: PatientAnswer) -> Bool {
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

extension Journal {
    /// Returns the practices of the journal, in the order in which they were created.
    package func practices(asOf moment: AsOf? = nil, _ caller: Caller) async throws(JournalError) -> [PracticeAnswer] {
        try await retrying {
            if let why = Gate.refusal(of: .see, by: caller, roles: [], isClient: false) {
                throw try await refusal(of: caller, .practice, reason: why)
            }
            let position = try log.position(asOf: moment)
            var answers: [PracticeAnswer] = []
            for practice in try practiceDirectory.practices(asOf: position) {
                let admission = try await admit(caller, to: .see, in: practice)
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
        try await retrying {
            let admission = try await admit(caller, to: .see, in: practice)
            return try answer(practice, admission, asOf: log.position(asOf: moment))
        }
    }

    /// Returns whether a practice is open at a moment, by default now, and whether it can treat what needs a specialty.
    package func operating(
        of practice: UUID,
        at moment: Instant? = nil,
        specialty: String? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> OperatingDocument {
        try await retrying {
            let admission = try await admit(caller, to: .see, in: practice)
            let (position, moment) = (try log.head(), moment ?? now)
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
        try await retrying {
            let admission = try await admit(caller, to: .see, in: practice)
            let found = try directory(of: practice, asOf: log.position(asOf: moment))
            return admission.roles.isEmpty ? found.map(\.forClients) : found
        }
    }

    /// Returns the patients of a practice, in the order of their names; each that is returned is a read of its record.
    package func patients(
        of practice: UUID,
        matching filter: PatientFilter = .all,
        includesFormer: Bool = false,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [PatientAnswer] {
        try await retrying {
            _ = try await admit(caller, to: .seeCalendar, in: practice)
            let position = try log.position(asOf: moment)
            var answers: [PatientAnswer] = []
            for record in try practiceDirectory.patients(of: practice, asOf: position) {
                guard let patient = try patientName(record, asOf: position),
                    let registration = try registration(of: record, at: practice, asOf: position).state,
                    try registration.status == .accepted
                        || includesFormer && isCustodian(practice, of: record, asOf: position)
                else { continue }
                let answer = PatientAnswer(patient: patient, registration: registration)
                if filter.admits(answer) { answers.append(answer) }
            }
            let reads = answers.map { answer in
                let asOf = moment == nil ? nil : position
                let shown = Shown(sections: [], asOf: asOf, version: position)
                return TracedRead(
                    record: answer.patient.record,
                    action: .list,
                    right: .practice(practice),
                    shown: shown
                )
            }
            try await trace(caller, reads)
            return answers.sorted(byNameAndID: { ($0.patient.name, $0.patient.record) })
        }
    }

    /// Whether a practice keeps the record of an animal, also if that is no patient any more.
    private func isCustodian(_ practice: UUID, of record: UUID, asOf position: UInt64) throws -> Bool {
        try headerUnlessErased(record, asOf: position)?.owners.contains(practice) ?? false
    }

    /// Returns the specialists of a practice, in the order of their names.
    func directory(of practice: UUID, asOf position: UInt64) throws -> [SpecialistState] {
        try practiceDirectory.specialists(of: practice, asOf: position)
            .compactMap { try specialist($0, asOf: position)?.state }
            .sorted(byNameAndID: { ($0.profile.name, $0.id) })
    }

    private func answer(
        _ id: UUID,
        _ admission: PracticeAdmission,
        asOf position: UInt64
    ) throws -> PracticeAnswer {
        PracticeAnswer(
            practice: try practice(id, asOf: position).state,
            position: position,
            roles: admission.roles,
            members: admission.roles.isEmpty ? [:] : try members(of: id, asOf: position).state.members
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
