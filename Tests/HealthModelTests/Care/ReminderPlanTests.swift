import Foundation
import TestSupport
import Testing

@testable import HealthModel

/// The reminders of one plan over time, as a scheduler sends them: it wakes when it was told to.
private struct ReminderRun {
    let plan: Plan
    let clocks: CareClocks
    let recipient: ReminderRecipient
    let isCritical: Bool
    /// What is logged at which moment.
    var logged: [(at: Instant, dose: LoggedDose)] = []
    var snoozes: [(at: Instant, slot: Slot, until: Instant)] = []
    private(set) var sent = SentReminders()
    private(set) var log: [(reminder: Reminder, at: Instant)] = []

    init(_ plan: Plan, _ clocks: CareClocks, _ recipient: ReminderRecipient, isCritical: Bool = false) {
        (self.plan, self.clocks, self.recipient, self.isCritical) = (plan, clocks, recipient, isCritical)
    }

    func statuses(_ now: Instant) throws -> [SlotStatus] {
        var day = try plan.day(
            from: now.adding(minutes: -plan.late - ReminderPlan.missedMinutes),
            until: now.adding(minutes: 2_880),
            clocks,
            doses: logged.filter { $0.at <= now }.map(\.dose),
            now: now
        )
        for index in day.slots.indices {
            let known = snoozes.last { $0.at <= now && $0.slot == day.slots[index].due.slot }
            day.slots[index].snoozedUntil = known?.until
        }
        return day.slots
    }

    func round(_ now: Instant) throws -> ReminderRound {
        let doses = try statuses(now).map { ReminderDose(plan: plan.id, status: $0, isCritical: isCritical) }
        return ReminderPlan.round(about: doses, to: recipient, sent: sent, now: now)
    }

    /// Sends what is due from one moment to another; `actions` are further moments at which the scheduler wakes.
    mutating func run(from start: Instant, to end: Instant) throws {
        var now = start
        let actions = (logged.map(\.at) + snoozes.map(\.at)).sorted()
        var steps = 0
        while now < end {
            steps += 1
            try #require(steps < 10_000, "the scheduler never sleeps")
            let round = try round(now)
            for reminder in round.reminders {
                sent.add(reminder.sent(at: now))
                log.append((reminder, now))
            }
            let woken = [round.next, actions.first { $0 > now }].compactMap(\.self).min()
            let next = round.reminders.isEmpty ? woken ?? now.adding(minutes: 1_440) : now.adding(minutes: 0)
            try #require(round.reminders.isEmpty ? next > now : true, "the next moment must be ahead")
            now = round.reminders.isEmpty ? min(next, now.adding(minutes: 1_440)) : now
            if !round.reminders.isEmpty, try self.round(now).reminders.isEmpty == false {
                Issue.record("a reminder that was sent is due again at once")
                return
            }
        }
    }

    func times(of slot: Slot, _ cause: ReminderCause = .doseDue, on channel: UUID) -> [Instant] {
        log.filter {
            $0.reminder.subject.about == slot.description && $0.reminder.subject.cause == cause
                && $0.reminder.channel.id == channel
        }
        .map(\.at)
    }
}

@Suite("Reminders that are due")
struct ReminderPlanTests {
    private static let email = ReminderChannel(id: Example.id(70), kind: .email, address: "a@example.org")
    private static let hook = ReminderChannel(
        id: Example.id(71),
        kind: .webhook,
        address: "https://h.example/",
        secret: [1]
    )

    private static func recipient(
        _ channels: [ReminderChannel],
        role: ReminderRecipient.Role = .owner,
        zone: String = "UTC",
        _ edit: (inout ReminderPreferences) -> Void = { _ in }
    ) throws -> ReminderRecipient {
        var preferences = ReminderPreferences()
        edit(&preferences)
        return ReminderRecipient(
            account: Example.anna,
            role: role,
            channels: channels,
            preferences: preferences,
            clock: try PersonClock(ZoneHistory(home: zone), .real)
        )
    }

    @Test("An open dose is reminded of once on each channel, and not when it is logged, paused or to be decided")
    func once() throws {
        let plan = try Plan(daily: "08:00=1", from: "2026-03-01")
        let clocks = try CareClocks("UTC", plan: plan)
        var run = ReminderRun(plan, clocks, try ReminderPlanTests.recipient([ReminderPlanTests.email]))
        let slots = try plan.due("2026-03-02", "2026-03-05", clocks)
        run.logged = [
            (
                try .at("2026-03-03T07:00:00Z"),
                LoggedDose(
                    id: Example.id(1),
                    plan: plan.id,
                    slot: slots[1].slot,
                    status: .taken,
                    at: try .at("2026-03-03T07:00:00Z")
                )
            )
        ]
        try run.run(from: .at("2026-03-02T00:00:00Z"), to: .at("2026-03-05T00:00:00Z"))
        #expect(run.times(of: slots[0].slot, on: ReminderPlanTests.email.id) == [slots[0].due])
        #expect(run.times(of: slots[1].slot, on: ReminderPlanTests.email.id) == [])
        #expect(run.times(of: slots[2].slot, on: ReminderPlanTests.email.id) == [slots[2].due])

        var paused = plan
        paused.pauses = [PlanPause(from: WallMoment(day: try Day(parsing: "2026-03-01")))]
        var silent = ReminderRun(paused, clocks, run.recipient)
        try silent.run(from: .at("2026-03-02T00:00:00Z"), to: .at("2026-03-05T00:00:00Z"))
        #expect(silent.log.isEmpty)
    }

    @Test("Follow-ups, quiet hours and postponing")
    func preferences() throws {
        let plan = try Plan(daily: "21:30=1", from: "2026-03-01")
        let clocks = try CareClocks("UTC", plan: plan)
        let slot = try plan.due("2026-03-02", "2026-03-03", clocks)[0].slot
        func times(
            isCritical: Bool = false,
            snoozes: [(at: Instant, slot: Slot, until: Instant)] = [],
            _ edit: (inout ReminderPreferences) -> Void
        ) throws -> [String] {
            let recipient = try ReminderPlanTests.recipient([ReminderPlanTests.email], edit)
            var run = ReminderRun(plan, clocks, recipient, isCritical: isCritical)
            run.snoozes = snoozes
            try run.run(from: .at("2026-03-02T12:00:00Z"), to: .at("2026-03-03T12:00:00Z"))
            return run.times(of: slot, on: ReminderPlanTests.email.id).map(\.description)
        }
        #expect(try times { _ in } == ["2026-03-02T21:30:00Z"])
        #expect(
            try times { ($0.followUps, $0.followUpMinutes) = (2, 20) }
                == ["2026-03-02T21:30:00Z", "2026-03-02T21:50:00Z", "2026-03-02T22:10:00Z"]
        )
        let quiet: (inout ReminderPreferences) -> Void = {
            ($0.followUps, $0.followUpMinutes) = (2, 60)
            ($0.quietFrom, $0.quietUntil) = (WallTime(minutes: 22 * 60), WallTime(minutes: 7 * 60))
        }
        #expect(try times(quiet) == ["2026-03-02T21:30:00Z", "2026-03-03T07:00:00Z", "2026-03-03T08:00:00Z"])
        #expect(
            try times(isCritical: true, quiet)
                == ["2026-03-02T21:30:00Z", "2026-03-02T22:30:00Z", "2026-03-02T23:30:00Z"]
        )
        #expect(try times { $0.isEnabled = false } == [])
        let later = (
            at: try Instant.at("2026-03-02T21:35:00Z"), slot: slot, until: try Instant.at("2026-03-02T22:05:00Z")
        )
        #expect(try times(snoozes: [later]) { _ in } == ["2026-03-02T21:30:00Z", "2026-03-02T22:05:00Z"])
    }

    @Test(
        "Quiet hours end by the person's clock, also when it is set back or forward in them",
        arguments: [
            ("2026-10-24T21:00:00Z", "2026-10-25T00:30:00Z"), ("2026-10-25T00:40:00Z", nil),
            // 02:10 for the second time.
            ("2026-10-25T01:10:00Z", "2026-10-25T01:30:00Z"), ("2026-10-25T01:30:00Z", nil),
            ("2026-03-29T00:15:30Z", "2026-03-29T01:30:00Z"), ("2026-03-28T12:00:00Z", nil),
        ]
    )
    func quietHours(now: String, end: String?) throws {
        let recipient = try ReminderPlanTests.recipient([], zone: "Europe/Zurich") {
            ($0.quietFrom, $0.quietUntil) = (WallTime(minutes: 22 * 60), WallTime(minutes: 2 * 60 + 30))
        }
        #expect(recipient.quietEnd(at: try .at(now))?.description == end)
    }

    @Test("A missed dose is told to webhooks, and to caregivers if it is critical, for an hour")
    func missed() throws {
        let plan = try Plan(daily: "08:00=1", from: "2026-03-01")
        let clocks = try CareClocks("UTC", plan: plan)
        let slot = try plan.due("2026-03-02", "2026-03-03", clocks)[0].slot
        func told(
            _ role: ReminderRecipient.Role,
            _ channel: ReminderChannel,
            isCritical: Bool,
            from start: String = "2026-03-02T07:00:00Z"
        ) throws -> [String] {
            var run = ReminderRun(
                plan,
                clocks,
                try ReminderPlanTests.recipient([channel], role: role),
                isCritical: isCritical
            )
            try run.run(from: .at(start), to: .at("2026-03-03T07:00:00Z"))
            return run.times(of: slot, .doseMissed, on: channel.id).map(\.description)
        }
        let missed = ["2026-03-02T20:00:00Z"]
        #expect(try told(.owner, ReminderPlanTests.hook, isCritical: false) == missed)
        #expect(try told(.owner, ReminderPlanTests.email, isCritical: true) == [])
        #expect(try told(.caregiver, ReminderPlanTests.email, isCritical: true) == missed)
        #expect(try told(.caregiver, ReminderPlanTests.email, isCritical: false) == [])
        #expect(
            try told(.caregiver, ReminderPlanTests.email, isCritical: true, from: "2026-03-02T20:59:00Z")
                == ["2026-03-02T20:59:00Z"]
        )
        #expect(try told(.caregiver, ReminderPlanTests.email, isCritical: true, from: "2026-03-02T21:00:00Z") == [])
    }

    @Test("Each open dose of random plans is reminded of, within its limits, and never in quiet hours")
    func laws() throws {
        try checkProperty("reminders", times: 60) { random, comment in
            let plan = try Plan.random(&random)
            let table = ZoneTable.real
            let clocks = try CareClocks(ZoneHistory(home: "Europe/Zurich"), rules: plan.rules, table)
            let channels = [ReminderPlanTests.email, ReminderPlanTests.hook]
            let isCritical = random.int(0...3) == 0
            let recipient = try ReminderPlanTests.recipient(channels, zone: "Europe/Zurich") { preferences in
                preferences.followUps = random.int(0...3)
                preferences.followUpMinutes = random.int(5...120)
                if random.bool() {
                    preferences.quietFrom = WallTime(minutes: random.int(0...1_439))
                    preferences.quietUntil = WallTime(minutes: random.int(0...1_439))
                }
            }
            var run = ReminderRun(plan, clocks, recipient, isCritical: isCritical)
            // Two days that contain a change of the clock, in half of the runs.
            let start = try Instant.at(random.bool() ? "2026-03-28T03:00:00Z" : "2026-02-10T03:00:00Z")
            let end = start.adding(minutes: 2 * 1_440)
            for due in try plan.due(from: start, until: end, clocks) where random.int(0...3) == 0 {
                let at = due.due.adding(minutes: random.int(-30...90))
                run.logged.append(
                    (at, LoggedDose(id: random.id(), plan: plan.id, slot: due.slot, status: .skipped, at: at))
                )
            }
            try run.run(from: start, to: end)
            for status in try plan.day(from: start, until: end, clocks, doses: [], now: start).slots {
                let due = status.due
                guard status.state == .open || status.state == .later, let closes = status.closes, closes < end else {
                    continue
                }
                let logged = run.logged.first { $0.dose.slot == due.slot }?.at
                // When the dose can first be reminded of: when it is due, or when the quiet hours end.
                let first = isCritical ? due.due : recipient.quietEnd(at: due.due) ?? due.due
                for channel in channels {
                    let times = run.times(of: due.slot, on: channel.id)
                    let isExpected = first < closes && (logged.map { first < $0 } ?? true)
                    #expect(times.isEmpty != isExpected, comment)
                    if isExpected { #expect(times.first == first, comment) }
                    #expect(times.count <= 1 + recipient.preferences.followUps, comment)
                    #expect(times.allSatisfy { $0 < closes && $0 < logged ?? closes }, comment)
                    if !isCritical { #expect(times.allSatisfy { recipient.quietEnd(at: $0) == nil }, comment) }
                    for (one, next) in zip(times, times.dropFirst()) {
                        #expect(next >= one.adding(minutes: recipient.preferences.followUpMinutes), comment)
                    }
                }
            }
        }
    }
}
