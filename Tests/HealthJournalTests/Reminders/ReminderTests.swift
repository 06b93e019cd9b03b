import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import TestSupport
import Testing

@testable import JournalCore

@Suite("Reminders of a journal")
struct ReminderTests {
    @Test("A reminder is due until it is recorded, and is recorded once")
    func sentOnce() async throws {
        let scene = try await CareScene("08:00=1")
        _ = try await scene.journal.reminders.addChannel(.email, address: "anna@example.org", detail: nil, scene.owner)
        let morning = Instant.parsed("2026-03-02T08:00:00Z")
        #expect(try await scene.journal.reminders.dueReminders(at: morning.adding(minutes: -1)).reminders.isEmpty)
        #expect(try await scene.journal.reminders.dueReminders(at: morning.adding(minutes: -1)).next == morning)
        let due = try await scene.journal.reminders.dueReminders(at: morning).reminders
        #expect(due.map(\.text) == ["Something is due"])
        let reminder = try #require(due.first)
        // As after a crash between the sending and its record.
        #expect(try await scene.journal.reminders.dueReminders(at: morning).reminders == due)
        let before = try scene.household.head
        try await scene.journal.reminders.keep(reminder, at: morning)
        try await scene.journal.reminders.keep(reminder, at: morning)
        let events = try scene.household.events(after: before)
        #expect(events.map(\.type) == [ReminderSent.type])
        #expect(events.first?.subject == scene.record)
        #expect(try await scene.journal.reminders.dueReminders(at: morning.adding(minutes: 5)).reminders.isEmpty)
        #expect(try await scene.journal.reminders.dueReminders(at: morning.adding(minutes: 1_440)).reminders.count == 1)
    }

    @Test("Who gets reminders, and who is told about missed critical doses")
    func recipients() async throws {
        let scene = try await CareScene("08:00=1", ["critical": "true", "late": "60"])
        let nurse = try await scene.caregiver("nurse")
        let quiet = try await scene.caregiver("quiet") { $0.notifies = false }
        let doctor = try await scene.caregiver("doctor") { $0.sections = [.doctorlist] }
        for caller in [scene.owner, nurse, quiet, doctor] {
            _ = try await scene.journal.reminders.addChannel(
                .email,
                address: "\(caller.name)@example.org",
                detail: .names,
                caller
            )
        }
        func told(_ at: String) async throws -> [String] {
            try await scene.journal.reminders.dueReminders(at: .parsed(at)).reminders
                .map { "\($0.reminder.channel.address) \($0.text)" }
        }
        #expect(try await told("2026-03-02T08:30:00Z") == ["owner@example.org Lisinopril, 1 tablet: due at 08:00"])
        #expect(try await told("2026-03-02T09:00:00Z") == ["nurse@example.org Lisinopril, 1 tablet: missed at 08:00"])
        _ = try await scene.journal.sharing.revoke(nurse.account, on: scene.record, scene.owner)
        #expect(try await told("2026-03-02T09:00:00Z").isEmpty)
    }

    @Test("A reminder that was postponed is due again at its time, and is shown as postponed until then")
    func snoozed() async throws {
        let scene = try await CareScene()
        _ = try await scene.journal.reminders.addChannel(.email, address: "anna@example.org", detail: nil, scene.owner)
        try scene.household.clock.set("2026-03-02T08:05:00Z")
        let target = DoseRequest.Target.wall(try WallMoment(parsing: "2026-03-02T08:00"))
        let until = DoseRequest.Moment.wall(try WallMoment(parsing: "2026-03-02T08:30"))
        let half = Instant.parsed("2026-03-02T08:30:00Z")
        let first = try #require(try await scene.journal.reminders.dueReminders(at: scene.journal.now).reminders.first)
        try await scene.journal.reminders.keep(first, at: scene.journal.now)
        #expect(try await scene.journal.care.snoozeDose(target, of: scene.plan, until: until, scene.owner).isChanged)
        #expect(try await !scene.journal.care.snoozeDose(target, of: scene.plan, until: until, scene.owner).isChanged)
        let slots = try await scene.journal.care.today(of: scene.record, CareQuestion(), scene.owner).plans[0].day.slots
        #expect(slots.map(\.snoozedUntil) == [half, nil])
        #expect(slots.map(\.state) == [.open, .later])
        #expect(try await scene.journal.reminders.dueReminders(at: half.adding(minutes: -1)).reminders.isEmpty)
        #expect(try await scene.journal.reminders.dueReminders(at: half).reminders.count == 1)
        for (wrong, field) in [("2026-03-02T08:00", "until"), ("2026-03-02T20:00", "until")] {
            let error = await refusal {
                _ = try await scene.journal.care.snoozeDose(
                    target,
                    of: scene.plan,
                    until: .wall(WallMoment(parsing: wrong)),
                    scene.owner
                )
            }
            #expect(error?.field == field)
        }
        let reader = try await scene.caregiver("reader")
        #expect(
            await refusal {
                _ = try await scene.journal.care.snoozeDose(target, of: scene.plan, until: until, reader)
            }?
            .code == .refused
        )
    }

    @Test("A webhook is told once for each delivery that the stock runs low")
    func stock() async throws {
        let scene = try await CareScene("08:00=1", ["trackStock": "true", "refillLead": "4"])
        let made = try await scene.journal.reminders.addChannel(
            .webhook,
            address: "https://tool.example.org/",
            detail: nil,
            scene.owner
        )
        #expect(made.secret?.hasPrefix("whsec_") == true)
        _ = try await scene.household.add(
            "supply",
            ["of": scene.plan.text, "what": "received", "amount": "5", "date": "2026-03-02T09:00:00Z"],
            to: scene.record
        )
        func causes(_ at: String) async throws -> [ReminderCause] {
            let found = try await scene.journal.reminders.dueReminders(at: .parsed(at)).reminders
            for reminder in found { try await scene.journal.reminders.keep(reminder, at: .parsed(at)) }
            return found.map(\.reminder.subject.cause).filter { $0 == .stockLow }
        }
        #expect(try await causes("2026-03-02T12:00:00Z") == [])
        try scene.household.clock.set("2026-03-04T12:00:00Z")
        _ = try await scene.household.add(
            "supply",
            ["of": scene.plan.text, "what": "discarded", "amount": "3", "date": "2026-03-04T09:00:00Z"],
            to: scene.record
        )
        #expect(try await causes("2026-03-04T12:00:00Z") == [.stockLow])
        #expect(try await causes("2026-03-05T12:00:00Z") == [])
    }

    @Test("Channels are the account's own, have a limit, and their addresses are checked")
    func channels() async throws {
        let scene = try await CareScene()
        for (kind, address) in [
            (ReminderChannel.Kind.email, "-oQ@example.org"), (.email, "a b@example.org"), (.email, "anna"),
            (.ntfy, "ftp://n.example.org/"), (.webhook, "https://user@h.example.org/"), (.ntfy, "https:///x"),
        ] {
            let error = await refusal {
                _ = try await scene.journal.reminders.addChannel(kind, address: address, detail: nil, scene.owner)
            }
            #expect(error?.field == "address", "\(address)")
        }
        var ids: [UUID] = []
        for number in 0..<Limits.channels {
            ids.append(
                try await scene.journal.reminders
                    .addChannel(.email, address: "a\(number)@example.org", detail: nil, scene.owner)
                    .id
            )
        }
        #expect(
            await refusal {
                _ = try await scene.journal.reminders.addChannel(
                    .email,
                    address: "b@example.org",
                    detail: nil,
                    scene.owner
                )
            }?
            .code == .conflict
        )
        let other = try await scene.household.account("other")
        #expect(await refusal { _ = try await scene.journal.reminders.removeChannel(ids[0], other) }?.code == .notFound)
        _ = try await scene.journal.reminders.removeChannel(ids[0], scene.owner)
        #expect(try await scene.journal.reminders.channels(scene.owner).map(\.id) == Array(ids.dropFirst()))
        try scene.household.reopen()
        #expect(try await scene.journal.reminders.channels(scene.owner).count == Limits.channels - 1)
    }

    @Test("A new serious interaction is told once to whoever may see it, without names unless they were chosen")
    func interactions() async throws {
        let scene = try await CareScene("08:00=1")
        let nurse = try await scene.caregiver("nurse")
        let pharmacist = try await scene.caregiver("pharmacist") { $0.sections = [.conflicts] }
        let quiet = try await scene.caregiver("quiet") {
            ($0.sections, $0.notifies) = ([.conflicts], false)
        }
        for caller in [scene.owner, nurse, pharmacist, quiet] {
            let detail: ReminderDetail = caller.name == "pharmacist" ? .names : .neutral
            let address = "\(caller.name)@example.org"
            _ = try await scene.journal.reminders.addChannel(.email, address: address, detail: detail, caller)
        }
        func told(_ at: Instant) async throws -> [OutgoingReminder] {
            try await scene.journal.reminders.dueReminders(at: at).reminders
                .filter { $0.reminder.subject.cause == .interactionFound }
        }
        #expect(try await told(scene.journal.now).isEmpty)
        _ = try await scene.journal.interactionChecks.loadRules(RuleSetDocument.starter, scene.owner)
        for name in ["Dafalgan", "Panadol"] {
            var content = try entry("drug", ["name": name])
            try content.set("substances.0.name", text: "Paracetamol")
            let first = WallMoment(day: try Day(parsing: "2026-03-01"))
            let pattern = try PlanRule.Pattern(.daily, parsing: "08:00=1", anchor: first.day) { UUID() }
            content.addRule(PlanRule(id: UUID(), from: first, pattern: pattern, recordedAt: Instant(microseconds: 0)))
            _ = try await scene.journal.entries.addEntry(content, to: scene.record, scene.owner)
        }
        let found = try await told(scene.journal.now)
        let texts = found.map { "\($0.reminder.channel.address) \($0.text)" }.sorted()
        #expect(texts.count == 2)
        #expect(texts.first == "owner@example.org Something needs your attention")
        let named = try #require(texts.last)
        #expect(named.hasPrefix("pharmacist@example.org Possible interaction: "))
        #expect(named.contains("Panadol"))
        // The reminder is sent once, and only within a day after the finding was recorded.
        #expect(try await told(scene.journal.now.adding(minutes: 1_441)).isEmpty)
        for reminder in found { try await scene.journal.reminders.keep(reminder, at: scene.journal.now) }
        #expect(try await told(scene.journal.now.adding(minutes: 5)).isEmpty)
    }

    @Test("A finding that was settled, or is not serious, is not told")
    func settledInteractions() async throws {
        let scene = try await CareScene("08:00=1")
        _ = try await scene.journal.reminders.addChannel(.email, address: "a@example.org", detail: nil, scene.owner)
        _ = try await scene.journal.interactionChecks.loadRules(RuleSetDocument.starter, scene.owner)
        _ = try await scene.household.add("allergy", ["name": "Lisinopril"], to: scene.record)
        _ = try await scene.journal.interactionChecks.check(scene.record, scene.owner)
        let finding = try #require(
            try await scene.journal.interactionChecks.findings(of: scene.record, isOpen: true, scene.owner)
                .first { $0.severity == .critical }
        )
        func causes() async throws -> [ReminderCause] {
            try await scene.journal.reminders.dueReminders(at: scene.journal.now).reminders
                .map(\.reminder.subject.cause)
        }
        #expect(try await causes().count { $0 == .interactionFound } == 1)
        var caller = scene.owner
        caller.reason = "tolerated for years"
        for open in try await scene.journal.interactionChecks.findings(of: scene.record, isOpen: true, scene.owner)
        where open.severity?.isAlarming == true {
            _ = try await scene.journal.interactionChecks.resolve(open.id, as: .accepted, caller)
        }
        #expect(finding.state == .open)
        #expect(try await !causes().contains(.interactionFound))
    }

    @Test("A reminder of a plan with two versions says so, until somebody decides")
    func twoVersions() async throws {
        let scene = try await CareScene("08:00=1")
        _ = try await scene.journal.reminders.addChannel(.email, address: "a@example.org", detail: nil, scene.owner)
        let morning = Instant.parsed("2026-03-02T08:30:00Z")
        func texts() async throws -> [String] {
            try await scene.journal.reminders.dueReminders(at: morning).reminders.map(\.text)
        }
        #expect(try await texts() == ["Something is due"])
        let base = try #require(try scene.journal.log.newest(of: scene.plan)?.position)
        let device = try await scene.journal.sync.addDevice(named: "phone", scene.owner).id
        let before = try await scene.journal.entries.entry(named: scene.plan.text, scene.owner).content
        _ = try await scene.journal.entries.correctEntry(scene.plan, scene.owner) {
            $0.body[Drug.dosage] = .text("a")
        }
        var content = before
        content.body[Drug.dosage] = .text("b")
        let command = SyncCommand(
            id: "one",
            device: device,
            seq: 1,
            madeAt: scene.journal.now,
            record: scene.record,
            entry: scene.plan,
            kind: Drug.kind,
            action: .correct,
            base: base,
            content: content
        )
        #expect(try await scene.journal.sync.take(command, offset: 0, scene.owner).outcome == .diverged)
        #expect(try await texts() == ["Something is due; two versions of the plan exist, decide which one holds"])
        let position = try #require(try scene.journal.sync.divergences(ofEntry: scene.plan).first?.document.position)
        _ = try await scene.journal.sync.settle(position, .keep, scene.owner)
        #expect(try await texts() == ["Something is due"])
    }

    @Test("Names are not sent over plain HTTP, except to the machine itself")
    func unencrypted() async throws {
        let scene = try await CareScene()
        func add(_ address: String, _ detail: ReminderDetail) async -> JournalError? {
            await refusal {
                _ = try await scene.journal.reminders.addChannel(.ntfy, address: address, detail: detail, scene.owner)
            }
        }
        for host in ["ntfy.example.org", "192.168.1.5", "127.0.0.1.example.org", "127.1", "localhost.example.org"] {
            let error = await add("http://\(host)/a", .names)
            #expect(error?.code == .invalid, "\(host)")
            #expect(error?.field == "detail", "\(host)")
            #expect(await add("HTTP://\(host)/a", .names)?.field == "detail", "\(host)")
        }
        #expect(await add("http://ntfy.example.org/a", .neutral) == nil)
        for host in ["127.0.0.1:81", "localhost", "[::1]:8080"] {
            #expect(await add("http://\(host)/a", .names) == nil)
        }
        #expect(await add("https://ntfy.example.org/a", .names) == nil)
        // Those that were added by an earlier version get no names either.
        let old = ReminderChannel(id: UUID(), kind: .ntfy, address: "http://n.example.org/", showsNames: true)
        #expect(!old.carriesNames)
    }

    @Test("An account can send only a few test messages at once")
    func tests() async throws {
        let scene = try await CareScene()
        let made = try await scene.journal.reminders.addChannel(
            .email,
            address: "a@example.org",
            detail: .neutral,
            scene.owner
        )
        var caller = scene.owner
        caller.source = .http
        for _ in 0..<5 { _ = try await scene.journal.reminders.channelToTest(made.id, caller) }
        let error = await refusal { _ = try await scene.journal.reminders.channelToTest(made.id, caller) }
        #expect(error?.code == .busy)
        #expect(error?.retryAfter == 1)
        // Passwords are counted by themselves.
        #expect(scene.journal.signIns.limiter.admit(.current(caller.account), from: nil) == .admitted)
        #expect(await refusal { _ = try await scene.journal.reminders.channelToTest(made.id, scene.owner) } == nil)
        try scene.household.clock.set("2026-03-02T12:00:02Z")
        _ = try await scene.journal.reminders.channelToTest(made.id, caller)
        #expect(
            await refusal { _ = try await scene.journal.reminders.channelToTest(UUID(), caller) }?.code == .notFound
        )
    }

    @Test("A reminder that the operator does not permit is recorded as refused")
    func refused() async throws {
        let scene = try await CareScene()
        _ = try await scene.journal.reminders.addChannel(.email, address: "anna@example.org", detail: nil, scene.owner)
        let found = try await scene.journal.reminders.dueReminders(at: .parsed("2026-03-02T08:00:00Z")).reminders
        let before = try scene.household.head
        try await scene.journal.reminders.refuseReminder(try #require(found.first), reason: "not named")
        let denied = try #require(try scene.household.events(after: before).last?.event.data as? AccessDenied)
        #expect(denied.access.action == .reminder)
        #expect(denied.access.purpose == "not named")
    }

    @Test("One process sends the reminders of a journal")
    func lock() async throws {
        let scene = try await CareScene()
        var lock = try scene.journal.reminders.reminderLock()
        #expect(lock != nil)
        #expect(try scene.journal.reminders.reminderLock() == nil)
        lock = nil
        #expect(try scene.journal.reminders.reminderLock() != nil)
    }
}
