import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalServer

/// Changes that devices made offline, sent to a service.
@Suite struct SyncRouteTests {
    @Test func aChangeIsTakenOnceAndAnsweredAgain() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let phone = try await client.device("phone")
            let line = phone.line(1, "add", record, Self.weight("70"))
            let first = try await client.push([line])
            #expect(first.map(\.outcome) == ["taken"])
            let head = try fixture.journal.head()
            let second = try await client.push([line])
            #expect(second.map(\.outcome) == ["already"])
            #expect(second.first?["position"] == first.first?["position"])
            #expect(try fixture.journal.head() == head)
            // The same id with another content is another change.
            let other = phone.line(1, "add", record, Self.weight("71"))
            #expect(try await client.push([other]).map(\.outcome) == ["refused"])
        }
    }

    @Test func twoReportsOfOneDoseAreOneDose() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let plan = try await client.plan(record)
            let (phone, tablet) = (try await client.device("phone"), try await client.device("tablet"))
            let path = "/v1/records/\(record)/entries/dose"
            #expect(
                try await client.push([phone.dose(1, record, plan, day: "02", at: "03")]).map(\.outcome) == ["taken"]
            )
            #expect(
                try await client.push([tablet.dose(1, record, plan, day: "02", at: "02")]).map(\.outcome) == ["merged"]
            )
            #expect(try await client.divergences(record).isEmpty)
            // 38 minutes apart: is that one pill or two?
            #expect(
                try await client.push([phone.dose(2, record, plan, day: "03", at: "02")]).map(\.outcome) == ["taken"]
            )
            let apart = try await client.push([tablet.dose(2, record, plan, day: "03", at: "40")])
            #expect(apart.map(\.outcome) == ["diverged"])
            let doses = try await client.get(path).items("entries")
            #expect(doses.compactMap { $0.text("date") } == ["2026-03-02T07:02:00Z", "2026-03-03T07:02:00Z"])
            let open = try await client.divergences(record)
            let kept = try #require(open.first)
            #expect(open.count == 1)
            #expect(kept["kept"]?["content"]?.text("date") == "2026-03-03T07:40:00Z")
            #expect(kept["kept"]?.text("deviceName") == "tablet")
            let position = try #require(apart.first?.integer("position"))
            let settled = try await client.post("/v1/divergences/\(position)", #"{"choice": "both"}"#)
            #expect(settled.status == 200)
            #expect(try await client.get(path).items("entries").count == 3)
            #expect(try await client.divergences(record).isEmpty)
            #expect(try await client.post("/v1/divergences/\(position)", #"{"choice": "keep"}"#).status == 409)
        }
    }

    /// The dosing of two people is never mixed, and a clock that is ahead by three years does not win by that.
    @Test func theLaterDosingIsShownWhole() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let plan = try await client.plan(record)
            let base = try fixture.journal.head()
            let (phone, tablet) = (try await client.device("phone"), try await client.device("tablet"))
            let now = fixture.journal.now
            // The tablet's clock is three years ahead; its change was made an hour before the phone's.
            let ahead: Int64 = 3 * 365 * 86_400 * 1_000_000
            let early = Instant(microseconds: now.microseconds - 7_200_000_000 + ahead)
            let late = Instant(microseconds: now.microseconds - 3_600_000_000)
            let (morning, evening) = (Self.plan(at: "07:00", comment: ""), Self.plan(at: "20:00", comment: "with food"))
            let first = try await client.push([phone.change(1, "correct", plan, record, "drug", morning, base, late)])
            #expect(first.map(\.outcome) == ["taken"])
            let second = try await client.push(
                [tablet.change(1, "correct", plan, record, "drug", evening, base, early)],
                clock: Instant(microseconds: now.microseconds + ahead)
            )
            #expect(second.map(\.outcome) == ["diverged"])
            let shown = try await client.get("/v1/records/\(record)/entries/drug/\(plan)").json
            #expect(shown.text("comment") == "with food")
            #expect(shown.time == "07:00")
            let kept = try #require(try await client.divergences(record).first)
            #expect(kept["kept"]?["content"]?.time == "20:00")
            // The other version is taken instead.
            let position = try #require(second.first?.integer("position"))
            #expect(try await client.post("/v1/divergences/\(position)", #"{"choice": "take"}"#).status == 200)
            #expect(try await client.get("/v1/records/\(record)/entries/drug/\(plan)").json.time == "20:00")
            let history = try await client.get("/v1/records/\(record)/history").items("events").map { $0.text("type") }
            #expect(history.suffix(2) == ["entry.corrected", "divergence.settled"])
        }
    }

    /// A dose of a device whose clock is years ahead or behind is taken, and what the device stated is kept.
    @Test(arguments: [-10, 10] as [Int64]) func aDoseOfAWrongClockIsTaken(_ years: Int64) async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let plan = try await client.plan(record)
            let phone = try await client.device("phone")
            let now = fixture.journal.now
            let error = years * 365 * 86_400_000_000
            let clock = now.adding(microseconds: error)
            let taken = now.adding(microseconds: -3_600_000_000)
            let stated = taken.adding(microseconds: error)
            let content: JSONValue = [
                "date": .time(stated), "of": .string(plan), "status": "taken", "amount": "1",
            ]
            let line = phone.change(1, "log", UUID().text, record, "dose", content, nil, stated)
            #expect(try await client.push([line], clock: clock).map(\.outcome) == ["taken"])
            #expect(try await client.push([line], clock: clock).map(\.outcome) == ["already"])
            let dose = try #require(try await client.get("/v1/records/\(record)/entries/dose").items("entries").first)
            let date = try Instant(parsing: try #require(dose.text("date")))
            // The journal's clock went on before the request.
            #expect((date.microseconds - taken.microseconds).magnitude < 60_000_000)
            #expect(dose.text("stated") == stated.description)
        }
    }

    @Test func aDevicePostponesAndDecides() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let plan = try await client.plan(record)
            let (phone, tablet) = (try await client.device("phone"), try await client.device("tablet"))
            let slot = "018f3f6a-4b1c-4d2e-8f00-2f6c1f6e9a01/2026-03-02/018f3f6a-4b1c-4d2e-8f00-2f6c1f6e9a02"
            let snooze: JSONValue = ["slot": .string(slot), "until": "2026-03-02T09:00:00Z"]
            func send(_ seq: Int, _ action: String, _ entry: String, _ content: JSONValue) async throws -> [String?] {
                let kind = action == "snooze" ? "drug" : "dose"
                let made = Instant(microseconds: 1_772_436_000_000_000)
                let line = phone.change(seq, action, entry, record, kind, content, nil, made)
                let first = try await client.push([line]).map(\.outcome)
                let head = try fixture.journal.head()
                // Sent again, it adds nothing to what is about the record.
                let second = try await client.push([line]).map(\.outcome)
                if first == ["taken"] { #expect(try fixture.journal.head() == head) }
                return first + second
            }
            #expect(try await send(1, "snooze", plan, snooze) == ["taken", "already"])
            #expect(try await send(2, "snooze", UUID().text, snooze) == ["refused", "refused"])
            let stream = try fixture.journal.snoozeStream(of: try #require(UUID(uuidString: record)))
            #expect(try fixture.journal.log.version(of: stream) == 1)

            _ = try await client.push([phone.dose(3, record, plan, day: "03", at: "02")])
            let apart = try #require(try await client.push([tablet.dose(1, record, plan, day: "03", at: "40")]).first)
            let position = UInt64(try #require(apart.integer("position")))
            let entry = try #require(try await client.divergences(record).first?.text("entry"))
            func choice(_ name: String) -> JSONValue { ["position": .integer(position), "choice": .string(name)] }
            #expect(try await send(4, "settle", plan, choice("both")) == ["refused", "refused"])
            #expect(try await send(5, "settle", entry, choice("both")) == ["taken", "already"])
            #expect(try await client.divergences(record).isEmpty)
            #expect(try await client.get("/v1/records/\(record)/entries/dose").items("entries").count == 2)
            // The same decision again is the same; another one comes too late.
            #expect(try await send(6, "settle", entry, choice("both")) == ["merged", "merged"])
            #expect(try await send(7, "settle", entry, choice("keep")) == ["refused", "refused"])
        }
    }

    /// Undoing a dose on one device does not hide what another one reported.
    @Test func anUndoLeavesTheOtherReport() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let plan = try await client.plan(record)
            let (phone, tablet) = (try await client.device("phone"), try await client.device("tablet"))
            let path = "/v1/records/\(record)/entries/dose"
            let taken = try await client.push([phone.dose(1, record, plan, day: "02", at: "02")])
            let base = UInt64(try #require(taken.first?.integer("position")))
            _ = try await client.push([tablet.dose(1, record, plan, day: "02", at: "03")])
            let entry = try #require(try await client.get(path).items("entries").first?.text("id"))
            let made = Instant(microseconds: 1_772_436_000_000_000)
            let undo = phone.change(2, "retract", entry, record, "dose", .null, base, made)
            #expect(try await client.push([undo]).map(\.outcome) == ["merged"])
            #expect(try await client.push([undo]).map(\.outcome) == ["already"])
            let doses = try await client.get(path).items("entries")
            #expect(doses.compactMap { $0.text("date") } == ["2026-03-02T07:03:00Z"])
            let other = tablet.change(2, "retract", entry, record, "dose", .null, nil, made)
            #expect(try await client.push([other]).map(\.outcome) == ["taken"])
            #expect(try await client.get(path).items("entries").isEmpty)
        }
    }

    @Test func refusedChangesAreAnsweredWithTheReason() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("Anna", .person, .sync)
        try await fixture.serve { client in
            let record = try await client.person()
            let theirs = client.with(anna.token)
            let phone = try await theirs.device("phone")
            let lines = [
                phone.line(1, "add", record, Self.weight("70")), phone.line(2, "add", record, Self.weight("-1")),
                "nonsense", phone.line(1, "add", record, Self.weight("71")),
            ]
            let answers = try await theirs.push(lines)
            #expect(answers.map(\.outcome) == ["refused", "refused", "refused", "refused"])
            let problems = answers.compactMap {
                $0["problem"]?.text("type")?.split(separator: ":").last.map(String.init)
            }
            #expect(problems == ["refused", "invalid", "invalid", "invalid"])
            // Not a device of this account.
            #expect(
                try await client.push([phone.line(3, "add", record, Self.weight("70"))]).map(\.outcome) == ["refused"]
            )
            // A removed device sends nothing.
            #expect(try await theirs.send(.delete, "/v1/devices/\(phone.id)").status == 200)
            #expect(try await theirs.get("/v1/devices").items("devices").isEmpty)
            // The scope does not permit more than its name says.
            #expect(try await theirs.post("/v1/records", #"{"subject": "human"}"#).status == 403)
        }
    }

    @Test func pagesReachToTheHeadAndAreOnRecord() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            for value in 1...5 {
                _ = try await client.post("/v1/records/\(record)/entries/weight", #"{"value": "\#(value)"}"#)
            }
            let whole = try await client.pull("/v1/sync?after=0")
            let last = try #require(whole.last)
            #expect(last["more"] == .bool(false))
            #expect(last.text("checkpoint") != nil)
            #expect(last.text("zoneTable") != nil)
            let types = whole.compactMap { $0["event"]?.text("type") }
            #expect(types == ["record.created"] + Array(repeating: "entry.added", count: 5))
            #expect(whole.dropFirst().compactMap { $0["event"]?["data"]?.text("value") } == ["1", "2", "3", "4", "5"])
            var (paged, after): ([JSONValue], Int64) = ([], 0)
            while true {
                let page = try await client.pull("/v1/sync?after=\(after)&limit=2")
                paged += page.dropLast()
                after = try #require(page.last?.integer("upTo"))
                if page.last?["more"] == .bool(false) { break }
            }
            #expect(paged == Array(whole.dropLast()))
            let reads = try await client.get("/v1/records/\(record)/access").items("events")
            #expect(reads.filter { $0["data"]?.text("action") == "events" }.count >= 4)
            #expect(try await client.get("/v1/sync?after=99999").status == 409)
        }
    }

    @Test func lostAndGainedSightIsTold() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("Anna", .person, .sync)
        try await fixture.serve { client in
            let record = try await client.person()
            let id = try #require(UUID(uuidString: record))
            let theirs = client.with(anna.token)
            let narrow = GrantTerms(sections: [.doctorlist], verbs: [.read])
            _ = try await fixture.journal.sharing.grant(narrow, to: anna.id, on: id, fixture.owner)
            let first = try #require(try await theirs.pull("/v1/sync?after=0").last?.integer("upTo"))
            _ = try await fixture.journal.sharing.grant(GrantTerms(verbs: [.read]), to: anna.id, on: id, fixture.owner)
            let wider = try await theirs.pull("/v1/sync?after=\(first)")
            #expect(wider.compactMap { $0.text("again") } == [record])
            let second = try #require(wider.last?.integer("upTo"))
            _ = try await fixture.journal.sharing.revoke(anna.id, on: id, fixture.owner)
            let revoked = try await theirs.pull("/v1/sync?after=\(second)")
            #expect(
                revoked.map { $0.text("forget") }.contains(record) && revoked.contains { $0.text("why") == "revoked" }
            )
            #expect(revoked.last?["sight"] == .array([]))
            // An erased record is forgotten by its owner's devices too.
            let all = try #require(try await client.pull("/v1/sync?after=0").last?.integer("upTo"))
            let erase = #"{"reason": "the subject asked for it in writing"}"#
            #expect(try await client.post("/v1/records/\(record)/erase", erase).status == 200)
            let erased = try await client.pull("/v1/sync?after=\(all)")
            #expect(erased.contains { $0.text("forget") == record && $0.text("why") == "erased" })
            #expect(try await client.pull("/v1/sync?after=0").compactMap { $0["event"] }.isEmpty)
        }
    }

    fileprivate static func weight(_ value: String) -> JSONValue {
        ["date": "2026-03-02T07:05:00Z", "value": .string(value), "unit": "kg"]
    }

    fileprivate static func plan(at time: String, comment: String) -> JSONValue {
        [
            "name": "Lisinopril", "unit": "tablet", "comment": .string(comment),
            "rules": [
                [
                    "id": "018f3f6a-4b1c-4d2e-8f00-2f6c1f6e9a01", "from": "2026-03-01", "pattern": "days",
                    "times": [
                        ["id": "018f3f6a-4b1c-4d2e-8f00-2f6c1f6e9a02", "at": .string(time), "amount": "1"]
                    ],
                ]
            ],
        ]
    }
}

/// A device that sends changes.
private struct Device {
    let id: String

    func line(_ seq: Int, _ action: String, _ record: String, _ content: JSONValue) -> String {
        change(seq, action, UUID().text, record, "weight", content, nil, Instant(microseconds: 1_772_436_000_000_000))
    }

    func dose(_ seq: Int, _ record: String, _ plan: String, day: String, at minute: String) -> String {
        let rule = "018f3f6a-4b1c-4d2e-8f00-2f6c1f6e9a01"
        let slot = "\(rule)/2026-03-\(day)/018f3f6a-4b1c-4d2e-8f00-2f6c1f6e9a02"
        let entry = (try? Slot(parsing: slot)).flatMap { slot in UUID(uuidString: plan).map { slot.entryID(of: $0) } }
        let content: JSONValue = [
            "date": .string("2026-03-\(day)T07:\(minute):00Z"), "of": .string(plan), "slot": .string(slot),
            "status": "taken", "amount": "1",
        ]
        let time = Instant(microseconds: 1_772_436_000_000_000)
        return change(seq, "log", entry?.text ?? "", record, "dose", content, nil, time)
    }

    func change(
        _ seq: Int,
        _ action: String,
        _ entry: String,
        _ record: String,
        _ kind: String,
        _ content: JSONValue,
        _ base: UInt64?,
        _ madeAt: Instant
    ) -> String {
        JSONWriter.text([
            "id": .string("\(id)/\(seq)"), "device": .string(id), "seq": .integer(seq),
            "madeAt": .string(madeAt.description), "record": .string(record), "entry": .string(entry),
            "kind": .string(kind), "do": .string(action), "base": base.map { .integer($0) } ?? .null,
            "content": content,
        ])
    }
}

extension ServiceClient {
    fileprivate func device(_ name: String) async throws -> Device {
        let added = try await post("/v1/devices", #"{"name": "\#(name)"}"#)
        return Device(id: try #require(added.text("device")))
    }

    fileprivate func plan(_ record: String) async throws -> String {
        let body = JSONWriter.text(SyncRouteTests.plan(at: "08:00", comment: ""))
        return try #require(try await post("/v1/records/\(record)/entries/drug", body).text("entry"))
    }

    fileprivate func push(_ lines: [String], clock: Instant? = nil) async throws -> [JSONValue] {
        var headers = [("Content-Type", "application/x-ndjson")]
        if let clock { headers.append(("Device-Time", clock.description)) }
        let answer = try await send(.post, "/v1/sync", lines.joined(separator: "\n") + "\n", headers)
        #expect(answer.status == 200)
        return try answer.lines
    }

    fileprivate func pull(_ address: String) async throws -> [JSONValue] {
        let answer = try await get(address)
        #expect(answer.status == 200)
        return try answer.lines
    }

    fileprivate func divergences(_ record: String) async throws -> [JSONValue] {
        try await get("/v1/records/\(record)/divergences").items("divergences")
    }
}

extension Answer {
    fileprivate var lines: [JSONValue] {
        get throws { try text.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)) } }
    }
}

extension JSONValue {
    fileprivate var outcome: String? { text("outcome") }

    fileprivate func integer(_ name: String) -> Int64? {
        if case .number(let number)? = self[name] { Int64(number.description) } else { nil }
    }

    /// The first time of day of the first rule of a plan.
    fileprivate var time: String? {
        guard case .array(let rules)? = self["rules"], case .array(let times)? = rules.first?["times"] else {
            return nil
        }
        return times.first?.text("at")
    }
}
