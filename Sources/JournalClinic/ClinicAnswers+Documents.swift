internal import HealthModel
package import Interchange
internal import JournalCore

extension PracticeAnswer {
    package var document: PracticeDocument { PracticeDocument(practice, roles: roles, members: members) }
}

extension PatientAnswer {
    package var document: PatientDocument {
        PatientDocument(record: patient.record, name: patient.name, species: patient.species, registration)
    }
}

extension RegistrationAnswer {
    package var document: RegistrationDocument { RegistrationDocument(practice: practice, name: name, state) }
}

extension AppointmentAnswer {
    package var document: AppointmentDocument {
        AppointmentDocument(
            state,
            patientName: patient?.name,
            client: patient?.client,
            species: patient.flatMap { $0.species.isEmpty ? nil : $0.species },
            alerts: patient?.alerts,
            problem: problem,
            isUnresolved: isUnresolved,
            isCancelledLate: isCancelledLate
        )
    }
}

extension AppointmentVersion {
    package var document: AppointmentVersionDocument {
        AppointmentVersionDocument(state, stamp, type: type, reason: reason)
    }
}

extension CalendarAnswer {
    package var document: PracticeCalendarDocument {
        PracticeCalendarDocument(
            practice,
            days,
            appointments: appointments.map(\.document),
            busy: busy.map { BusyDocument(specialist: $0.specialist, span: $0.span, isBlocked: $0.isBlocked) },
            specialists: specialists,
            position: position
        )
    }
}

extension FreeSlotAnswer {
    package var document: FreeSlotsDocument {
        FreeSlotsDocument(
            slots: slots.map(document),
            why: why,
            zone: zone,
            minutes: minutes,
            lengthened: lengthened,
            position: position
        )
    }

    func document(_ slot: FreeSlot) -> FreeSlotDocument {
        FreeSlotDocument(
            start: slot.start,
            wall: clock.wall(at: slot.start),
            specialist: slot.specialist,
            specialistName: names[slot.specialist] ?? "",
            place: slot.place,
            isOnCall: slot.isOnCall
        )
    }
}

extension WaitAnswer {
    package var document: WaitDocument {
        WaitDocument(state, patientName: patient?.name, client: patient?.client, status: status)
    }
}

extension RecallAnswer {
    package var document: RecallDocument {
        RecallDocument(
            id: id,
            record: patient.record,
            patientName: patient.name,
            client: patient.client,
            recall: recall
        )
    }
}
