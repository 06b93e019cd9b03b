import Foundation
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore
@testable import JournalReminders
@testable import JournalServer

@Suite("The order in which reminders are sent")
struct ReminderQueueTests {
    private let start = ContinuousClock.now
    private let limits = ReminderLimits()

    private static func account(_ number: Int) -> UUID {
        UUID(nameBased: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), "account \(number)")
    }

    /// A due reminder of an account; the first of an account is the oldest.
    private func reminder(
        _ account: Int,
        _ number: Int = 0,
        at address: String,
        _ kind: ReminderChannel.Kind = .ntfy,
        isCritical: Bool = false
    ) -> OutgoingReminder {
        let account = ReminderQueueTests.account(account)
        let channel = ReminderChannel(id: UUID(nameBased: account, address), kind: kind, address: address)
        let subject = ReminderSubject(.doseDue, plan: account, about: "\(number)")
        let since = Instant(microseconds: Int64(number) * 1_000_000)
        return OutgoingReminder(
            record: account,
            reminder: Reminder(
                subject,
                account: account,
                channel: channel,
                number: 0,
                isCritical: isCritical,
                since: since,
                lapses: since.adding(minutes: 60)
            ),
            text: ""
        )
    }

    private func queue(_ due: [OutgoingReminder]) -> ReminderQueue {
        var queue = ReminderQueue(limits)
        queue.replace(with: due)
        return queue
    }

    /// Takes the reminders that are sent now, and returns the first of them.
    private func next(of queue: inout ReminderQueue, at now: ContinuousClock.Instant) throws -> QueuedReminder {
        let taken = queue.take(at: now).reminders
        return try #require(taken.first)
    }

    @Test("An account with a thousand reminders to a silent host delays nobody else's")
    func silent() {
        let crowd = (0..<1_000).map { reminder(1, $0, at: "http://silent.example.org/\($0)") }
        let ann = reminder(2, 5_000, at: "ann@example.org", .email)
        var queue = queue(crowd + [ann])
        let first = queue.take(at: start).reminders
        #expect(first.map(\.account).filter { $0 == ReminderQueueTests.account(1) }.count == limits.perAccount)
        #expect(first.contains { $0.id == ann.reminder.id })
        #expect(queue.take(at: start).reminders.isEmpty)
    }

    @Test("The attempts in progress are limited in all, at one host and for one account")
    func limited() {
        let hosts = 10
        let due = (0..<200).map { reminder($0 % 50, $0, at: "https://h\($0 % hosts).example.org/\($0)") }
        var queue = queue(due)
        var running = queue.take(at: start).reminders
        #expect(running.count == limits.parallel)
        var sent = 0
        while !running.isEmpty {
            #expect(running.count <= limits.parallel)
            #expect(Dictionary(grouping: running, by: \.host).values.allSatisfy { $0.count <= limits.perHost })
            #expect(Dictionary(grouping: running, by: \.account).values.allSatisfy { $0.count <= limits.perAccount })
            let done = running.removeFirst()
            #expect(queue.finish(done, .sent, at: start) == nil)
            sent += 1
            running += queue.take(at: start).reminders
        }
        #expect(sent == due.count)
        #expect(!queue.isWaiting)
        #expect(!queue.isSending)
    }

    @Test("A critical reminder comes first, and accounts take turns")
    func order() throws {
        let plain = (1...40).map { reminder($0, at: "https://h.example.org/\($0)") }
        let critical = reminder(99, 500, at: "https://h.example.org/c", isCritical: true)
        var many = queue(plain + [critical])
        #expect(many.take(at: start).reminders.first?.id == critical.reminder.id)
        // Whoever calls everything critical gains little.
        let loud = (0..<100).map { reminder(7, $0, at: "https://h\($0).example.org/", isCritical: true) }
        var fair = queue(loud + [reminder(8, 1_000, at: "https://quiet.example.org/")])
        var order: [UUID] = []
        var running = fair.take(at: start).reminders
        while !running.isEmpty {
            let done = running.removeFirst()
            order.append(done.account)
            _ = fair.finish(done, .sent, at: start)
            running += fair.take(at: start).reminders
        }
        let turn = try #require(order.firstIndex(of: ReminderQueueTests.account(8)))
        #expect(turn <= limits.criticalTurns)
    }

    @Test("A host without an answer is left alone longer and longer, and tried again for all when it answers")
    func backOff() throws {
        let due = reminder(1, at: "http://h.example.org/a")
        var queue = queue([due])
        var now = start
        var waits: [Duration] = []
        for _ in 0..<6 {
            let reminder = try next(of: &queue, at: now)
            let end = queue.finish(reminder, .failed(.silent("")), at: now)
            let until = try #require(end)
            waits.append(until - now)
            queue.replace(with: [due])
            #expect(queue.take(at: until - .seconds(1)).reminders.isEmpty)
            #expect(queue.take(at: until - .seconds(1)).next == until)
            now = until
        }
        #expect(waits == [30, 60, 120, 240, 300, 300].map { .seconds($0) })
        // Another account at the host is not kept waiting, and its success ends the waiting.
        let other = reminder(2, at: "http://h.example.org/b")
        let failed = try next(of: &queue, at: now)
        _ = queue.finish(failed, .failed(.silent("")), at: now)
        queue.replace(with: [due, other])
        let sent = try next(of: &queue, at: now)
        #expect(sent.id == other.reminder.id)
        _ = queue.finish(sent, .sent, at: now)
        #expect(queue.take(at: now).reminders.map(\.id) == [due.reminder.id])
    }

    @Test("A host that is silent for several accounts gets one attempt at a time, and other ports are other hosts")
    func silentForSeveral() throws {
        let due = (1...20).map { reminder($0, at: "http://127.0.0.1:9000/\($0)") }
        var queue = queue(due)
        let first = queue.take(at: start).reminders
        #expect(first.count == limits.perHost)
        for reminder in first { _ = queue.finish(reminder, .failed(.silent("")), at: start) }
        #expect(queue.take(at: start).reminders.count == limits.perSilentHost)
        queue.replace(with: due + [reminder(40, at: "http://127.0.0.1:9001/")])
        #expect(queue.take(at: start).reminders.map(\.account) == [ReminderQueueTests.account(40)])
    }

    @Test("A channel that rejects messages delays neither the account's other channels nor other accounts at its host")
    func rejected() throws {
        let bad = reminder(1, at: "https://h.example.org/bad")
        let good = [reminder(1, 1, at: "https://h.example.org/good"), reminder(2, at: "https://h.example.org/")]
        var queue = queue([bad])
        let reminder = try next(of: &queue, at: start)
        _ = queue.finish(reminder, .failed(.rejected("")), at: start)
        queue.replace(with: [bad] + good)
        #expect(Set(queue.take(at: start).reminders.map(\.id)) == Set(good.map(\.reminder.id)))
    }

    @Test("A critical reminder waits for a minute at most, and one that is not permitted for an hour")
    func critical() throws {
        for (failure, wait) in [(ReminderFailure.silent(""), Duration.seconds(60)), (.notAllowed(""), .seconds(3_600))]
        {
            let due = reminder(1, at: "http://h.example.org/a", isCritical: true)
            var queue = queue([due])
            var now = start
            var last = Duration.zero
            for _ in 0..<5 {
                let reminder = try next(of: &queue, at: now)
                let end = queue.finish(reminder, .failed(failure), at: now)
                let until = try #require(end)
                last = until - now
                now = until
                queue.replace(with: [due])
            }
            #expect(last == wait)
        }
    }

    @Test("A reminder in progress, or one that was sent but cannot be recorded, is not sent again")
    func once() throws {
        let due = reminder(1, at: "http://h.example.org/a")
        var queue = queue([due])
        let reminder = try next(of: &queue, at: start)
        #expect(queue.replace(with: [due]).isEmpty)
        #expect(queue.take(at: start).reminders.isEmpty)
        #expect(queue.finish(reminder, .unrecorded, at: start) == nil)
        queue.replace(with: [due])
        #expect(queue.take(at: start + .seconds(10_000)).reminders.isEmpty)
    }

    @Test("The queue is limited, and its order stays fair")
    func bounded() {
        let crowd = (0..<2_000).map { reminder(1, $0, at: "http://h\($0).example.org/") }
        let ann = reminder(2, 9_000, at: "https://ann.example.org/")
        var queue = ReminderQueue(limits)
        #expect(queue.replace(with: crowd + [ann]).count == 2_001)
        var sent: [UUID] = []
        var running = queue.take(at: start).reminders
        while let next = running.popLast() {
            sent.append(next.account)
            _ = queue.finish(next, .sent, at: start)
            running += queue.take(at: start).reminders
        }
        #expect(sent.count == limits.queuePerAccount + 1)
        #expect(sent.contains(ReminderQueueTests.account(2)))
    }

    @Test("What was not sent in time is counted and shown; what was taken or sent is not")
    func lapsed() throws {
        let monitor = ReminderMonitor(limits)
        let (late, taken) = (reminder(1, at: "http://h.example.org/a"), reminder(1, 1, at: "http://h.example.org/b"))
        let since = try #require(late.reminder.since)
        #expect(monitor.update([late, taken], at: since.adding(minutes: 1)) == 0)
        monitor.failed(late.reminder, .silent("the channel does not answer"))
        var trouble = monitor.troubles(of: late.reminder.account)
        #expect(trouble.keys.map(\.self) == [late.reminder.channel.id])
        #expect(trouble[late.reminder.channel.id]?.waiting == 1)
        #expect(trouble[late.reminder.channel.id]?.lateSince == since)
        #expect(monitor.waiting(at: since.adding(minutes: 2)).seconds == 120)
        #expect(monitor.troubles(of: ReminderQueueTests.account(2)).isEmpty)
        #expect(monitor.update([late], at: since.adding(minutes: 30)) == 0)
        #expect(monitor.update([], at: since.adding(minutes: 61)) == 1)
        trouble = monitor.troubles(of: late.reminder.account)
        #expect(trouble[late.reminder.channel.id]?.lapsed == 1)
        #expect(monitor.totals.lapsed == [.ntfy: 1])
        #expect(monitor.totals.failed == [.ntfy: 1])
        let next = reminder(1, 2, at: "http://h.example.org/a")
        _ = monitor.update([next], at: since.adding(minutes: 62))
        monitor.sent(next.reminder, at: Instant(microseconds: 5_000_000))
        #expect(monitor.totals.sent == [.ntfy: 1] && monitor.totals.lateness[1] == 1)
        #expect(monitor.waiting(at: since).count == 0)
    }
}
