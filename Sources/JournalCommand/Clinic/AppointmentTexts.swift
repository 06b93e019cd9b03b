import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Appointments and patients as the commands of a practice print them.
extension PatientClientDocument {
    /// The name of the client, with the telephone number.
    var text: String { [name, phone].compactMap(\.self).joined(separator: ", ") }
}

extension AppointmentDocument {
    /// The patient with the client, which tells two of one name apart.
    var patient: String { Self.patient(patientName, client?.name) }

    static func patient(_ name: String?, _ client: String?) -> String {
        (name ?? "a patient") + (client.map { " (\($0))" } ?? "")
    }

    /// The patient, the time, the service and the specialist in a line.
    func line(_ names: [UUID: String]) -> String {
        [
            patient, "\(details.wall)", "\(details.minutes) minutes",
            details.service.flatMap { names[$0] } ?? details.type.rawValue,
            details.specialist.map { "with \(names[$0] ?? $0.beginning)" },
        ]
        .compactMap(\.self).joined(separator: ", ")
    }
}

extension Session {
    /// Returns the names of the services, rooms and specialists of a practice.
    func names(in practice: UUID) async throws -> [UUID: String] {
        let document = try await perform(PracticeEndpoints.list, nil).first { $0.id == practice }
        let specialists = try await perform(SpecialistEndpoints.list, practice, nil).map { ($0.id, $0.profile.name) }
        let parts = (document?.services ?? []).map { ($0.id, $0.profile.name) }
        let places = (document?.places ?? []).map { ($0.id, $0.profile.name) }
        return Dictionary(specialists + parts + places) { first, _ in first }
    }

    /// Returns a line that describes an appointment.
    func description(ofAppointment id: UUID) async throws -> String {
        let found = try await perform(AppointmentEndpoints.show, id, nil).document
        return found.line(try await names(in: found.details.practice))
    }
}
