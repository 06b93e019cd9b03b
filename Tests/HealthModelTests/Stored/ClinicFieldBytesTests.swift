import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

@Suite("Bytes of later fields of the events of practices")
struct ClinicFieldBytesTests {
    /// The bytes of the reason and the digest, with which each golden event begins.
    private static let prefix = "0a037768791202d19e"

    private func expect(_ event: JournalEvent, _ hex: String) throws {
        let bytes = try EventCodec.encode(event, reason: GoldenEvent.reason, requestDigest: GoldenEvent.requestDigest)
        #expect(bytes.hex == Self.prefix + hex)
        let decoded = try EventCodec.decode(
            type: event.type.rawValue,
            schemaVersion: 1,
            kind: 0,
            payload: try [UInt8](hex: Self.prefix + hex)
        )
        #expect(decoded.event == event)
    }

    @Test("The preferences of a specialist have golden bytes")
    func preferences() throws {
        let event = AvailabilitySet(
            practice: Example.id(60),
            from: Day(daysSince1970: 20_000),
            hours: try WeeklyHours(parsing: ["mon-tue 08:00-12:00"]),
            preferences: [AvailabilityPreference(service: Example.id(65), weekday: .monday, weight: -2)]
        )
        try expect(
            JournalEvent(event),
            "207d3a790a1408014a103c00000000004000800000000000003c0a06080230c0b8020a2a08035a260a11120f6d6f6e20"
                + "30383a30302d31323a30300a11120f7475652030383a30302d31323a30300a2d08045a290a273a250a1408014a104100"
                + "00000000400080000000000000410a07080212036d6f6e0a0408032003"
        )
    }

    @Test("The triage and the ranking of an appointment have golden bytes")
    func match() throws {
        let ranked = RankedSpecialist(
            specialist: Example.id(61),
            lines: [RankingLine(.specialty, 20, because: "none asked")],
            waitMinutes: 10,
            bookedMinutes: 30
        )
        let leftOut = SpecialistRanking.LeftOut(specialist: Example.id(62), reasons: [.nothingFree])
        let details = AppointmentDetails(
            practice: Example.id(60),
            service: Example.id(65),
            type: .followUp,
            start: Instant(microseconds: 60_000_000),
            wall: try WallMoment(parsing: "1970-01-01T01:01"),
            zone: "Europe/Zurich",
            minutes: 30,
            bufferAfter: 5,
            specialist: Example.id(61),
            others: [Example.id(62)],
            places: [Example.id(63)],
            reason: "limps",
            notes: "shy",
            instructions: "fasting",
            assessment: Example.id(84),
            match: SpecialistMatch(
                ranking: SpecialistRanking(ranked: [ranked], leftOut: [leftOut]),
                taken: Example.id(61)
            )
        )
        try expect(
            JournalEvent(AppointmentBooked(details: details)),
            "209d013abc030ab90308013ab4030a1408014a103c00000000004000800000000000003c0a1408024a10410000000000"
                + "400080000000000000410a0d08031209666f6c6c6f775f75700a07080440809c9c390a1408051210313937302d30312d"
                + "30315430313a30310a110806120d4575726f70652f5a75726963680a040807203c0a040809200a0a14080a4a103d0000"
                + "0000004000800000000000003d0a18080b5a140a124a103e00000000004000800000000000003e0a18080c5a140a124a"
                + "103f00000000004000800000000000003f0a09080d12056c696d70730a07080e12037368790a0b080f12076661737469"
                + "6e670a1408104a10540000000000400080000000000000540ab70108113ab2010a6508015a610a5f3a5d0a1408014a10"
                + "3d00000000004000800000000000003d0a04080220280a3308035a2f0a2d3a2b0a0d080112097370656369616c74790a"
                + "04080220280a04080320500a0e0804120a6e6f6e652061736b65640a04080420140a040805203c0a3308025a2f0a2d3a"
                + "2b0a1408014a103e00000000004000800000000000003e0a1308025a0f0a0d120b6e6f7468696e67467265650a140803"
                + "4a103d00000000004000800000000000003d"
        )
    }
}
