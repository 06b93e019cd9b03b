import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

@Suite("Decisions about appointments")
struct AppointmentDeciderTests {
    private let example: ClinicExample
    private let details: AppointmentDetails
    private let now: Instant

    init() throws {
        example = try ClinicExample()
        details = try example.details("2027-03-02T10:00")
        now = try Instant(parsing: "2027-03-02T09:30:00Z")
    }

    private func state(_ status: AppointmentStatus?) -> AppointmentState? {
        status.map {
            AppointmentState(
                id: Example.id(90),
                record: example.dog,
                details: details,
                status: $0,
                added: Example.stamp(1)
            )
        }
    }

    /// The commands, with the states from which CLINIC permits them and what they lead to.
    private var table: [(command: AppointmentCommand, from: Set<AppointmentStatus?>, to: AppointmentStatus?)] {
        let every = Set(AppointmentStatus.allCases.map { AppointmentStatus?.some($0) })
        var moved = details
        moved.start = details.start.adding(minutes: 60)
        moved.wall = example.clock.wall(at: moved.start)
        var given = details
        given.specialist = example.ben
        var renamed = details
        renamed.reason = "limps"
        return [
            (.hold(details, until: now.adding(minutes: 10)), [nil], .held),
            (.book(details), [nil, .held], .scheduled), (.confirm(.phone), [.scheduled], .confirmed),
            (.reschedule(moved), [.scheduled, .confirmed], .scheduled),
            (.reassign(given), [.scheduled, .confirmed], nil),
            (.displace(moved, by: Example.id(91)), [.scheduled, .confirmed], .scheduled),
            (.arrive, [.scheduled, .confirmed], nil), (.begin, [.scheduled, .confirmed], .inProgress),
            (.complete, [.inProgress], .completed),
            (.cancel(.practice, code: ""), [.held, .scheduled, .confirmed, .inProgress], .cancelled),
            (.miss, [.scheduled, .confirmed], .noShow), (.reinstate, [.cancelled, .noShow], .scheduled),
            (.change(renamed), every, nil), (.addNote("called"), every, nil), (.retract, every, nil),
        ]
    }

    @Test("Each command is possible from exactly the states of the table, and leads to its state")
    func states() throws {
        var cells = 0
        for (command, from, to) in table {
            for status in [AppointmentStatus?.none] + AppointmentStatus.allCases.map({ .some($0) }) {
                cells += 1
                let before = state(status)
                guard from.contains(status) else {
                    let refused = refusal { try decide(command, before, reason: "why", now: now) }
                    #expect(
                        refused?.code == (status == nil ? .notFound : .conflict),
                        "\(command) \(status?.name ?? "none")"
                    )
                    if let status { #expect(refused?.message.contains(status.sentence) == true) }
                    continue
                }
                let events = try decide(command, before, reason: "why", now: now)
                #expect(events.count == 1, "\(command)")
                var after = before
                for event in events {
                    evolve(
                        &after,
                        RecordedEvent(
                            stamp: Example.stamp(2),
                            subject: example.dog,
                            stream: Example.id(90),
                            event: event
                        )
                    )
                }
                #expect(after?.status == (to ?? status), "\(command) \(status?.name ?? "none")")
            }
        }
        #expect(cells == 15 * 8)
    }

    @Test("What would change nothing produces no event")
    func nothing() throws {
        let booked = state(.scheduled)
        #expect(try decide(.reschedule(details), booked, now: now).isEmpty)
        #expect(try decide(.reassign(details), booked, now: now).isEmpty)
        #expect(try decide(.change(details), booked, now: now).isEmpty)
        var arrived = booked
        arrived?.arrived = Example.stamp(2)
        #expect(try decide(.arrive, arrived, now: now).isEmpty)
    }

    @Test("An appointment is missed only some minutes after its start, and not if the patient has arrived")
    func missed() throws {
        let booked = state(.confirmed)
        for (minutes, isPossible) in [(0, false), (14, false), (15, true), (60, true)] {
            let now = details.start.adding(minutes: minutes)
            let events = try? decide(.miss, booked, now: now)
            #expect((events != nil) == isPossible, "\(minutes)")
        }
        var arrived = booked
        arrived?.arrived = Example.stamp(2)
        #expect(refusal { try decide(.miss, arrived, now: now.adding(minutes: 60)) }?.code == .conflict)
    }

    @Test("A hold that has ended cannot be booked, and lasts at most 24 hours")
    func holds() throws {
        var held = state(.held)
        held?.heldUntil = now
        #expect(refusal { try decide(.book(details), held, now: now) }?.code == .conflict)
        held?.heldUntil = now.adding(minutes: 1)
        #expect(try decide(.book(details), held, now: now).count == 1)
        for until in [now, now.adding(minutes: 1_441)] {
            #expect(refusal { try decide(.hold(details, until: until), nil, now: now) }?.field == "until")
        }
    }

    @Test("Displacing, and changes after completion, need a reason; a retracted appointment does not change any more")
    func reasons() throws {
        #expect(
            refusal { try decide(.displace(details, by: Example.id(91)), state(.scheduled), now: now) }?.field
                == "reason"
        )
        #expect(refusal { try decide(.addNote("x"), state(.completed), now: now) }?.field == "reason")
        var retracted = state(.completed)
        retracted?.retracted = Example.stamp(3)
        for (command, _, _) in table {
            #expect(refusal { try decide(command, retracted, reason: "why", now: now) }?.code == .conflict)
        }
    }

    @Test("An agreement is checked: whole minutes, a duration, a specialist, nobody twice")
    func validation() throws {
        func field(_ edit: (inout AppointmentDetails) -> Void) throws -> String? {
            var wrong = details
            edit(&wrong)
            return refusal { try decide(.book(wrong), nil, now: now) }?.field
        }
        #expect(try field { $0.minutes = 4 } == "minutes")
        #expect(try field { $0.bufferAfter = 1_420 } == "minutes")
        #expect(try field { $0.start = Instant(microseconds: details.start.microseconds + 1) } == "start")
        #expect(try field { $0.specialist = nil } == "specialist")
        #expect(try field { $0.others = [example.ada] } == "specialist")
        #expect(try field { $0.reason = String(repeating: "a", count: 1_001) } == "reason")
        var emergency = details
        (emergency.specialist, emergency.type) = (nil, .emergency)
        #expect(try decide(.book(emergency), nil, now: now).count == 1)
    }
}
