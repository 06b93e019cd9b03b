import Foundation
import Platform
import TestSupport
import Testing

@testable import EventLog

@Suite("Wrong clocks")
struct ClockTests {
    /// A machine whose clocks the test sets.
    private final class Machine: Sendable {
        struct State {
            var wall: Int64 = 1_790_000_000_000_000
            var boot: Int64 = 5_000_000
            var id: [UInt8] = Array(repeating: 1, count: 36)
            var isSynchronized = false
        }

        let state = Guarded(State())

        var clock: JournalClock {
            JournalClock(
                now: { self.state.withLock(\.wall) },
                boot: JournalClock.BootClock(
                    id: state.withLock(\.id),
                    now: { self.state.withLock(\.boot) },
                    isSynchronized: { self.state.withLock(\.isSynchronized) }
                )
            )
        }

        /// Advances both clocks.
        func pass(_ seconds: Int64) {
            state.withLock {
                $0.wall += seconds * 1_000_000
                $0.boot += seconds * 1_000_000
            }
        }

        /// Sets the wall clock forward, or back if `seconds` is negative.
        func move(_ seconds: Int64) { state.withLock { $0.wall += seconds * 1_000_000 } }

        fileprivate func nextBoot() {
            state.withLock {
                $0.boot = 1_000_000
                $0.id[0] += 1
            }
        }
    }

    private static let hour: Int64 = 3_600
    private static let day: Int64 = 86_400
    private static let year: Int64 = 365 * 86_400

    private func journal(_ machine: Machine) async throws -> TestJournal {
        let journal = try TestJournal()
        journal.options.clock = machine.clock
        try journal.reopen()
        try await journal.log.append([event(machine)])
        return journal
    }

    private func reboot(_ machine: Machine, _ journal: TestJournal) throws {
        machine.nextBoot()
        journal.options.clock = machine.clock
        try journal.reopen()
    }

    private func event(_ machine: Machine, _ text: String = "x") -> NewEvent {
        TestJournal.event(id: .timeOrdered(at: machine.state.withLock(\.wall)), payload: text)
    }

    private func append(_ journal: TestJournal, _ machine: Machine) async -> EventLogError? {
        do throws(EventLogError) {
            try await journal.log.append([event(machine)])
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "An append is refused when the wall clock moved by more than an hour within one boot, either way",
        arguments: [
            30 * year, 2 * hour, -2 * hour, -30 * year,
        ]
    )
    func moved(by seconds: Int64) async throws {
        let machine = Machine()
        let journal = try await journal(machine)
        machine.pass(60)
        machine.move(seconds)
        let error = try #require(await append(journal, machine))
        #expect(error.code == .clockWrong)
        let (found, expected) = machine.state.withLock { ($0.wall, $0.wall - seconds * 1_000_000) }
        #expect(error.message.contains(ClockProblem.text(found)))
        #expect(error.message.contains(ClockProblem.text(expected)))
        #expect(error.message.contains("healthjournal accept-clock --reason"))
        #expect(try journal.log.head() == 1)
        // The reopened log refuses the append too; once the clock is set right, the append is accepted.
        try journal.reopen()
        #expect(await append(journal, machine)?.code == .clockWrong)
        machine.move(-seconds)
        #expect(await append(journal, machine) == nil)
        #expect(try journal.log.event(at: 2).recordedAt == expected)
    }

    @Test("After a reboot, a clock more than a year ahead of the newest event is refused")
    func farAhead() async throws {
        let machine = Machine()
        let journal = try await journal(machine)
        try reboot(machine, journal)
        machine.pass(2 * ClockTests.year)
        let error = try #require(await append(journal, machine))
        #expect(error.code == .clockWrong)
        #expect(error.message.contains("more than a year"))
        // Synchronization with a time service does not make the clock right: the service may be wrong.
        machine.state.withLock { $0.isSynchronized = true }
        #expect(await append(journal, machine)?.code == .clockWrong)
    }

    @Test("Clock changes that are normal in operation are accepted")
    func honest() async throws {
        let machine = Machine()
        let journal = try await journal(machine)
        // A suspended laptop, or a service that is idle for years: both clocks advance.
        machine.pass(3 * ClockTests.year)
        #expect(await append(journal, machine) == nil)
        // A machine that is not used for 60 days, and rebooted.
        try reboot(machine, journal)
        machine.pass(60 * ClockTests.day)
        #expect(await append(journal, machine) == nil)
        // A drifting clock that is corrected by hand, by less than an hour.
        machine.move(-50 * 60)
        #expect(await append(journal, machine) == nil)
        // A machine without a clock battery boots with the time of its last shutdown; its first sync follows an append.
        try reboot(machine, journal)
        #expect(await append(journal, machine) == nil)
        machine.pass(30)
        machine.move(20 * ClockTests.day)
        machine.state.withLock { $0.isSynchronized = true }
        #expect(await append(journal, machine) == nil)
        // A machine without a clock battery and a time service boots in 1970, and its clock is set by hand after an
        // append.
        try reboot(machine, journal)
        let wall = machine.state.withLock(\.wall)
        machine.state.withLock {
            $0.isSynchronized = false
            $0.wall = 1_000_000
        }
        #expect(await append(journal, machine) == nil)
        machine.state.withLock { $0.wall = wall + ClockTests.day * 1_000_000 }
        #expect(await append(journal, machine) == nil)
        // The slow clock does not affect later recorded times.
        #expect(try journal.log.event(at: journal.log.head()).recordedAt == wall + ClockTests.day * 1_000_000)
    }

    @Test("An accepted clock is trusted from then on, also by a log that refused appends before")
    func accepted() async throws {
        let machine = Machine()
        let journal = try await journal(machine)
        await #expect(throws: EventLogError.self) { try await journal.log.acceptClock(event(machine)) }
        machine.move(ClockTests.day)
        #expect(await append(journal, machine)?.code == .clockWrong)
        #expect(try journal.log.clockProblem?.finding == .moved)
        try await journal.log.acceptClock(event(machine))
        #expect(try journal.log.clockProblem == nil)
        #expect(await append(journal, machine) == nil)
        try reboot(machine, journal)
        #expect(await append(journal, machine) == nil)
    }

    @Test("If the stored clock readings are lost, the clock is checked against the newest event")
    func lostRecord() async throws {
        let machine = Machine()
        let journal = try await journal(machine)
        try journal.reopen { try FileManager.default.removeItem(atPath: journal.folder.index + "/clock") }
        machine.move(30 * ClockTests.year)
        #expect(await append(journal, machine)?.code == .clockWrong)
        machine.move(-30 * ClockTests.year)
        #expect(await append(journal, machine) == nil)
        // A damaged clock file is treated as a missing one.
        try journal.reopen {
            let handle = try FileHandle(forWritingTo: URL(filePath: journal.folder.index + "/clock"))
            try handle.seek(toOffset: 32)
            try handle.write(contentsOf: [1, 2, 3])
        }
        machine.move(ClockTests.day)
        #expect(await append(journal, machine) == nil)
    }

    @Test("Ranges of wrong recorded times are reported, both while they last and after they have ended")
    func wrongTimes() async throws {
        let machine = Machine()
        let journal = try TestJournal()
        // A log as it was written before clocks were checked.
        journal.options.now = { machine.state.withLock(\.wall) }
        try journal.reopen()
        for _ in 1...3 {
            try await journal.log.append([event(machine)])
            machine.pass(600)
        }
        #expect(try journal.log.wrongTimes().isEmpty)
        #expect(journal.log.laggingClock == nil)
        machine.move(5 * ClockTests.hour)
        try await journal.log.append([event(machine)])
        machine.pass(1)
        try await journal.log.append([event(machine)])
        machine.move(-5 * ClockTests.hour)
        try await journal.log.append([event(machine), TestJournal.event(id: TestJournal.keyed(1))])
        let wall = machine.state.withLock(\.wall)
        #expect(journal.log.laggingClock == wall)
        try journal.reopen()
        #expect(journal.log.laggingClock == wall)
        let now = try journal.log.wrongTimes()
        #expect(now.map(\.first) == [4])
        #expect(now.map(\.last) == [7])
        #expect(now.first?.clock == wall)
        #expect(now.first?.latest == wall + 5 * ClockTests.hour * 1_000_000)
        machine.pass(6 * ClockTests.hour)
        try await journal.log.append([event(machine)])
        #expect(journal.log.laggingClock == nil)
        let later = try journal.log.wrongTimes()
        #expect(later.map(\.first) == [4])
        #expect(later.map(\.last) == [6])
    }
}
