import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

@Suite("Stored form of events")
struct EventCodecTests {
    private func decode(_ payload: [UInt8], as event: JournalEvent) throws(ModelError) -> JournalEvent {
        try EventCodec.decode(
            type: event.type.rawValue,
            schemaVersion: 1,
            kind: event.content?.kind.code ?? 0,
            payload: payload
        )
        .event
    }

    @Test("New access fields are stored in these bytes, and events without them are still decoded")
    func goldenFields() throws {
        let access = Access(
            action: .read,
            sections: [.myhealth],
            entryCount: 50,
            grantedBy: .owner,
            version: 300,
            shown: [ShownEntries(kind: 10, added: 20...290), ShownEntries(kind: 11)],
            includesRetracted: true,
            events: 7...9
        )
        let terms = GrantTerms(sections: [.myhealth], verbs: [.read], emergencyAfterEnd: true)
        let invitation = Invitation(id: Example.id(22), digest: [0xef], terms: terms, expires: Instant(microseconds: 1))
        let examples: [(event: JournalEvent, hex: String)] = [
            (
                .recordRead(access),
                "2032321f0a04726561641201011832300158ac0262070a148e020b0000680172020702"
            ),
            (
                .caregiverGranted(account: Example.anna, terms: terms, invitedBy: Example.owner),
                "20283a520a1408014a10030000000000400080000000000000030a1008025a0c0a0a12086d796865616c74680a0c0803"
                    + "5a080a061204726561640a04080628010a1408074a1002000000000040008000000000000002"
            ),
            (
                .caregiverInvited(invitation),
                "202a3a490a1408014a10160000000000400080000000000000160a0508025201ef0a04080340020a1008045a0c0a0a12"
                    + "086d796865616c74680a0c08055a080a061204726561640a0408082801"
            ),
        ]
        for (event, hex) in examples {
            let stored = try EventCodec.encode(event, reason: "", requestDigest: [])
            #expect(stored.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == hex)
            #expect(try decode(stored, as: event) == event)
        }
        // An access event of an older program does not state which entries it showed.
        let older = try #require(try GoldenEvent.all().first { $0.event.type == RecordRead.type })
        guard let read = (older.event.data as? RecordRead)?.access else {
            Issue.record("decoded as \(older.event.type)")
            return
        }
        #expect(read.version == nil)
        #expect(read.shown.isEmpty)
        #expect(read.events == nil)
        // The number of values is not a multiple of three; a range ends after the last possible position; a kind code
        // is out of range.
        let damaged: [[UInt8]] = [
            [0x62, 2, 10, 20],
            [0x62, 12, 10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1],
            [0x62, 5, 0xf0, 0xa2, 4, 1, 1],
        ]
        for field in damaged {
            let read: [UInt8] = [0x0a, 4] + Array("read".utf8) + field
            let bytes: [UInt8] = [0x20, 50, 0x32, UInt8(read.count)] + read
            #expect(refusal { try decode(bytes, as: older.event) }?.field == "shown")
        }
    }

    @Test("The link of a practice's calendar has the practice in a field of its own")
    func calendarOfPractice() throws {
        let link = CalendarLink(
            id: Example.id(24),
            feed: .appointments,
            digest: [UInt8](repeating: 0xba, count: 4),
            account: Example.anna,
            practice: Example.id(7)
        )
        let hex =
            "202d3a670a1408014a10180000000000400080000000000000180a100802120c6170706f696e746d656e74730a0808035204babababa"
            + "0a07080512037574630a1408064a10030000000000400080000000000000030a1408074a1007000000000040008000000000000007"
        let event = JournalEvent.calendarLinked(link)
        #expect(try EventCodec.encode(event, reason: "").hex == hex)
        #expect(try decode([UInt8](hex: hex), as: event) == event)
    }

    @Test("An erasure that names no copies has the bytes of before")
    func erasureWithoutCopies() throws {
        #expect(try EventCodec.encode(.entryErased, reason: "").hex == "2025")
        #expect(try decode([0x20, 0x25], as: .entryErased) == .entryErased)
    }

    @Test("Every event type is encoded to its golden bytes and decoded from them")
    func goldenTypes() throws {
        let golden = try GoldenEvent.all()
        #expect(golden.map(\.event.type) == EventType.allCases)
        for example in golden {
            let bytes = try EventCodec.encode(
                example.event,
                reason: GoldenEvent.reason,
                requestDigest: GoldenEvent.requestDigest
            )
            #expect(bytes.hex == example.hex, "\(example)")
            let decoded = try EventCodec.decode(
                type: example.event.type.rawValue,
                schemaVersion: 1,
                kind: example.event.content?.kind.code ?? 0,
                payload: try [UInt8](hex: example.hex)
            )
            #expect(decoded.event == example.event)
            #expect(decoded.reason == GoldenEvent.reason)
            #expect(decoded.requestDigest == GoldenEvent.requestDigest)
        }
    }

    @Test("An amount that is no decimal number is stored in these bytes, and only in lowest terms")
    func goldenFraction() throws {
        var dose = EntryContent(kind: Dose.kind)
        dose.body[Dose.amount] = .decimal(try ExactDecimal(parsingAmount: "1/3"))
        let bytes = try EventCodec.encode(.entryCorrected(dose), reason: "", requestDigest: [])
        #expect(bytes.hex == "201f2a0a1a0808061a0408021803")
        #expect(try decode(bytes, as: .entryCorrected(dose)) == .entryCorrected(dose))
        // 2/6, and a divisor of which a decimal number needs none.
        for changed in ["201f2a0a1a0808061a0408041806", "201f2a0a1a0808061a0408021802"] {
            let payload = try [UInt8](hex: changed)
            #expect(refusal { try decode(payload, as: .entryCorrected(dose)) }?.code == .invalid)
        }
    }

    @Test("A payload with a clock is encoded to its golden bytes, and one without is decoded without")
    func goldenClock() throws {
        let bytes = try EventCodec.encode(
            .entryRetracted,
            reason: GoldenEvent.reason,
            requestDigest: GoldenEvent.requestDigest,
            clock: 1_000_000
        )
        #expect(bytes.hex == "0a037768791202d19e1880897a2020")
        let read = try EventCodec.decode(type: 32, schemaVersion: 1, kind: 10, payload: bytes)
        #expect(read.event == .entryRetracted)
        #expect(read.clock == Instant(microseconds: 1_000_000))
        let without = try [UInt8](hex: "0a037768791202d19e2020")
        #expect(try EventCodec.decode(type: 32, schemaVersion: 1, kind: 10, payload: without).clock == nil)
    }

    @Test("A device's change is encoded to its golden bytes, and a damaged one is refused")
    func goldenDeviceChange() throws {
        let device = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        for (madeAt, hex) in [
            (1_000_000, "00000000000f4240"), (-1, "ffffffffffffffff"), (Int64.min, "8000000000000000"),
        ] {
            let origin = ChangeOrigin(madeAt: Instant(microseconds: madeAt), device: device)
            let bytes = try EventCodec.encode(
                .entryRetracted,
                reason: GoldenEvent.reason,
                requestDigest: GoldenEvent.requestDigest,
                origin: origin
            )
            #expect(bytes.hex == "0a037768791202d19e2020421800112233445566778899aabbccddeeff" + hex)
            #expect(try EventCodec.decode(type: 32, schemaVersion: 1, kind: 10, payload: bytes).origin == origin)
        }
        let damaged = try [UInt8](hex: "2020421700112233445566778899aabbccddeeff00000000000f42")
        #expect(
            refusal { try EventCodec.decode(type: 32, schemaVersion: 1, kind: 10, payload: damaged) }?.field
                == "payload"
        )
    }

    /// The log keeps a disk reserve for these events.
    ///
    /// It does not depend on the model, and defines the codes as `EventLog.accessCategory`, `EventLog.sessionTypes`,
    /// `EventLog.erasedType` and `EventLog.entryErasedType`.
    @Test("The codes of access events, sign-ins and erasures, which the log also defines, are unchanged")
    func codesOfTheLog() {
        #expect(EventCategory.access.rawValue == 6)
        #expect(SessionBegun.type.rawValue == 14)
        #expect(SessionEnded.type.rawValue == 15)
        #expect(RecordErased.type.rawValue == 24)
        #expect(EntryErased.type.rawValue == 37)
    }

    /// Codes and names are in every log: elements may be added to this list, but never changed.
    @Test("The codes and names of event types, sources and access actions are unchanged")
    func storedCodes() {
        #expect(
            EventType.allCases.map { "\($0.rawValue) \($0.name) \($0.category.rawValue) \($0.schemaVersion)" } == [
                "1 journal.created 1 1", "2 journal.accepted 1 1", "3 journal.backedUp 1 1", "4 journal.restored 1 1",
                "5 journal.masterKeyRotated 1 1", "6 rules.loaded 1 1", "7 names.loaded 1 1",
                "8 import.begun 3 1", "9 import.ended 3 1",
                "10 account.added 2 1", "11 token.issued 2 1", "12 token.revoked 2 1",
                "13 account.passwordSet 2 1", "14 session.begun 2 1", "15 session.ended 2 1",
                "16 token.used 2 1", "17 account.identityLinked 2 1", "18 account.identityUnlinked 2 1",
                "19 account.profileSet 2 1",
                "20 record.created 3 1", "21 record.changed 3 1", "22 record.closed 3 1",
                "23 record.held 3 1", "24 record.erased 3 1",
                "25 record.ownerAdded 3 1", "26 record.ownerRemoved 3 1", "27 record.transferred 3 1",
                "28 record.reopened 3 1", "29 import.undone 3 1",
                "30 entry.added 4 1", "31 entry.corrected 4 1", "32 entry.retracted 4 1", "33 entry.restored 4 1",
                "34 plan.changed 4 1", "35 entry.diverged 4 1", "36 divergence.settled 4 1",
                "37 entry.erased 4 1",
                "40 caregiver.granted 5 1", "41 caregiver.revoked 5 1",
                "42 caregiver.invited 5 1", "43 invitation.accepted 5 1", "44 invitation.withdrawn 5 1",
                "45 calendar.linked 5 1", "46 calendar.unlinked 5 1",
                "50 access.read 6 1", "51 access.denied 6 1",
                "52 emergency.opened 6 1", "53 notice.acknowledged 6 1", "55 access.summarised 6 1",
                "60 value.claimed 7 1", "61 value.released 7 1", "70 external.received 8 1",
                "80 dose.snoozed 9 1", "81 reminder.sent 9 1",
                "90 account.preferencesSet 2 1", "91 account.subscriptionSet 2 1",
                "92 channel.added 2 1", "93 channel.removed 2 1",
                "94 device.added 2 1", "95 device.removed 2 1", "96 account.removed 2 1",
                "120 practice.created 10 1",
                "121 practice.changed 10 1",
                "122 timetable.set 10 1",
                "123 specialist.added 10 1",
                "124 specialist.changed 10 1",
                "125 availability.set 10 1",
                "126 absence.added 10 1",
                "127 absence.removed 10 1",
                "128 specialist.ended 10 1",
                "129 specialist.returned 10 1",
                "130 specialist.joined 10 1",
                "131 specialist.left 10 1",
                "132 client.added 10 1",
                "133 client.changed 10 1",
                "134 client.ended 10 1",
                "135 practice.closed 10 1",
                "136 service.set 10 1",
                "137 service.ended 10 1",
                "138 place.set 10 1",
                "139 place.ended 10 1",
                "140 member.granted 10 1",
                "141 member.revoked 10 1",
                "142 triageRules.adopted 10 1",
                "178 registration.requested 11 1",
                "143 registration.made 11 1",
                "144 registration.changed 11 1",
                "145 registration.ended 11 1",
                "146 recall.set 11 1",
                "147 recall.met 11 1",
                "148 recall.dropped 11 1",
                "149 slot.taken 12 1",
                "150 slot.freed 12 1",
                "151 slot.blocked 12 1",
                "152 wait.added 11 1",
                "153 wait.offered 11 1",
                "154 wait.withdrawn 11 1",
                "156 appointment.held 11 1",
                "157 appointment.booked 11 1",
                "158 appointment.confirmed 11 1",
                "159 appointment.rescheduled 11 1",
                "160 appointment.reassigned 11 1",
                "161 appointment.displaced 11 1",
                "162 appointment.arrived 11 1",
                "163 appointment.begun 11 1",
                "164 appointment.completed 11 1",
                "165 appointment.cancelled 11 1",
                "166 appointment.missed 11 1",
                "167 appointment.reinstated 11 1",
                "168 appointment.changed 11 1",
                "169 appointment.noteAdded 11 1",
                "170 appointment.retracted 11 1",
                "171 triage.begun 11 1",
                "172 triage.assessed 11 1",
                "173 triage.overridden 11 1",
                "174 triage.taken 11 1",
                "175 triage.left 11 1",
                "176 triage.retracted 11 1",
                "177 triage.judged 11 1",
                "185 source.kept 10 1",
                "202 clock.accepted 1 1", "203 erasures.repeated 1 1",
            ]
        )
        for type in EventType.allCases { #expect(EventType(named: type.name) == type) }
        #expect(EventType(named: "grant.invited") == CaregiverInvited.type)
        #expect(
            EventSource.allCases.map { "\($0.rawValue) \($0.name)" } == [
                "1 commandLine", "2 http", "3 import", "4 sample", "5 door", "6 system",
            ]
        )
        #expect(
            AccessAction.allCases.map(\.rawValue) == [
                "read", "list", "history", "access", "costs", "caregivers", "document", "export", "contribute",
                "manage",
                "emergency", "audit", "erase", "signIn", "invitation", "events", "calendar", "reminder",
                "appointments", "triage", "practice", "search",
            ]
        )
    }

    @Test(
        "Dates of entries are stored as precisely as they are known",
        arguments: [
            ("2010-05", "201e2a0f1a0908011205536d6f6b6540bcbc01"), ("2010", "201e2a0e1a0908011205536d6f6b6548da0f"),
            ("0000-01", "201e2a0d1a0908011205536d6f6b654000"), ("9999-12", "201e2a0f1a0908011205536d6f6b6540bfa907"),
        ]
    )
    func storesDates(text: String, hex: String) throws {
        let event = JournalEvent.entryAdded(try Example.content(Risk.kind, date: text, [("name", "Smoke")]))
        let bytes = try EventCodec.encode(event, reason: "")
        #expect(bytes.hex == hex)
        #expect(try decode(bytes, as: event) == event)
    }

    @Test("Sections and account kinds match the cases of their stored form")
    func enumsMatchStoredForm() throws {
        // The stored form has one more case, for a value that is not set.
        #expect(StoredSection.allCases.map(\.rawValue) == [0] + Section.allCases.map { Int($0.rawValue) })
        #expect(StoredAccountKind.allCases.map(\.rawValue) == [0] + AccountKind.allCases.map { Int($0.rawValue) })
        for section in Section.allCases { #expect(try Section(stored: section.stored) == section) }
        for kind in AccountKind.allCases { #expect(try AccountKind(stored: kind.stored) == kind) }
        #expect(refusal { try Section(stored: .unspecified) }?.field == "section")
        #expect(refusal { try AccountKind(stored: .UNRECOGNIZED(9)) }?.field == "account kind")
    }

    @Test("Random content is decoded as it was encoded")
    func contentRoundTrip() throws {
        try checkProperty("codec round trip", times: 1_000) { random, comment in
            let content = try random.content()
            let event = random.bool() ? JournalEvent.entryAdded(content) : .entryCorrected(content)
            let bytes = try EventCodec.encode(event, reason: random.text(upTo: 30))
            let decoded = try decode(bytes, as: event)
            #expect(decoded == event, comment)
            // 75.50 and 75.5 are equal, but their descriptions differ.
            #expect("\(decoded)" == "\(event)", comment)
        }
    }

    @Test("A random profile is decoded as it was encoded")
    func profileRoundTrip() throws {
        try checkProperty("profile round trip", times: 300) { random, comment in
            let subject = try random.pick([Subject.human, .animal])
            let profile = RecordProfile(
                subject: subject,
                values: try random.values(RecordProfile.fields(for: subject)),
                inferred: [random.text(upTo: 3)],
                extra: [Extra(name: random.text(upTo: 3), json: "null")]
            )
            let event = JournalEvent.recordCreated(profile, owners: [Example.owner])
            #expect(try decode(EventCodec.encode(event, reason: ""), as: event) == event, comment)
        }
    }

    @Test("Every access right is decoded as it was encoded")
    func accessRightRoundTrip() throws {
        for right in [
            AccessRight.owner, .grant(position: 7), .emergency(position: 8), .role(.auditor), .practice(UUID()),
        ] {
            let event = JournalEvent.recordRead(Access(action: .read, grantedBy: right))
            #expect(try decode(EventCodec.encode(event, reason: ""), as: event) == event)
        }
        let emergency = JournalEvent.recordRead(Access(action: .read, grantedBy: .emergency(position: 8)))
        #expect(try EventCodec.encode(emergency, reason: "").hex == "2032" + "32080a0472656164" + "5008")
    }

    @Test("Sections and verbs are encoded in ascending order")
    func encodesSetsInOneOrder() throws {
        let terms = GrantTerms(sections: [.conflicts, .groups, .doctorlist, .myhealth], verbs: [.contribute, .read])
        let event = JournalEvent.caregiverGranted(account: Example.anna, terms: terms)
        let bytes = try EventCodec.encode(event, reason: "")
        #expect(
            bytes.hex
                == "20283a690a1408014a10030000000000400080000000000000030a3508025a310a0a12086d796865616c74680a0c120a"
                + "646f63746f726c6973740a08120667726f7570730a0b1209636f6e666c696374730a1a08035a160a061204726561640a"
                + "0c120a636f6e74726962757465"
        )
    }

    @Test("The value of an unknown field is kept when an event is decoded and encoded again")
    func keepsUnknownFields() throws {
        // This is the comment "a", then field 900 with the text "new" and field 1 with the text "x", in the wrong
        // order.
        let body = "1a08" + "088407" + "12036e6577" + "1a05" + "0801" + "120178" + "220161"
        let stored = "201e2a" + "14" + body
        let event =
            try EventCodec.decode(
                type: EntryAdded.type.rawValue,
                schemaVersion: 1,
                kind: Drug.kind.code,
                payload: try [UInt8](hex: stored)
            )
            .event
        let content = try #require(event.content)
        #expect(content.body.text(Drug.name) == "x")
        #expect(content.body[number: 900] == .text("new"))
        let again = try decode(EventCodec.encode(event, reason: ""), as: event)
        #expect(again.content?.body[number: 900] == .text("new"))
    }

    @Test(
        "An unknown type, version or kind, or a payload of another type, is refused and named in the error",
        arguments: [
            (UInt16(9_999), UInt16(1), UInt16(12), "type"), (30, 2, 12, "schemaVersion"), (30, 0, 12, "schemaVersion"),
            (30, .max, 12, "schemaVersion"), (30, 1, 9_999, "kind"), (30, 1, 0, "kind"), (31, 1, 12, "payload"),
            (22, 1, 12, "payload"),
        ]
    )
    func refusesUnknownHeaders(type: UInt16, version: UInt16, kind: UInt16, field: String) throws {
        let payload = try EventCodec.encode(.entryAdded(EntryContent(kind: Drug.kind)), reason: "")
        let error = refusal {
            try EventCodec.decode(type: type, schemaVersion: version, kind: kind, payload: payload)
        }
        #expect(error?.field == field)
    }

    @Test(
        "A damaged payload is refused",
        arguments: [
            "", "ff", "0a05", "201e2a", "201e2a0a", "201e2a021a00", "201e2a04" + "1a020801",
            // These are a decimal with 256 places and one with 19 digits.
            "201e2a0b" + "1a09" + "0801" + "1a05" + "0802" + "108002",
            "201e2a11" + "1a0f" + "0801" + "1a0b" + "08" + "feffffffffffffffff01",
        ]
    )
    func refusesDamagedPayloads(hex: String) throws {
        let payload = try [UInt8](hex: hex)
        #expect(
            refusal {
                try EventCodec.decode(type: 30, schemaVersion: 1, kind: Weight.kind.code, payload: payload)
            } != nil
        )
    }

    @Test("A payload with too many nested groups is refused")
    func limitsNesting() throws {
        var value: [UInt8] = [0x08, 1, 0x12, 1, 0x78]
        for _ in 0..<1_000 {
            let group: [UInt8] = [0x0a] + Self.length(value.count) + value
            value = [0x08, 1, 0x3a] + Self.length(group.count) + group
        }
        let content: [UInt8] = [0x1a] + Self.length(value.count) + value
        let payload: [UInt8] = [0x20, 30, 0x2a] + Self.length(content.count) + content
        #expect(
            refusal { try EventCodec.decode(type: 30, schemaVersion: 1, kind: 12, payload: payload) }?.field
                == "payload"
        )
    }

    /// Decoding any bytes must return or throw, and never crash.
    @Test("Changed bytes never crash the decoder, and what it accepts is encoded and decoded unchanged")
    func survivesChangedBytes() throws {
        let golden = try GoldenEvent.all()
        var decoded = 0
        try checkProperty("hostile payloads", times: 5_000) { random, _ in
            let example = try random.pick(golden)
            var payload = try EventCodec.encode(example.event, reason: "why")
            for _ in 0..<random.int(1...3) { payload[random.int(0...payload.count - 1)] = UInt8(random.int(0...255)) }
            if random.bool() { payload = Array(payload.prefix(random.int(0...payload.count))) }
            if let event = try? decode(payload, as: example.event) {
                let again = try EventCodec.encode(event, reason: "")
                #expect(try decode(again, as: event) == event)
                decoded += 1
            }
        }
        #expect(decoded > 100)
    }

    private static func length(_ count: Int) -> [UInt8] {
        var rest = count
        var bytes: [UInt8] = []
        repeat {
            bytes.append(UInt8(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return bytes
    }
}

extension [UInt8] {
    var hex: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    init(hex: String) throws {
        let digits = try hex.map { try #require($0.hexDigitValue) }
        self = stride(from: 0, to: digits.count, by: 2)
            .map { (place: Int) -> UInt8 in UInt8(digits[place] * 16 + digits[place + 1]) }
    }
}
