import FoundationEssentials

@testable import HealthModel

/// An event of each type, with the bytes in which existing journals store it.
///
/// Bytes are added with each new schema version, and never changed.
struct GoldenEvent: Sendable, CustomStringConvertible {
    var event: JournalEvent
    var hex: String
    var description: String { event.type.name }

    static let reason = "why"
    static let requestDigest: [UInt8] = [0xd1, 0x9e]

    static func all() throws -> [GoldenEvent] {
        var doctor = try Example.content(
            Doctor.kind,
            date: "2024-02-16",
            [("name", "Ada"), ("address.city", "Ulm"), ("isImportedFromContacts", "false")]
        )
        doctor.comment = "kind"
        doctor.voiceEntryUsed = true
        doctor.inferred = ["type"]
        doctor.extra = [Extra(name: "mood", json: "\"good\"")]
        doctor.body[number: 77] = .integer(-5)
        let weight = try Example.content(
            Weight.kind,
            date: "2024-02-16T07:30:00Z",
            [("value", "75.50"), ("unit", "kg")]
        )
        let plan = try Example.content(
            Drug.kind,
            [
                ("name", "Lisinopril"), ("unit", "tablet"), ("rules.0.id", Example.id(30).text),
                ("rules.0.from", "2026-04-01"), ("rules.0.pattern", "days"), ("rules.0.weekdays.0", "mon"),
                ("rules.0.times.0.id", Example.id(31).text), ("rules.0.times.0.at", "09:00"),
                ("rules.0.times.0.amount", "2"), ("lastChange.effective", "2026-04-01"), ("lastChange.what", "dose"),
            ]
        )
        let animal = try Example.profile(
            .animal,
            [("name", "Rex"), ("birthdate", "2019-05-06"), ("vet.email", "vet@example.org")]
        )
        let terms = GrantTerms(
            sections: [.doctorlist, .myhealth],
            verbs: [.contribute, .read],
            from: Day(daysSince1970: -1),
            until: Day(daysSince1970: 19_769)
        )
        let access = Access(
            action: .export,
            sections: [.myhealth, .doctorlist],
            entryCount: 12,
            asOf: 42,
            happenedBy: Day(daysSince1970: 19_769),
            grantedBy: .grant(position: 7),
            purpose: "visit"
        )
        let denied = Access(action: .history, sections: [.myhealth])
        let token = Token(
            id: Example.id(20),
            scope: try TokenScope(parsing: "append:scale"),
            expires: Instant(microseconds: 1),
            digest: [UInt8](repeating: 0xab, count: 4)
        )
        let password = PasswordHash(
            salt: [0x5a, 0x17],
            hash: [UInt8](repeating: 0xcd, count: 4),
            cost: PasswordCost(rounds: 32_768, blockSize: 8, parallelism: 1)
        )
        let session = AccountSession(
            id: Example.id(21),
            digest: [UInt8](repeating: 0xef, count: 4),
            expires: Instant(microseconds: 1_000_000)
        )
        let invitation = Invitation(
            id: Example.id(22),
            digest: [UInt8](repeating: 0xef, count: 4),
            terms: terms,
            expires: Instant(microseconds: 1_000_000)
        )
        let slot = Slot.time(rule: Example.id(30), day: Day(daysSince1970: 20_514), time: Example.id(31))
        let events: [(event: JournalEvent, hex: String)] = [
            (
                .journalCreated(name: "Home", zone: "Europe/Berlin"),
                "20013a1d0a0808011204486f6d650a110802120d4575726f70652f4265726c696e"
            ),
            (
                .journalAccepted(expectedSize: 300, expectedRoot: [UInt8](repeating: 0xab, count: 4), foundSize: 7),
                "20023a170a05080120d8040a0808025204abababab0a040803200e"
            ),
            (.journalBackedUp(place: "/b", head: 42), "20033a0e0a06080112022f620a0408022054"),
            (.journalRestored(head: 42, from: "/b"), "20043a0e0a04080120540a06080212022f62"),
            (.masterKeyRotated, "2005"),
            (
                .rulesLoaded(RulesLoaded(name: "starter", version: "1", licence: "CC0-1.0", digest: "ab", count: 80)),
                "20063a300a0b08011207737461727465720a0508021201310a0b080312074343302d312e300a060804120261620a05080520a001"
            ),
            (
                .namesLoaded(NamesLoaded(name: "de", version: "1", digest: "ab", count: 42)),
                "20073a1d0a060801120264650a0508021201310a060803120261620a0408042054"
            ),
            (
                .importBegun(ImportBegun(format: "fhir", digest: "ab")),
                "20083a120a0808011204666869720a06080212026162"
            ),
            (
                .importEnded(ImportEnded(format: "fhir", added: 3, corrected: 2, retracted: 1)),
                "20093a1c0a0808011204666869720a04080220060a04080320040a0408042002"
            ),
            (
                .accountAdded(AccountProfile(name: "anna", email: "a@example.org", kind: .auditor)),
                "200a3a2a0a0808011204616e6e610a0b0802120761756469746f720a110803120d61406578616d706c652e6f7267"
            ),
            (
                .tokenIssued(token),
                "200b3a380a1408014a10140000000000400080000000000000140a100802120c617070656e643a7363616c650a040803"
                    + "40020a0808045204abababab"
            ),
            (.tokenRevoked(Example.id(20)), "200c3a160a1408014a1014000000000040008000000000000014"),
            (
                .passwordSet(password),
                "200d3a260a06080152025a170a0808025204cdcdcdcd0a060803208080040a04080420100a0408052002"
            ),
            (
                .sessionBegun(session),
                "200e3a280a1408014a10150000000000400080000000000000150a0808025204efefefef0a0608034080897a"
            ),
            (.sessionEnded(Example.id(21)), "200f3a160a1408014a1015000000000040008000000000000015"),
            (.tokenUsed(Example.id(20)), "20103a160a1408014a1014000000000040008000000000000014"),
            (
                .identityLinked(AccountIdentity(id: Example.id(23), issuer: "https://id.example", subject: "a1")),
                "20113a360a1408014a10170000000000400080000000000000170a160802121268747470733a2f2f69642e6578616d70"
                    + "6c650a06080312026131"
            ),
            (.identityUnlinked(Example.id(23)), "20123a160a1408014a1017000000000040008000000000000017"),
            (
                .profileSet(
                    AccountDetails(
                        email: "a@example.org",
                        displayName: "Anna",
                        pictureAddress: "https://p.example/a"
                    )
                ),
                "20133a360a110801120d61406578616d706c652e6f72670a0808021204416e6e610a170803121368747470733a2f2f70"
                    + "2e6578616d706c652f61"
            ),
            (
                .recordCreated(animal, owners: [Example.owner, Example.anna]),
                "20143a720a4208013a3e0a0a08011206616e696d616c0a3008023a2c0a06080130cc99020a07081412035265780a1908"
                    + "1a3a150a130804120f766574406578616d706c652e6f72670a2c08025a280a124a100200000000004000800000000000"
                    + "00020a124a1003000000000040008000000000000003"
            ),
            (.recordChanged(RecordProfile(subject: .human)), "20153a110a0f08013a0b0a090801120568756d616e"),
            (.recordClosed, "2016"),
            (.recordHeld(until: Day(daysSince1970: 19_769)), "20173a080a06080130f2b402"),
            (.recordErased, "2018"),
            (.recordOwnerAdded(Example.anna), "20193a160a1408014a1003000000000040008000000000000003"),
            (.recordOwnerRemoved(Example.anna), "201a3a160a1408014a1003000000000040008000000000000003"),
            (.recordTransferred(to: Example.anna), "201b3a160a1408014a1003000000000040008000000000000003"),
            (.recordReopened, "201c"),
            (.importUndone(ImportUndone(position: 300)), "201d3a070a05080120d804"),
            (
                .entryAdded(doctor),
                "201e2a4610f2b4021a07080112034164611a0d08073a090a0708031203556c6d1a04080928001a04084d200922046b69"
                    + "6e6428013204747970653a0e0a046d6f6f64120622676f6f6422"
            ),
            (.entryCorrected(weight), "201f2a1c0880b8bde2d6de88061a0908011a0508fc7510021a06080212026b67"),
            (.entryRetracted, "2020"),
            (.entryRestored, "2021"),
            (
                .planChanged(plan),
                "20222ab6011a0e0801120a4c6973696e6f7072696c1a0a080c12067461626c65741a7808145a740a723a700a1408014a"
                    + "101e00000000004000800000000000001e0a0e0802120a323032362d30342d30310a0808051204646179730a0b08075a"
                    + "070a0512036d6f6e0a31080c5a2d0a2b3a290a0608011a0208040a14080a4a101f00000000004000800000000000001f"
                    + "0a09080b120530393a30301a1e081f3a1a0a0e0801120a323032362d30342d30310a0808021204646f7365"
            ),
            (
                .entryDiverged(
                    EntryDiverged(
                        base: 300,
                        writer: ChangeWriter(
                            author: Example.anna,
                            origin: ChangeOrigin(madeAt: Instant(microseconds: 1), device: Example.id(41))
                        ),
                        fields: ["name", "comment"],
                        content: doctor,
                        isRetracted: true,
                        isSettled: true
                    )
                ),
                "20233ae3010a05080120d8040a1408024a10030000000000400080000000000000030a1408034a1029000000000040"
                    + "0080000000000000290a04080440020a1708055a130a0612046e616d650a091207636f6d6d656e740a820108063a7e"
                    + "0a04080120260a0e0802120a323032342d30322d31360a2808033a240a07080112034164610a0d08073a090a070803"
                    + "1203556c6d0a04080928000a04084d20090a08080412046b696e640a04080528010a0c08065a080a06120474797065"
                    + "0a1e08075a1a0a183a160a08080112046d6f6f640a0a0802120622676f6f64220a04080728010a0408082801"
            ),
            (.divergenceSettled(300, .take), "20243a110a05080120d8040a080802120474616b65"),
            (
                JournalEvent(EntryErased(copies: [EntryCopy(.triage, id: Example.id(41), .recordKey)])),
                "20253a3b0a3908015a350a333a310a0a080112067472696167650a1408024a1029000000000040008000000000000029"
                    + "0a0d080312097265636f72644b6579"
            ),
            (
                .caregiverGranted(account: Example.anna, terms: terms),
                "20283a600a1408014a10030000000000400080000000000000030a1e08025a1a0a0a12086d796865616c74680a0c120a"
                    + "646f63746f726c6973740a1a08035a160a061204726561640a0c120a636f6e747269627574650a04080430010a060805"
                    + "30f2b402"
            ),
            (.caregiverRevoked(account: Example.anna), "20293a160a1408014a1003000000000040008000000000000003"),
            (
                .caregiverInvited(invitation),
                "202a3a720a1408014a10160000000000400080000000000000160a0808025204efefefef0a0608034080897a0a1e0804"
                    + "5a1a0a0a12086d796865616c74680a0c120a646f63746f726c6973740a1a08055a160a061204726561640a0c120a636f"
                    + "6e747269627574650a04080630010a06080730f2b402"
            ),
            (.invitationAccepted(Example.id(22)), "202b3a160a1408014a1016000000000040008000000000000016"),
            (.invitationWithdrawn(Example.id(22)), "202c3a160a1408014a1016000000000040008000000000000016"),
            (
                .calendarLinked(
                    CalendarLink(
                        id: Example.id(24),
                        digest: [UInt8](repeating: 0xba, count: 4),
                        account: Example.anna,
                        showsNames: true,
                        times: .floating
                    )
                ),
                "202d3a550a1408014a10180000000000400080000000000000180a0908021205646f7365730a0808035204babababa0a"
                    + "04080428010a0c08051208666c6f6174696e670a1408064a1003000000000040008000000000000003"
            ),
            (.calendarUnlinked(Example.id(24)), "202e3a160a1408014a1018000000000040008000000000000018"),
            (.recordRead(access), "2032321d0a066578706f727412020102180c202a28f2b40238074a057669736974"),
            (.accessDenied(denied), "2033320c0a07686973746f7279120101"),
            (
                .emergencyOpened(account: Example.anna, expires: Instant(microseconds: 1_000_000)),
                "20343a1e0a1408014a10030000000000400080000000000000030a0608024080897a"
            ),
            (.noticeAcknowledged(position: 300), "20353a070a05080120d804"),
            (
                .accessSummarised(
                    AccessSummary(
                        action: .history,
                        sections: denied.sections,
                        count: 300,
                        first: Instant(microseconds: 1_000_000),
                        last: Instant(microseconds: 2_000_000)
                    )
                ),
                "20373a370a0b08011207686973746f72790a1008025a0c0a0a12086d796865616c74680a05080320d8040a0608044080"
                    + "897a0a070805408092f401"
            ),
            (.valueClaimed(holder: Example.record), "203c3a160a1408014a1001000000000040008000000000000001"),
            (.valueReleased, "203d"),
            (
                .externalReceived(streamName: "scale", contentType: "application/json", data: [0x7b, 0x7d]),
                "20463a290a09080112057363616c650a14080212106170706c69636174696f6e2f6a736f6e0a06080352027b7d"
            ),
            (
                .doseSnoozed(Snooze(plan: Example.id(25), slot: slot, until: Instant(microseconds: 1_000_000))),
                "20503a780a1408014a10190000000000400080000000000000190a580802125431653030303030302d303030302d3430"
                    + "30302d383030302d3030303030303030303031652f323032362d30332d30322f31663030303030302d303030302d3430"
                    + "30302d383030302d3030303030303030303031660a0608034080897a"
            ),
            (
                .reminderSent(
                    SentReminder(
                        account: Example.anna,
                        channel: Example.id(26),
                        cause: .doseDue,
                        plan: Example.id(25),
                        about: slot.description,
                        number: 1,
                        at: Instant(microseconds: 1_000_000)
                    )
                ),
                "20513ab8010a1408014a10030000000000400080000000000000030a1408024a101a0000000000400080000000000000"
                    + "1a0a0c08031208646f73652e6475650a1408044a10190000000000400080000000000000190a58080512543165303030"
                    + "3030302d303030302d343030302d383030302d3030303030303030303031652f323032362d30332d30322f3166303030"
                    + "3030302d303030302d343030302d383030302d3030303030303030303031660a04080620020a0608074080897a"
            ),
            (
                .preferencesSet(
                    AccountPreferences(
                        voiceInputEnabled: false,
                        timeZone: "Europe/Berlin",
                        quietFrom: WallTime(minutes: 1_320)
                    )
                ),
                "205a3a680a04080128010a110803120d4575726f70652f4265726c696e0a0a08051206637573746f6d0a090806120530"
                    + "383a30300a090807120531323a33300a090808120531383a33300a090809120532323a30300a04080a20000a04080b20"
                    + "1e0a09080c120532323a3030"
            ),
            (
                .subscriptionSet(
                    Subscription(status: .trial, term: .annual, trialEnd: Instant(microseconds: 1_000_000))
                ),
                "205b3a1f0a0908011205747269616c0a0a08021206616e6e75616c0a0608034080897a"
            ),
            (
                .channelAdded(
                    ReminderChannel(
                        id: Example.id(26),
                        kind: .webhook,
                        address: "https://h.example/",
                        showsNames: true,
                        secret: [0xab, 0xcd]
                    )
                ),
                "205c3a490a1408014a101a00000000004000800000000000001a0a0b08021207776562686f6f6b0a1608031212687474"
                    + "70733a2f2f682e6578616d706c652f0a04080428010a0608055202abcd"
            ),
            (.channelRemoved(Example.id(26)), "205d3a160a1408014a101a00000000004000800000000000001a"),
            (
                .deviceAdded(Example.id(41), name: "phone"),
                "205e3a210a1408014a10290000000000400080000000000000290a090802120570686f6e65"
            ),
            (.deviceRemoved(Example.id(41)), "205f3a160a1408014a1029000000000040008000000000000029"),
            (.accountRemoved, "2060"),
        ]
        let last: [(event: JournalEvent, hex: String)] = [
            (
                .clockAccepted(expected: Instant(microseconds: 1), found: Instant(microseconds: 1_000_000)),
                "20ca013a0e0a04080140020a0608024080897a"
            ),
            (.erasuresRepeated(count: 3), "20cb013a060a0408012006"),
        ]
        return try (events + clinic() + last).map { GoldenEvent(event: $0.event, hex: prefix + $0.hex) }
    }

    /// The reason and the digest of the request, which all examples have.
    private static let prefix = "0a037768791202d19e"
}
