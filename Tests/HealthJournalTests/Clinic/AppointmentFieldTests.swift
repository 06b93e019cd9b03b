import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("Nobody writes a field of an appointment that they may not read")
struct AppointmentFieldTests {
    /// All combinations of roles, of which the empty one is the owner of the patient.
    private static let roles: [Set<ClinicRole>] = (0..<16)
        .map { bits in Set(ClinicRole.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)) }

    private static func text(_ field: AppointmentField, in state: AppointmentState) -> String {
        switch field {
        case .reason: state.details.reason
        case .instructions: state.details.instructions
        case .notes: state.details.notes
        case .remarks: state.notes.map(\.text).joined(separator: "\n")
        }
    }

    private static func change(_ field: AppointmentField, to text: String) -> AppointmentChange {
        switch field {
        case .reason: .edit(reason: text, notes: nil, instructions: nil)
        case .instructions: .edit(reason: nil, notes: nil, instructions: text)
        case .notes: .edit(reason: nil, notes: text, instructions: nil)
        case .remarks: .addNote(text)
        }
    }

    @Test("Whoever may write a field may read it, in every combination of roles")
    func table() {
        for roles in Self.roles {
            for field in AppointmentField.allCases {
                for verb in AppointmentField.Verb.allCases where field.permits(verb, to: roles) {
                    #expect(field.permits(.read, to: roles), "\(roles) \(field) \(verb)")
                }
                // A further role takes nothing away.
                for role in ClinicRole.allCases where !roles.isEmpty {
                    for verb in AppointmentField.Verb.allCases where field.permits(verb, to: roles) {
                        #expect(field.permits(verb, to: roles.union([role])), "\(roles) + \(role) \(field) \(verb)")
                    }
                }
            }
        }
    }

    @Test("Each role reads, states and changes each field as the table says")
    func everybody() async throws {
        let clinic = try await TestPractice()
        let journal = clinic.journal
        let start = try Day(parsing: "2027-03-02")
        var minute = 0
        func booked(_ field: AppointmentField?, _ text: String, _ caller: Caller) async throws -> UUID? {
            let (day, slot) = minute.quotientAndRemainder(dividingBy: 8)
            minute += 1
            let date = start.adding(days: day / 4 * 7 + day % 4)
            let wall = WallMoment(day: date, time: WallTime(minutes: 480 + slot * 30))
            var request = try clinic.request("\(wall)")
            switch field {
            case .reason: request.reason = text
            case .instructions: request.instructions = text
            case .notes: request.notes = text
            case .remarks, nil: break
            }
            return try await journal.appointments.book(request, caller).entry
        }
        var callers = clinic.staff.map { (roles: Set([$0.key]), caller: $0.value) }
        callers.append(([], clinic.client))
        for (roles, caller) in callers {
            for field in AppointmentField.allCases {
                let cell = "\(roles.first?.name ?? "client") \(field)"
                if field != .remarks {
                    let error = await refusal { _ = try await booked(field, "stated", caller) }
                    #expect((error == nil) == field.permits(.state, to: roles), "\(cell): \(error?.message ?? "")")
                    if let error { #expect(error.code == .refused && error.field == field.rawValue, "\(cell)") }
                }
                let vet = try clinic.caller(.veterinarian)
                let id = try #require(try await booked(nil, "", vet))
                _ = try await journal.appointments.changeAppointment(id, vet) { _ in Self.change(field, to: "secret") }
                let seen = try await journal.appointments.appointment(id, caller).state
                #expect((Self.text(field, in: seen) == "secret") == field.permits(.read, to: roles), "\(cell)")
                // Also with the text that is there, which would tell that it is the same.
                for text in ["secret", "", "replaced"] {
                    let before = try clinic.state(id)
                    let error = await refusal {
                        _ = try await journal.appointments.changeAppointment(id, caller) { _ in
                            Self.change(field, to: text)
                        }
                    }
                    if field.permits(.change, to: roles) {
                        #expect(error == nil || text.isEmpty && field == .remarks, "\(cell): \(error?.message ?? "")")
                    } else {
                        #expect(error?.code == .refused, "\(cell)")
                        #expect(try Self.text(field, in: clinic.state(id)) == Self.text(field, in: before), "\(cell)")
                    }
                }
            }
        }
    }

    @Test("A change of permitted fields together with one that is not changes nothing")
    func together() async throws {
        let clinic = try await TestPractice()
        let id = try await clinic.book("2027-03-02T09:00", as: .nurse) { $0.notes = "bites" }
        let error = await refusal {
            _ = try await clinic.change(id, .edit(reason: "limps", notes: "gone", instructions: nil))
        }
        #expect(error?.code == .refused)
        #expect(error?.field == "notes")
        #expect(try clinic.state(id).details.reason.isEmpty && clinic.state(id).details.notes == "bites")
        // Whoever leaves the field out changes the others, and the notes stay.
        _ = try await clinic.change(id, .edit(reason: "limps", notes: nil, instructions: "no food"))
        #expect(try clinic.state(id).details.notes == "bites" && clinic.state(id).details.reason == "limps")
    }
}
