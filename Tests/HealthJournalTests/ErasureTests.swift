import CaregiverPermissions
import CostSummary
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import LMDB
import MedicalRecords
import Platform
import TestSupport
import Testing

@testable import EventLog
@testable import JournalCore

@Suite("Erasure")
struct ErasureTests {
    @Test("An erased record cannot be read at any position, even by its owner, and the error states when and why")
    func tombstone() async throws {
        let scene = try await Scene(.owner)
        let (journal, record, owner) = (scene.home.journal, scene.record, scene.caller)
        let before = try scene.home.head
        let result = try await journal.erasure.eraseRecord(record, owner.giving(reason: "asked for it"))
        #expect(result.position > before)
        let sentence = "record \(record.text): erased on 2026-03-10 (position \(result.position)): asked for it"
        for operation in try Scene.operations()
        where !Scene.ofTheJournal.contains(operation.name) {
            let error = await refusal { try await operation.run(scene) }
            #expect(error?.code == .erased, "\(operation.name)")
            #expect(error?.message == sentence, "\(operation.name)")
        }
        for position in 1...(try scene.home.head) {
            let error = await refusal {
                _ = try await journal.records.read(record, ReadOptions(asOf: .position(position)), owner)
            }
            #expect(error?.message == sentence, "position \(position)")
            #expect(
                try await journal.records.listRecords(asOf: .position(position), owner).isEmpty,
                "position \(position)"
            )
            #expect(
                try await journal.records.costs(of: nil, asOf: .position(position), owner).isEmpty,
                "position \(position)"
            )
        }
        // The views do not contain the grants of the record either, neither under the record nor under the account.
        for account in [owner.account, scene.revocable] {
            #expect(try journal.permissions.records(of: account, asOf: scene.home.head).isEmpty)
            #expect(try journal.permissions.permission(of: account, on: record, asOf: scene.home.head) == .none)
        }
        let again = await refusal { _ = try await journal.erasure.eraseRecord(record, owner.giving(reason: "again")) }
        #expect(again?.message == sentence)
        let held = await refusal {
            _ = try await journal.erasure.holdRecord(record, until: journal.today, owner.giving(reason: "x"))
        }
        #expect(held?.message == sentence)
        // Accounts that may know of the record find it by the start of its id.
        #expect(try journal.records.record(String(record.text.prefix(10)), owner) == record)
    }

    @Test("Only the owner may erase a record, and a refusal is recorded", arguments: Relation.allCases)
    func gate(relation: Relation) async throws {
        let scene = try await Scene(relation)
        let before = try scene.home.head
        var caller = scene.caller
        caller.reason = "a reason"
        let error = await refusal { _ = try await scene.home.journal.erasure.eraseRecord(scene.record, caller) }
        let events = try scene.home.journal.log.events(after: before).filter { $0.header.actor == caller.account }
        if relation == .owner {
            #expect(error == nil)
            #expect(events.map(\.header.type) == [RecordErased.type.rawValue])
        } else {
            #expect(error?.code == .refused)
            let denied = try events.map { try scene.home.journal.log.recorded($0).event }
            guard let access = (denied.first?.data as? AccessDenied)?.access, denied.count == 1 else {
                Issue.record("the refusal left \(denied.count) events")
                return
            }
            #expect(access.action == .erase)
            #expect(try scene.home.journal.log.isErased(scene.record) == false)
        }
    }

    /// The erasure must not reveal whether a record existed: other callers get the error that a stranger got before.
    @Test("An erasure reveals nothing to unauthorized callers", arguments: Relation.allCases.filter { $0 != .owner })
    func oracle(relation: Relation) async throws {
        let scene = try await Scene(relation)
        // Only operations that read or add to the record are tested; the others do not depend on it.
        let asked = try Scene.operations()
            .filter { !Scene.ofTheJournal.contains($0.name) || $0.name == "issue token" }
        let unrelated: Relation =
            switch relation.kind {
            case .person: .stranger
            case .tool: .tool
            case .auditor, .administrator: relation
            }
        let stranger = try await Scene(unrelated)
        var expected: [String: JournalError?] = [:]
        for operation in asked {
            // A stranger cannot have added entries of its own.
            expected[operation.name] = await refusal { try await operation.run(stranger) }
        }
        _ = try await scene.home.journal.erasure.eraseRecord(
            scene.record,
            scene.home.owner.giving(reason: "asked for it")
        )
        for operation in asked {
            let before = try scene.home.head
            let error = await refusal {
                do { try await operation.run(scene) } catch is Scene.Inapplicable { throw JournalError(.refused, "") }
            }
            if relation == .auditor,
                ["history doctor", "history weight", "grants", "owners", "invitations"].contains(operation.name)
            {
                #expect(error?.code == .erased, "\(operation.name)")
                #expect(error?.message.hasSuffix("asked for it") == true, "\(operation.name)")
                continue
            }
            guard error?.message != "" else { continue }
            if let told = expected[operation.name], let told, told.code == .refused {
                #expect(error == told, "\(operation.name)")
            } else {
                #expect(error?.code == .refused, "\(operation.name)")
            }
            let events = try scene.home.events(after: before).filter { $0.stamp.actor == scene.caller.account }
            #expect(events.map(\.type) == [AccessDenied.type], "\(operation.name)")
            if let access = (events.first?.event.data as? AccessDenied)?.access, operation.name.hasPrefix("read") {
                #expect(events.first?.subject == scene.record)
                #expect(access.purpose.isEmpty, "nothing that was said of the record is kept under another key")
            }
        }
        #expect(try await scene.home.journal.records.listRecords(scene.caller).allSatisfy { $0.id != scene.record })
        let prefix = String(scene.record.text.prefix(13))
        let found = await refusal { _ = try scene.home.journal.records.record(prefix, scene.caller) }
        #expect((found == nil) == (relation == .auditor))
    }

    @Test("An erasure needs a reason, and is refused until the end of a hold")
    func hold() async throws {
        let home = try await TestHousehold(clock: TestClock("2026-03-09"))
        let record = try await home.person("Ida")
        let owner = home.owner
        #expect(await refusal { _ = try await home.journal.erasure.eraseRecord(record, owner) }?.field == "reason")
        #expect(
            await refusal { _ = try await home.journal.erasure.eraseRecord(record, owner.giving(reason: " \n")) }?.field
                == "reason"
        )
        let until = try Day(parsing: "2026-03-11")
        let noReason = await refusal { _ = try await home.journal.erasure.holdRecord(record, until: until, owner) }
        #expect(noReason?.field == "reason")
        let held = try await home.journal.erasure.holdRecord(record, until: until, owner.giving(reason: "the law"))
        #expect(
            try await home.state(record).hold
                == Hold(until: until, set: try home.events(after: held.position - 1)[0].stamp)
        )
        for day in ["2026-03-09T12:00:01Z", "2026-03-11T23:59:59Z"] {
            try home.clock.set(day)
            let error = await refusal {
                _ = try await home.journal.erasure.eraseRecord(record, owner.giving(reason: "asked"))
            }
            #expect(error?.code == .conflict)
            #expect(error?.message.contains("2026-03-11") == true)
            let preview = await refusal { _ = try await home.journal.erasure.previewErasure(record, owner) }
            #expect(preview?.code == .conflict)
        }
        let shorter = await refusal {
            _ = try await home.journal.erasure.holdRecord(
                record,
                until: Day(daysSince1970: until.daysSince1970 - 1),
                owner.giving(reason: "x")
            )
        }
        #expect(shorter?.code == .invalid || shorter?.code == .conflict)
        #expect(try home.journal.log.isErased(record) == false)
        try home.clock.set("2026-03-12T00:00:01Z")
        let preview = try await home.journal.erasure.previewErasure(record, owner)
        #expect(preview.displayName == "Ida Winterthaler")
        _ = try await home.journal.erasure.eraseRecord(record, owner.giving(reason: "asked"))
        #expect(try home.journal.log.isErased(record))
    }

    @Test("An erasure releases the microchip number in the same append")
    func microchip() async throws {
        let home = try await TestHousehold()
        var profile = RecordProfile(subject: .animal)
        try profile.set("name", text: "Luna")
        try profile.set("animalID", text: "756 0981 0000 1234")
        let luna = try #require(try await home.journal.records.createRecord(profile, home.owner).record)
        let taken = await refusal { _ = try await home.journal.records.createRecord(profile, home.owner) }
        #expect(taken?.code == .conflict)
        let before = try home.head
        _ = try await home.journal.erasure.eraseRecord(luna, home.owner.giving(reason: "died"))
        #expect(try home.events(after: before).map(\.type) == [RecordErased.type, ValueReleased.type])
        _ = try await home.journal.records.createRecord(profile, home.owner)
    }

    @Test("An import does not restore an erased record")
    func imported() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let other = try await home.account("other")
        _ = try await home.journal.erasure.eraseRecord(record, home.owner.giving(reason: "asked"))
        let document = ImportedRecord(
            id: record,
            profile: RecordProfile(subject: .human),
            entries: [],
            shape: .native,
            unrepresented: []
        )
        #expect(await refusal { _ = try await home.journal.imports.take(document, home.owner) }?.code == .erased)
        #expect(await refusal { _ = try await home.journal.imports.take(document, other) }?.code == .refused)
        #expect(
            await refusal { _ = try await home.journal.records.createRecord(document.profile, id: record, other) }?.code
                == .conflict
        )
    }

    @Test("Of a concurrent erasure and hold, exactly one succeeds")
    func race() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let until = Day(daysSince1970: journal.today.daysSince1970 + 1)
        var outcomes: Set<String> = []
        for number in 0..<30 {
            let record = try await home.person("Ida \(number)")
            async let hold = refusal {
                _ = try await journal.erasure.holdRecord(record, until: until, owner.giving(reason: "the law"))
            }
            async let erase = refusal {
                _ = try await journal.erasure.eraseRecord(record, owner.giving(reason: "asked"))
            }
            switch (await hold, await erase) {
            case (nil, let error?):
                #expect(error.code == .conflict)
                #expect(try journal.log.isErased(record) == false)
                outcomes.insert("held")
            case (let error?, nil):
                #expect(error.code == .erased)
                outcomes.insert("erased")
            case (nil, nil): Issue.record("a held record was erased")
            case (_?, _?): Issue.record("neither was taken")
            }
        }
        print("outcomes: \(outcomes.sorted())")
    }

    @Test("A record that is read during its erasure is found or erased, never missing")
    func neverMissing() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        for number in 0..<20 {
            let record = try await home.person("Ida \(number)")
            let isOver = Guarded(false)
            let missing = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        while !isOver.withLock({ $0 }) {
                            // Without the cache entry, each read queries the views.
                            journal.cache.forget(record)
                            // A read that fails at the moment of the erasure is tried again, as a client would.
                            switch try? journal.access.recordAccess(of: owner.account, to: record) {
                            case .missing: return 1
                            case .erased: return 0
                            case .found, nil: await Task.yield()
                            }
                        }
                        return 0
                    }
                }
                group.addTask {
                    _ = await refusal {
                        _ = try await journal.erasure.eraseRecord(record, owner.giving(reason: "asked"))
                    }
                    isOver.withLock { $0 = true }
                    return 0
                }
                return await group.reduce(0, +)
            }
            #expect(missing == 0)
            #expect(try journal.log.isErased(record))
        }
    }

    @Test("The views skip no events for an erasure that is undone")
    func takenBack() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let aunt = try await home.account("aunt")
        let values = ["year": "2024", "amount": "5", "currency": "CHF", "basis": "item"]
        _ = try await home.add("cost", values, to: record)
        #expect(try await home.journal.records.costs(of: record, home.owner).first?.totals.first?.count == 1)
        let head = try home.head
        // No view has processed these events yet.
        _ = try await home.add("cost", values, to: record)
        _ = try await home.journal.sharing.grant(GrantTerms(), to: aunt.account, on: record, home.owner)
        try home.reopen { try home.remove(home.folder.views) }
        let keys = home.journal.log.keys
        try keys.markForErasure(record, since: head + 2)
        #expect(try home.journal.log.isErased(record))
        #expect(try home.journal.log.isPermanentlyErased(record) == false)
        #expect(throws: EventLogError.self) { try home.journal.costs.totals(of: record, asOf: home.head) }
        #expect(throws: EventLogError.self) { try home.journal.permissions.grants(of: record, asOf: home.head) }
        try keys.restore(record)
        #expect(try home.journal.costs.totals(of: record, asOf: home.head).first?.count == 2)
        #expect(try home.journal.permissions.grants(of: record, asOf: home.head).grants.count == 1)
    }

    @Test("No concurrent append succeeds after an erasure", .timeLimit(.minutes(10)))
    func concurrent() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let journal = home.journal
        let owner = home.owner
        let acknowledged = try await withThrowingTaskGroup(of: UInt64?.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var last: UInt64?
                    for number in 0..<50 {
                        do {
                            let content = try entry("weight", ["value": "\(task * 100 + number + 1)", "unit": "kg"])
                            last = try await journal.entries.addEntry(content, to: record, owner).position
                            if number % 5 == 0 { _ = try await journal.records.read(record, ReadOptions(), owner) }
                        } catch let error as JournalError {
                            guard [.erased, .conflict].contains(error.code) else { throw error }
                            if error.code == .erased { break }
                        }
                    }
                    return last
                }
            }
            group.addTask {
                try await Task.sleep(for: .milliseconds(30))
                _ = try await journal.erasure.eraseRecord(record, owner.giving(reason: "asked"))
                return nil
            }
            var acknowledged: [UInt64] = []
            for try await last in group { if let last { acknowledged.append(last) } }
            return acknowledged
        }
        let erased = try #require(try journal.medicalRecords.erasure(of: record))
        #expect(acknowledged.allSatisfy { $0 < erased })
        for event in try journal.log.events(after: erased, limit: 100_000) {
            #expect(event.header.subject != record, "position \(event.position)")
        }
        #expect(try journal.log.verify().isSound)
    }
}

extension Caller {
    func giving(reason: String) -> Caller {
        var caller = self
        caller.reason = reason
        return caller
    }
}
