import EventLog
import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("Every change of an appointment, in every status, by everybody")
struct AppointmentTableTests {
    /// Who asks for a change.
    private enum Asker: Hashable, CaseIterable {
        case veterinarian, nurse, receptionist, manager, client, stranger

        static let staff: Set<Asker> = [.veterinarian, .nurse, .receptionist, .manager]
        static let known = staff.union([.client])
    }

    /// A row of the table: the statuses that a change is possible from, and who may make it.
    private struct Row {
        var name: String
        var from: Set<AppointmentStatus>
        var who: Set<Asker>
        /// Who may make it while the appointment is in progress, if these are others.
        var whileInProgress: Set<Asker>?
        /// Whether it is possible only after the start.
        var isLate = false
        /// Receives a time that is free, and another specialist.
        var change: @Sendable (WallMoment, UUID) -> AppointmentChange

        func mayAsk(_ asker: Asker, _ status: AppointmentStatus) -> Bool {
            (status == .inProgress ? whileInProgress ?? who : who).contains(asker)
        }
    }

    private static let open: Set<AppointmentStatus> = [.scheduled, .confirmed]
    private static let all = Set(AppointmentStatus.allCases)

    private static let rows = [
        Row(name: "book", from: [.held], who: Asker.known) { _, _ in .book },
        Row(name: "confirm", from: [.scheduled], who: Asker.known) { _, _ in .confirm(.phone) },
        Row(name: "move", from: open, who: Asker.known) { wall, _ in .move(to: .wall(wall), minutes: nil) },
        Row(name: "reassign", from: open, who: Asker.staff) { .reassign(specialist: $1, places: nil) },
        Row(name: "displace", from: open, who: [.veterinarian, .manager]) { wall, _ in
            .displace(to: .wall(wall), by: UUID())
        },
        Row(name: "arrive", from: open, who: Asker.staff) { _, _ in .ahead(.arrive) },
        Row(name: "begin", from: open, who: [.veterinarian, .nurse]) { _, _ in .ahead(.begin) },
        Row(name: "complete", from: [.inProgress], who: [.veterinarian]) { _, _ in .ahead(.complete) },
        Row(
            name: "cancel",
            from: [.held, .scheduled, .confirmed, .inProgress],
            who: Asker.known,
            whileInProgress: [.veterinarian]
        ) { _, _ in .cancel(code: "") },
        Row(name: "missed", from: open, who: Asker.staff, isLate: true) { _, _ in .miss },
        Row(name: "reinstate", from: [.cancelled, .noShow], who: Asker.staff) { _, _ in .reinstate },
        Row(name: "edit", from: all, who: Asker.staff) { wall, _ in
            .edit(reason: "\(wall)", notes: nil, instructions: nil)
        },
        Row(name: "note", from: all, who: [.veterinarian, .nurse]) { _, _ in .addNote("Bites.") },
        Row(name: "retract", from: all, who: [.manager]) { _, _ in .retract },
    ]

    @Test("A change is made, refused to those who may not, or a conflict; only the refusal is logged")
    func table() async throws {
        var bench = try await Bench()
        var cells = 0
        for status in AppointmentStatus.allCases {
            for row in Self.rows {
                for asker in Asker.allCases {
                    let appointment = try await bench.appointment(status, isLate: row.isLate)
                    let cell = "\(row.name) \(status) by \(asker)"
                    let before = try bench.clinic.home.head
                    var caller = try bench.caller(asker)
                    caller.reason = "as the table says"
                    let target = try bench.freeWall()
                    let change = row.change(target, bench.clinic.ben)
                    let error = await refusal { [journal = bench.clinic.journal, caller] in
                        _ = try await journal.appointments.changeAppointment(appointment, caller) { _ in change }
                    }
                    let events = try bench.clinic.home.events(after: before).map(\.type.name)
                    let mayDo = row.mayAsk(asker, status)
                    if mayDo, row.from.contains(status) {
                        #expect(error == nil, "\(cell): \(error?.description ?? "")")
                        #expect(events.contains { $0.hasPrefix("appointment.") }, "\(cell): \(events)")
                        bench.forget()
                    } else {
                        #expect(error?.code == (mayDo ? .conflict : .refused), "\(cell): \(error?.description ?? "")")
                        #expect(events == (mayDo ? [] : ["access.denied"]), "\(cell): \(events)")
                    }
                    cells += 1
                }
            }
        }
        #expect(cells == 14 * 7 * 6)
    }

    /// Prepares appointments in each status, one after the other in time.
    private struct Bench {
        let clinic: TestPractice
        private let stranger: Caller
        /// The number of half hours given out.
        private var given = 0
        private var prepared: (id: UUID, status: AppointmentStatus, isLate: Bool)?

        init() async throws {
            clinic = try await TestPractice(dogs: 1)
            stranger = try await clinic.home.account("Stranger")
        }

        func caller(_ asker: Asker) throws -> Caller {
            switch asker {
            case .veterinarian: try clinic.caller(.veterinarian)
            case .nurse: try clinic.caller(.nurse)
            case .receptionist: try clinic.caller(.receptionist)
            case .manager: try clinic.caller(.manager)
            case .client: clinic.client
            case .stranger: stranger
            }
        }

        mutating func forget() { prepared = nil }

        /// Returns the next time that nothing was booked at: ten a day, on weekdays, from a week ahead on.
        mutating func freeWall() throws -> WallMoment {
            let clock = try Day(parsing: String(clinic.journal.now.description.prefix(10)))
            while true {
                let (day, number) = given.quotientAndRemainder(dividingBy: 10)
                let (week, weekday) = day.quotientAndRemainder(dividingBy: 5)
                given += 1
                let date = try Day(parsing: "2027-03-08").adding(days: week * 7 + weekday)
                guard date > clock.adding(days: 2) else { continue }
                let minutes = number < 5 ? 480 + number * 45 : 780 + (number - 5) * 45
                return WallMoment(day: date, time: WallTime(minutes: minutes))
            }
        }

        /// Returns an appointment in a status; `isLate` is true if its start is over.
        mutating func appointment(_ status: AppointmentStatus, isLate: Bool) async throws -> UUID {
            if let prepared, prepared.status == status, prepared.isLate == isLate { return prepared.id }
            let wall = try freeWall()
            let request = try clinic.request("\(wall)")
            let until = clinic.journal.now.adding(minutes: 1_440)
            let id = try #require(
                try await clinic.journal
                    .appointments.book(request, heldUntil: status == .held ? until : nil, clinic.caller(.nurse)).entry
            )
            if isLate, status != .held { try late(wall) }
            let steps: [AppointmentChange] =
                switch status {
                case .held, .scheduled: []
                case .confirmed: [.confirm(.phone)]
                case .inProgress: [.ahead(.begin)]
                case .completed: [.ahead(.begin), .ahead(.complete)]
                case .cancelled: [.cancel(code: "")]
                case .noShow: [.miss]
                }
            if status == .noShow, !isLate { try late(wall) }
            for step in steps { _ = try await clinic.change(id, step, as: .veterinarian) }
            prepared = (id, status, isLate)
            return id
        }

        private func late(_ wall: WallMoment) throws {
            try clinic.home.clock.set("\(wall.day)T\(wall.time.map { "\($0)" } ?? "00:00"):00Z")
        }
    }
}
