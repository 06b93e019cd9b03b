import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalReplication

@Suite("Replicas of a journal")
struct ReplicaTests {
    private static func household() async throws -> (home: TestHousehold, record: UUID, plan: UUID) {
        let home = try await TestHousehold(clock: TestClock("2026-02-27"))
        let record = try await home.person("Anna")
        var content = try entry("drug", ["name": "Lisinopril", "unit": "tablet"])
        let first = try WallMoment(parsing: "2026-03-01")
        let pattern = try PlanRule.Pattern(.daily, parsing: "08:00=1,20:00=1", anchor: first.day) { UUID() }
        content.addRule(PlanRule(id: UUID(), from: first, pattern: pattern, recordedAt: Instant(microseconds: 0)))
        let plan = try #require(try await home.journal.entries.addEntry(content, to: record, home.owner).entry)
        try home.clock.set("2026-03-05T12:00:00Z")
        return (home, record, plan)
    }

    private static func dose(_ plan: UUID, _ wall: String, at: String) throws -> DoseRequest {
        var request = DoseRequest(plan: plan, status: .taken)
        request.target = .wall(try WallMoment(parsing: wall))
        request.at = .instant(try Instant(parsing: at))
        return request
    }

    private static func expectAlike(
        _ home: TestHousehold,
        _ record: UUID,
        _ replicas: [TestReplica],
        _ caller: Caller? = nil,
        _ comment: Comment? = nil,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        var position = try home.head
        for replica in replicas { position = min(position, try await replica.open { $0.state.through }) }
        let (now, asOf) = (home.journal.now, position)
        let truth = try await Sighting(home.journal, record, caller ?? home.owner, asOf: asOf, now: now)
        for replica in replicas {
            let seen = try await replica.work { journal, caller in
                try await Sighting(journal, record, caller, asOf: asOf, now: now)
            }
            #expect(seen == truth, comment, sourceLocation: location)
        }
    }

    @Test("A change made offline is shown here at once, and everywhere after all have synced")
    func offline() async throws {
        let (home, record, plan) = try await Self.household()
        let phone = try await TestReplica(of: home, home.owner, name: "phone")
        let tablet = try await TestReplica(of: home, home.owner, name: "tablet")
        for replica in [phone, tablet] { try await replica.sync() }
        try await Self.expectAlike(home, record, [phone, tablet])
        let base = try await phone.open { $0.state.through }
        let logged = try await phone.work { journal, caller in
            try await journal.care.logDose(
                Self.dose(plan, "2026-03-02T08:00", at: "2026-03-02T08:02:00Z"),
                in: record,
                caller
            )
        }
        // What waits comes after all positions of the service.
        #expect(logged.write.position == base + 1)
        let again = try await phone.work { journal, caller in
            try await journal.care.logDose(
                Self.dose(plan, "2026-03-02T08:00", at: "2026-03-02T08:03:00Z"),
                in: record,
                caller
            )
        }
        #expect(again.write.entry == logged.write.entry)
        #expect(!again.write.isChanged)
        #expect(try await phone.items().count == 1)
        _ = try await tablet.work { journal, caller in
            try await journal.care.logDose(
                Self.dose(plan, "2026-03-02T08:00", at: "2026-03-02T08:40:00Z"),
                in: record,
                caller
            )
        }
        for replica in [phone, tablet, phone] { try await replica.sync() }
        try await Self.expectAlike(home, record, [phone, tablet])
        // One pill or two? Settled on a replica.
        let open = try await tablet.work { try await $0.sync.divergences(of: record, $1) }
        let kept = try #require(open.first)
        #expect(open.count == 1)
        #expect(kept.kept.deviceName == "tablet")
        #expect(kept.shown.authorName == "owner")
        _ = try await tablet.work { try await $0.sync.settle(kept.position, .both, $1) }
        for replica in [tablet, phone] { try await replica.sync() }
        try await Self.expectAlike(home, record, [phone, tablet])
        let doses = try await home.state(record).entries.filter { $0.kind == Dose.kind }
        #expect(doses.count == 2)
    }

    @Test("A change that is cut off between the outbox and the copy is shown when the replica is opened again")
    func repair() async throws {
        let (home, record, _) = try await Self.household()
        let phone = try await TestReplica(of: home, home.owner, name: "phone")
        try await phone.sync()
        let weight = try entry("weight", ["value": "71", "unit": "kg"])
        let first = try await phone.work { try #require(try await $0.entries.addEntry(weight, to: record, $1).entry) }
        // Without the copy, and with one that is damaged, the outbox has everything.
        for damage in ["", "log/data.mdb", "of"] {
            try await phone.open { replica in
                if damage.isEmpty {
                    try FileManager.default.removeItem(atPath: replica.folder.work.path)
                } else {
                    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: replica.folder.work.path + "/" + damage))
                }
            }
            let seen = try await phone.work { try await $0.entries.entry(named: first.text, $1).content }
            #expect(seen.body.text(Weight.value) == nil || seen == weight)
            #expect(seen.body == weight.body)
        }
        try await phone.sync()
        #expect(try await phone.items().allSatisfy { !$0.isWaiting })
        try await Self.expectAlike(home, record, [phone])
    }

    @Test("A mirror that was deleted and fetched again equals the one that was kept, and what waits is not lost")
    func mirrorAgain() async throws {
        let (home, record, _) = try await Self.household()
        let phone = try await TestReplica(of: home, home.owner, name: "phone")
        let tablet = try await TestReplica(of: home, home.owner, name: "tablet")
        for replica in [phone, tablet] { try await replica.sync() }
        let weight = try entry("weight", ["value": "71", "unit": "kg"])
        _ = try await phone.work { try await $0.entries.addEntry(weight, to: record, $1) }
        try FileManager.default.removeItem(atPath: phone.folder.mirror.path)
        try FileManager.default.removeItem(atPath: phone.folder.work.path)
        try await phone.pull(limit: 1)
        #expect(try await phone.work { try await $0.records.read(record, ReadOptions(), $1).state.entries.count } == 2)
        for replica in [phone, tablet] { try await replica.sync() }
        try await Self.expectAlike(home, record, [phone, tablet])
    }

    @Test("What the account no longer sees is gone with its key; what was refused stays in the outbox")
    func forgetting() async throws {
        let (home, record, plan) = try await Self.household()
        let anna = try await home.account("Anna")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.read, .contribute])
        _ = try await home.journal.sharing.grant(terms, to: anna.account, on: record, home.owner)
        let phone = try await TestReplica(of: home, anna, name: "phone")
        try await phone.sync()
        try await Self.expectAlike(home, record, [phone], anna)
        let weight = try entry("weight", ["value": "71", "unit": "kg"])
        _ = try await phone.work { try await $0.entries.addEntry(weight, to: record, $1) }
        // A caregiver may not change what others wrote, online or offline.
        let refused = await refusal {
            try await phone.work { _ = try await $0.entries.retractEntry(plan, $1) }
        }
        #expect(refused?.code == .refused)
        _ = try await home.journal.sharing.revoke(anna.account, on: record, home.owner)
        try await phone.sync()
        let items = try await phone.items()
        #expect(items.count == 1)
        #expect(items.first?.answer?.problem == "refused")
        #expect(items.first?.change.content == weight)
        #expect(
            await refusal { try await phone.work { _ = try await $0.records.read(record, ReadOptions(), $1) } } != nil
        )
        // No part of the folder has a key that opens what was fetched of the record: the subject is in no key file.
        for part in [phone.folder.mirror, phone.folder.work] {
            #expect(try !phone.hasKey(of: record, in: part))
        }
        #expect(try phone.hasKey(of: record, in: phone.folder.outbox))
        // The grant is given again: everything is there again, and the change is taken.
        _ = try await home.journal.sharing.grant(terms, to: anna.account, on: record, home.owner)
        try await phone.sync(retrying: true)
        try await phone.sync()
        #expect(try await phone.items().allSatisfy { $0.answer?.outcome == .taken })
        try await Self.expectAlike(home, record, [phone], anna)
        // After another revocation, the outbox has nothing either: what the service took is not kept.
        _ = try await home.journal.sharing.revoke(anna.account, on: record, home.owner)
        try await phone.sync()
        for part in [phone.folder.outbox, phone.folder.mirror] {
            #expect(try !phone.hasKey(of: record, in: part))
        }
    }

    @Test("A change that was refused and is discarded leaves nothing in the outbox")
    func discarding() async throws {
        let (home, record, _) = try await Self.household()
        let phone = try await TestReplica(of: home, home.owner, name: "phone")
        try await phone.sync()
        let weight = try entry("weight", ["value": "71", "unit": "kg"])
        _ = try await phone.work { try await $0.entries.addEntry(weight, to: record, $1) }
        _ = try await home.journal.records.closeRecord(record, home.owner)
        try await phone.sync()
        let refused = try await phone.items().filter(\.isRefused).map(\.change)
        #expect(refused.count == 1)
        #expect(try phone.hasKey(of: record, in: phone.folder.outbox))
        try await phone.open { try await $0.discard(refused) }
        #expect(try await phone.items().isEmpty)
        #expect(try !phone.hasKey(of: record, in: phone.folder.outbox))
    }

    /// Whether the sync is interrupted before the service's page is stored, or after it.
    @Test("A sync that is interrupted while it forgets a record is completed by the next", arguments: [true, false])
    func interruptedForgetting(isEarly: Bool) async throws {
        let (home, record, _) = try await Self.household()
        let anna = try await home.account("Anna")
        _ = try await home.journal.sharing.grant(GrantTerms(), to: anna.account, on: record, home.owner)
        let phone = try await TestReplica(of: home, anna, name: "phone")
        try await phone.sync()
        _ = try await home.journal.sharing.revoke(anna.account, on: record, home.owner)
        if isEarly {
            try await phone.open { try $0.forget([record], erased: []) }
        } else {
            let page = try await phone.page(after: phone.open { $0.state.through }, limit: 1_000)
            try await phone.open { replica in
                try replica.forget([record], erased: [])
                _ = try await replica.fill(page, except: [record])
                try replica.update { ($0.through, $0.sight) = (page.through, page.sight) }
            }
        }
        #expect(
            await refusal { try await phone.work { _ = try await $0.records.read(record, ReadOptions(), $1) } } != nil
        )
        #expect(try await phone.work { try await $0.records.listRecords($1).isEmpty })
        try await phone.sync()
        #expect(try await phone.open { $0.state.forgetting.isEmpty })
        #expect(try Data(phone.bytes()).firstRange(of: Data([UInt8](record))) == nil)
        // A grant that was given again meanwhile is followed too.
        for terms in [GrantTerms(), GrantTerms(sections: [.myhealth])] {
            _ = try await home.journal.sharing.grant(terms, to: anna.account, on: record, home.owner)
            try await phone.sync()
            try await Self.expectAlike(home, record, [phone], anna)
            try await phone.open { try $0.forget([record], erased: []) }
            _ = try await home.add("weight", ["value": "72", "unit": "kg"], to: record)
            try await phone.sync()
            try await Self.expectAlike(home, record, [phone], anna)
        }
    }

    @Test("A reminder that is postponed on one device is postponed everywhere; the later of two counts")
    func snoozes() async throws {
        let (home, record, plan) = try await Self.household()
        let phone = try await TestReplica(of: home, home.owner, name: "phone")
        let tablet = try await TestReplica(of: home, home.owner, name: "tablet")
        for replica in [phone, tablet] { try await replica.sync() }
        let slot = DoseRequest.Target.wall(try WallMoment(parsing: "2026-03-05T20:00"))
        func postpone(_ replica: TestReplica, _ until: String) async throws {
            let end = DoseRequest.Moment.instant(try Instant(parsing: until))
            _ = try await replica.work { try await $0.care.snoozeDose(slot, of: plan, until: end, $1) }
        }
        func shown(_ replica: TestReplica) async throws -> Bool {
            let question = CareQuestion(
                from: try Day(parsing: "2026-03-05"),
                to: try Day(parsing: "2026-03-06"),
                now: home.journal.now
            )
            let due = try await replica.work { try await $0.care.due(of: record, question, $1).document.json }
            return JSONWriter.text(due).contains("2026-03-05T20:30:00Z")
        }
        try await postpone(tablet, "2026-03-05T20:15:00Z")
        try await postpone(phone, "2026-03-05T20:30:00Z")
        #expect(try await shown(phone))
        #expect(try await !shown(tablet))
        for replica in [phone, tablet, phone] { try await replica.sync() }
        for replica in [phone, tablet] { #expect(try await shown(replica)) }
        try await Self.expectAlike(home, record, [phone, tablet])
        // A mirror that is written anew keeps it.
        let other = try await home.person("Other")
        let anna = try await home.account("Anna")
        let third = try await TestReplica(of: home, anna, name: "third")
        for of in [record, other] {
            _ = try await home.journal.sharing.grant(
                GrantTerms(sections: [.myhealth]),
                to: anna.account,
                on: of,
                home.owner
            )
        }
        try await third.sync()
        _ = try await home.journal.sharing.revoke(anna.account, on: other, home.owner)
        try await third.sync()
        #expect(try await shown(third))
    }

    @Test("A medication that was added offline is checked for interactions when it is sent")
    func interactions() async throws {
        let (home, record, _) = try await Self.household()
        _ = try await home.journal.interactionChecks.loadRules(RuleSetDocument.starter, home.owner)
        let phone = try await TestReplica(of: home, home.owner, name: "phone")
        try await phone.sync()
        for name in ["Dafalgan", "Panadol"] {
            var content = try entry("drug", ["name": name])
            try content.set("substances.0.name", text: "Paracetamol")
            let first = try WallMoment(parsing: "2026-03-01")
            let pattern = try PlanRule.Pattern(.daily, parsing: "08:00=1", anchor: first.day) { UUID() }
            content.addRule(PlanRule(id: UUID(), from: first, pattern: pattern, recordedAt: Instant(microseconds: 0)))
            let drug = content
            _ = try await phone.work { try await $0.entries.addEntry(drug, to: record, $1) }
        }
        try await phone.sync()
        let found = try await home.journal.interactionChecks.findings(of: record, home.owner)
        #expect(found.contains { $0.details.first?.type == "duplicate" })
    }

    /// A wrong clock, or a log that is older than its checkpoint, is mended by an operator.
    @Test(
        "A change is not refused because the service cannot record anything",
        arguments: [EventLogError.Code.clockWrong, .rolledBack, .differentHistory, .diskFull, .busy]
    )
    func unavailable(_ code: EventLogError.Code) {
        #expect(JournalError(EventLogError(code, "")).isTransient)
        #expect(!JournalError(EventLogError(.versionConflict, "")).isTransient)
    }

    @Test("A request is shown as a whole or not at all")
    func wholeRequests() async throws {
        let (home, record, plan) = try await Self.household()
        let phone = try await TestReplica(of: home, home.owner, name: "phone")
        try await phone.sync()
        let before = try await phone.work { try await $0.records.read(record, ReadOptions(), $1).state.entries }
        let weight = try entry("weight", ["value": "71", "unit": "kg"])
        // The service refuses the second change, because the entry is of another kind.
        let error = await refusal {
            try await phone.work { journal, caller in
                let added = UUID()
                var change = try Change(journal, caller)
                let of = (record: record, version: try journal.log.version(of: plan))
                try change.add(.entryAdded(weight), in: .entry(added, of: record, Weight.kind))
                try change.add(
                    .entryCorrected(weight),
                    in: .entry(plan, of: of.record, Drug.kind),
                    expecting: .exact(of.version)
                )
                _ = try await change.commit()
            }
        }
        #expect(error?.code == .invalid)
        #expect(try await phone.items().isEmpty)
        #expect(try await phone.work { try await $0.records.read(record, ReadOptions(), $1).state.entries } == before)
    }

    @Test("A narrower and a wider grant are followed")
    func scopes() async throws {
        let (home, record, _) = try await Self.household()
        let anna = try await home.account("Anna")
        _ = try await home.add("doctor", ["name": "Dr. Rossi"], to: record)
        _ = try await home.journal.sharing.grant(GrantTerms(), to: anna.account, on: record, home.owner)
        let phone = try await TestReplica(of: home, anna, name: "phone")
        try await phone.sync()
        func kinds() async throws -> Set<Kind> {
            try await phone.work { Set(try await $0.records.read(record, ReadOptions(), $1).state.entries.map(\.kind)) }
        }
        #expect(try await kinds() == [Drug.kind, Doctor.kind])
        _ = try await home.journal.sharing.grant(
            GrantTerms(sections: [.doctorlist]),
            to: anna.account,
            on: record,
            home.owner
        )
        try await phone.sync()
        #expect(try await kinds() == [Doctor.kind])
        _ = try await home.journal.sharing.grant(GrantTerms(), to: anna.account, on: record, home.owner)
        try await phone.sync()
        #expect(try await kinds() == [Drug.kind, Doctor.kind])
    }

    @Test("An erased record leaves no text in the folder, and the changes of it that waited are gone")
    func erasure() async throws {
        let (home, record, _) = try await Self.household()
        let phone = try await TestReplica(of: home, home.owner, name: "phone")
        try await phone.sync()
        let secret = try entry("weight", ["value": "71", "unit": "kg", "comment": "Pneumonoultramicroscopic"])
        _ = try await phone.work { try await $0.entries.addEntry(secret, to: record, $1) }
        #expect(try Data(phone.bytes()).firstRange(of: Data("Pneumonoultramicroscopic".utf8)) == nil)
        var caller = home.owner
        caller.reason = "the person asked for it"
        _ = try await home.journal.erasure.eraseRecord(record, caller)
        try await phone.sync()
        #expect(try await phone.items().isEmpty)
        #expect(try await phone.work { try await $0.records.listRecords($1).isEmpty })
        #expect(try Data(phone.bytes()).firstRange(of: Data("Pneumonoultramicroscopic".utf8)) == nil)
    }

    @Test("An erased entry leaves no readable trace on a device, and the other entries stay")
    func entryErasure() async throws {
        let (home, record, _) = try await Self.household()
        let secret = try entry("weight", ["value": "71", "unit": "kg", "comment": "Pneumonoultramicroscopic"])
        let wrong = try #require(try await home.journal.entries.addEntry(secret, to: record, home.owner).entry)
        let kept = try await home.add("weight", ["value": "72", "unit": "kg"], to: record)
        let phone = try await TestReplica(of: home, home.owner, name: "phone")
        try await phone.sync()
        func entries() async throws -> Set<UUID> {
            let options = ReadOptions(kinds: [Weight.kind], includesRetracted: true)
            return try await phone.work { Set(try await $0.records.read(record, options, $1).state.entries.map(\.id)) }
        }
        #expect(try await entries() == [wrong, kept])
        var caller = home.owner
        caller.reason = "it was not hers"
        _ = try await home.journal.erasure.eraseEntry(wrong, caller)
        try await phone.sync()
        #expect(try await entries() == [kept])
        // What was added on the device, and sent, is not kept in its outbox either.
        let note = try entry("weight", ["value": "70", "unit": "kg", "comment": "Floccinaucinihilipilification"])
        let noted = try #require(try await phone.work { try await $0.entries.addEntry(note, to: record, $1).entry })
        try await phone.sync()
        #expect(try await phone.items().contains { $0.change.entry == noted })
        _ = try await home.journal.erasure.eraseEntry(noted, caller)
        _ = try await home.journal.erasure.eraseEntry(kept, caller)
        try await phone.sync()
        #expect(try await !phone.items().contains { $0.change.entry == noted })
        #expect(try await entries() == [])
        let late = try await home.add("weight", ["value": "73", "unit": "kg"], to: record)
        try await phone.sync()
        #expect(try await entries() == [late])
        let unreadable = try phone.mirrored { log in
            try log.events(after: 0).filter { [wrong, kept, noted].contains($0.header.entry) && $0.isSealedByEntry }
                .map { event in (try? log.open(event)) == nil }
        }
        #expect(unreadable.allSatisfy { $0 })
        // A device that is new gets nothing of the entry.
        let tablet = try await TestReplica(of: home, home.owner, name: "tablet")
        try await tablet.sync()
        let none = try tablet.mirrored { log in
            try log.events(after: 0).filter { $0.header.entry == wrong && $0.isSealedByEntry }
        }
        #expect(none.isEmpty)
    }

    @Test("A waiting change of an erased entry is removed from the outbox, and a narrowed grant does not stop the sync")
    func entryErasureAndScopes() async throws {
        let (home, record, _) = try await Self.household()
        let anna = try await home.account("Anna")
        _ = try await home.journal.sharing.grant(
            GrantTerms(verbs: [.read, .contribute]),
            to: anna.account,
            on: record,
            home.owner
        )
        let phone = try await TestReplica(of: home, anna, name: "phone")
        try await phone.sync()
        func add(_ value: String) async throws -> UUID {
            let weight = try entry("weight", ["value": value, "unit": "kg"])
            return try #require(try await phone.work { try await $0.entries.addEntry(weight, to: record, $1).entry })
        }
        let (first, second) = (try await add("70"), try await add("71"))
        try await phone.sync()
        _ = try await phone.work { journal, caller in
            try await journal.entries.correctEntry(first, caller) { content throws(ModelError) in
                try content.set("value", text: "72")
            }
        }
        let reason = home.owner.giving(reason: "not hers")
        _ = try await home.journal.erasure.eraseEntry(first, reason)
        try await phone.sync()
        #expect(try await !phone.items().contains { $0.change.entry == first })
        _ = try await home.journal.sharing.grant(
            GrantTerms(sections: [.myhealth], verbs: [.read]),
            to: anna.account,
            on: record,
            home.owner
        )
        _ = try await home.journal.erasure.eraseEntry(second, reason)
        for _ in 0..<2 { try await phone.sync() }
        let weights = try await phone.work {
            try await $0.records.read(record, ReadOptions(kinds: [Weight.kind]), $1).state.entries
        }
        #expect(weights.isEmpty)
    }

    /// Each history is a random mixture of changes on two or three devices and at the service, with lost connections
    /// and answers, deleted mirrors, and clocks that are wrong by years.
    @Test("After any history, all show the same, and each acknowledged change is in the log once", arguments: 0..<3)
    func histories(_ number: Int) async throws {
        var random = SeededGenerator("histories \(number)")
        let (home, record, plan) = try await Self.household()
        let years: Int64 = 366 * 86_400 * 1_000_000
        var replicas: [TestReplica] = []
        for index in 0..<(2 + number % 2) {
            let skew = index == 1 ? (Bool.random(using: &random) ? 3 : -3) * years : 0
            replicas.append(try await TestReplica(of: home, home.owner, name: "device \(index)", skew: skew))
        }
        for replica in replicas { try await replica.sync() }
        var values: Set<String> = []
        for step in 0..<FaultScale.count(40, long: 400) {
            home.clock.step(milliseconds: Int64.random(in: -3_000...3_000, using: &random))
            let replica = replicas[random.below(replicas.count)]
            let value = "\(50 + step / 100).\(1_000 + step)"
            switch random.below(12) {
            case 0...5:
                let choice = random.below(6)
                let pick = random.next()
                let kept = try await replica.work { journal, caller in
                    try await Self.change(journal, caller, record, plan, value, choice, pick)
                }
                if kept { values.insert(value) }
            case 6:
                if try await Self.change(home.journal, home.owner, record, plan, value, random.below(6), random.next())
                {
                    values.insert(value)
                }
            case 7: try await replica.push(atMost: random.below(4), losesAnswer: Bool.random(using: &random))
            case 8: try await replica.pull(limit: 1 + random.below(3), pages: 1 + random.below(3))
            case 9: try await replica.sync()
            case 10: try await replica.open { try $0.discardWork() }
            default: try FileManager.default.removeItem(atPath: replica.folder.mirror.path)
            }
            if !FileManager.default.fileExists(atPath: replica.folder.mirror.path) { try await replica.pull() }
        }
        for _ in 0..<2 { for replica in replicas { try await replica.sync() } }
        for replica in replicas {
            let left = try await replica.items().filter { $0.isWaiting || $0.isRefused }
            #expect(left.isEmpty, "\(left.map { $0.answer?.detail ?? "waits" })")
        }
        try await Self.expectAlike(home, record, replicas, nil, "seed \(random.seed)")
        let events = try home.journal.log.events(after: 0, limit: 100_000)
        var added: [String: Int] = [:]
        var found: Set<String> = []
        for stored in events {
            guard EventType(rawValue: stored.header.type)?.category == .entry else { continue }
            let recorded = try home.journal.log.recorded(stored)
            let kept: EntryContent? =
                if case .fields(let data as EntryDiverged) = recorded.event { data.content } else { nil }
            guard let content = recorded.event.content ?? kept else { continue }
            let text = content.comment
            found.insert(text)
            if recorded.type == EntryAdded.type { added[text, default: 0] += 1 }
        }
        #expect(values.subtracting(found).isEmpty, "seed \(random.seed)")
        #expect(added.filter { $0.key != "" && $0.value > 1 }.isEmpty, "seed \(random.seed)")
    }

    /// Makes a random change whose comment is `value`; returns whether that text must be in the log afterwards.
    private static func change(
        _ journal: Journal,
        _ caller: Caller,
        _ record: UUID,
        _ plan: UUID,
        _ value: String,
        _ choice: Int,
        _ pick: UInt64
    ) async throws -> Bool {
        let entries = try await journal.records.read(record, ReadOptions(includesRetracted: true), caller).state.entries
        let weights = entries.filter { $0.kind == Weight.kind }
        let some = weights.isEmpty ? nil : weights[Int(pick % UInt64(weights.count))]
        switch choice {
        case 0:
            let content = try entry("weight", ["value": "70", "unit": "kg", "comment": value])
            _ = try await journal.entries.addEntry(content, to: record, caller)
            return true
        case 1:
            _ = try await journal.entries.correctEntry(plan, caller) { $0.comment = value }
            return true
        case 2:
            guard let some, !some.isRetracted else { return false }
            _ = try await journal.entries.correctEntry(some.id, caller) { $0.comment = value }
            return true
        case 3:
            guard let some else { return false }
            if some.isRetracted {
                _ = try await journal.entries.restoreEntry(some.id, caller)
            } else {
                _ = try await journal.entries.retractEntry(some.id, caller)
            }
            return false
        case 4:
            let day = 1 + Int(pick % 4)
            var request = try Self.dose(plan, "2026-03-0\(day)T08:00", at: "2026-03-0\(day)T08:0\(pick % 9):00Z")
            request.comment = value
            do throws(JournalError) {
                return try await journal.care.logDose(request, in: record, caller).write.isChanged
            } catch {
                // Another report of this dose is in conflict with this one, or it is in the future by the device's clock.
                guard [.conflict, .invalid].contains(error.code) else { throw error }
                return false
            }
        default:
            let doses = entries.filter { $0.kind == Dose.kind && !$0.isRetracted }
            guard !doses.isEmpty else { return false }
            _ = try await journal.entries.retractEntry(doses[Int(pick % UInt64(doses.count))].id, caller)
            return false
        }
    }
}
