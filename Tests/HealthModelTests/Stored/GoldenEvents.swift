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
            scope: .append(category: "scale"),
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
        let events: [JournalEvent] = [
            .journalCreated(name: "Home", zone: "Europe/Berlin"),
            .journalAccepted(expectedSize: 300, expectedRoot: [UInt8](repeating: 0xab, count: 4), foundSize: 7),
            .journalBackedUp(place: "/b", head: 42),
            .journalRestored(head: 42, from: "/b"),
            .masterKeyRotated,
            .accountAdded(AccountProfile(name: "anna", email: "a@example.org", kind: .auditor)),
            .tokenIssued(token),
            .tokenRevoked(Example.id(20)),
            .passwordSet(password),
            .sessionBegun(session),
            .sessionEnded(Example.id(21)),
            .tokenUsed(Example.id(20)),
            .identityLinked(AccountIdentity(id: Example.id(23), issuer: "https://id.example", subject: "a1")),
            .identityUnlinked(Example.id(23)),
            .recordCreated(animal, owners: [Example.owner, Example.anna]),
            .recordChanged(RecordProfile(subject: .human)),
            .recordClosed,
            .recordHeld(until: Day(daysSince1970: 19_769)),
            .recordErased,
            .recordOwnerAdded(Example.anna),
            .recordOwnerRemoved(Example.anna),
            .recordTransferred(to: Example.anna),
            .entryAdded(doctor),
            .entryCorrected(weight),
            .entryRetracted,
            .entryRestored,
            .caregiverGranted(account: Example.anna, terms: terms),
            .caregiverRevoked(account: Example.anna),
            .caregiverInvited(invitation),
            .invitationAccepted(Example.id(22)),
            .invitationWithdrawn(Example.id(22)),
            .recordRead(access),
            .accessDenied(denied),
            .emergencyOpened(account: Example.anna, expires: Instant(microseconds: 1_000_000)),
            .noticeAcknowledged(position: 300),
            .accessSummarised(
                AccessSummary(
                    action: .history,
                    sections: denied.sections,
                    count: 300,
                    first: Instant(microseconds: 1_000_000),
                    last: Instant(microseconds: 2_000_000)
                )
            ),
            .valueClaimed(holder: Example.record),
            .valueReleased,
            .externalReceived(streamName: "scale", contentType: "application/json", data: [0x7b, 0x7d]),
            .clockAccepted(expected: Instant(microseconds: 1), found: Instant(microseconds: 1_000_000)),
        ]
        return zip(events, bytes).map(GoldenEvent.init)
    }

    private static let bytes = [
        "0a037768791202d19eaa06150a04486f6d65120d4575726f70652f4265726c696e",
        "0a037768791202d19eb2060b08ac021204abababab1807",
        "0a037768791202d19eba06060a022f62102a",
        "0a037768791202d19ec20606082a12022f62",
        "0a037768791202d19eca0600",
        "0a037768791202d19ef206170a04616e6e61120d61406578616d706c652e6f72671803",
        "0a037768791202d19efa06280a1014000000000040008000000000000014120c617070656e643a7363616c6518022204"
            + "abababab",
        "0a037768791202d19e8207120a1014000000000040008000000000000014",
        "0a037768791202d19e8a07120a025a171204cdcdcdcd1880800220082801",
        "0a037768791202d19e92071c0a10150000000000400080000000000000151204efefefef1880897a",
        "0a037768791202d19e9a07120a1015000000000040008000000000000015",
        "0a037768791202d19ea207120a1014000000000040008000000000000014",
        "0a037768791202d19eaa072a0a1017000000000040008000000000000017121268747470733a2f2f69642e6578616d706c65"
            + "1a026131",
        "0a037768791202d19eb207120a1017000000000040008000000000000017",
        "0a037768791202d19ec207540a2e08021206080130cc99021207081412035265781219081a3a150a130804120f766574"
            + "406578616d706c652e6f7267121002000000000040008000000000000002121003000000000040008000000000000003",
        "0a037768791202d19eca07040a020801",
        "0a037768791202d19ed20700",
        "0a037768791202d19eda070408f2b402",
        "0a037768791202d19ee20700",
        "0a037768791202d19eea07120a1003000000000040008000000000000003",
        "0a037768791202d19ef207120a1003000000000040008000000000000003",
        "0a037768791202d19efa07120a1003000000000040008000000000000003",
        "0a037768791202d19e92084610f2b4021a07080112034164611a0d08073a090a0708031203556c6d1a04080928001a04"
            + "084d200922046b696e6428013204747970653a0e0a046d6f6f64120622676f6f6422",
        "0a037768791202d19e9a081c0880b8bde2d6de88061a0908011a0508fc7510021a06080212026b67",
        "0a037768791202d19ea20800",
        "0a037768791202d19eaa0800",
        "0a037768791202d19ee208200a1003000000000040008000000000000003120201021a020102200128f2b402",
        "0a037768791202d19eea08120a1003000000000040008000000000000003",
        "0a037768791202d19ef2082a0a10160000000000400080000000000000161204efefefef1880897a220201022a0201023001"
            + "38f2b402",
        "0a037768791202d19efa08120a1016000000000040008000000000000016",
        "0a037768791202d19e8209120a1016000000000040008000000000000016",
        "0a037768791202d19eb2091d0a066578706f727412020102180c202a28f2b40238074a057669736974",
        "0a037768791202d19eba090c0a07686973746f7279120101",
        "0a037768791202d19ec209160a10030000000000400080000000000000031080897a",
        "0a037768791202d19eca090308ac02",
        "0a037768791202d19eda09180a07686973746f727912010118ac022080897a288092f401",
        "0a037768791202d19e820a120a1001000000000040008000000000000001",
        "0a037768791202d19e8a0a00",
        "0a037768791202d19ed20a1d0a057363616c6512106170706c69636174696f6e2f6a736f6e1a027b7d",
        "0a037768791202d19ef2120608021080897a",
    ]
}
