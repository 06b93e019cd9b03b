import Foundation
import HealthModel
import Testing

@testable import Interchange

@Suite("What VetNet says and the journal does not write")
struct VetNetKeptTests {
    private func kept(_ source: JSONValue, _ rendered: JSONValue) throws -> VetNetKept {
        let kept = VetNetKept(source: source.members, rendered: rendered.members)
        // It is read as it is stored.
        return try #require(VetNetKept(JSONReader.read(Array(JSONWriter.text(kept.json, .compact).utf8))))
    }

    private func restored(_ kept: VetNetKept, _ now: JSONValue) -> JSONValue { .object(kept.restored(now.members)) }

    @Test("What was not changed comes out as it came, also in another spelling or without what the writer adds")
    func unchanged() throws {
        let source: JSONValue = [
            "id": "A", "at": "2026-03-02T09:00:30Z", "phone": .null, "match": ["score": .number("0.910")],
            "days": [["day": "mon", "note": "long"], ["day": "tue"]], "updatedAt": .number("7"),
        ]
        let rendered: JSONValue = [
            "id": "a", "at": .number("794134800"), "days": [["day": "mon"], ["day": "tue"]], "isActive": .bool(true),
        ]
        #expect(restored(try kept(source, rendered), rendered).withSortedMembers == source.withSortedMembers)
        #expect(VetNetKept(source: rendered.members, rendered: rendered.members).isEmpty)
    }

    @Test("A value that was changed here is written, beside what the source says of everything else")
    func changed() throws {
        let source: JSONValue = [
            "phone": "044 1", "address": ["city": "Bern", "floor": .number("3")], "note": "old", "status": "confirmed",
            "days": [["day": "mon", "open": "8", "note": "long"], ["day": "tue", "open": "9", "note": "short"]],
            "createdAt": .number("1"), "updatedAt": .number("7"), "extra": .number("1"),
        ]
        let rendered: JSONValue = [
            "phone": "+41 44 1", "address": ["city": "Bern"], "note": "Old", "status": "scheduled",
            "days": [["day": "mon", "open": "8"], ["day": "tue", "open": "9"]], "isActive": .bool(true),
        ]
        let now: JSONValue = [
            "phone": "+41 44 2", "address": ["city": "Chur"], "status": "completed",
            "days": [["day": "tue", "open": "9"], ["day": "mon", "open": "7"], ["day": "wed", "open": "8"]],
            "isActive": .bool(false),
        ]
        #expect(
            restored(try kept(source, rendered), now).withSortedMembers
                == ([
                    "phone": "+41 44 2", "address": ["city": "Chur", "floor": .number("3")], "status": "completed",
                    "days": [
                        ["day": "tue", "open": "9", "note": "short"], ["day": "mon", "open": "7", "note": "long"],
                        ["day": "wed", "open": "8"],
                    ], "isActive": .bool(false), "createdAt": .number("1"), "extra": .number("1"),
                ] as JSONValue)
                .withSortedMembers
        )
    }

    @Test("Hours of other days, absences and the caseload are written, and read again")
    func own() throws {
        let now = try Instant(parsing: "2027-03-01T09:00:00Z")
        let today = Day(of: now)
        let stamp = Stamp(position: 1, recordedAt: now, actor: UUID())
        var profile = PracticeProfile(values: FieldValues())
        try profile.set("name", text: "Two Rooms")
        try profile.set("zone", text: "Europe/Zurich")
        var practice = PracticeState(id: UUID(), profile: profile, created: stamp)
        let (spring, summer) = (try Day(parsing: "2027-01-01"), try Day(parsing: "2027-05-01"))
        practice.timetables.set(Timetable(usual: try WeeklyHours(parsing: ["mon-fri 08:00-12:00"])), from: spring)
        practice.timetables.set(Timetable(usual: try WeeklyHours(parsing: ["mon 10:00-12:00"])), from: summer)
        var own = SpecialistProfile(values: FieldValues())
        for (name, text) in [
            ("name", "Ada"), ("caseload.appointments", "8"), ("licenseUntil", "2028-01-01"), ("species.never.0", "cat"),
        ] { try own.set(name, text: text) }
        let events = [
            JournalEvent(SpecialistAdded(practice: practice.id, profile: own)),
            JournalEvent(
                AvailabilitySet(
                    practice: practice.id,
                    from: summer,
                    hours: try WeeklyHours(parsing: ["tue 08:00-12:00"])
                )
            ),
            JournalEvent(AbsenceAdded(absence: UUID(), from: now, until: now.adding(minutes: 90), why: .leave)),
        ]
        var folded: SpecialistState?
        let id = UUID()
        for event in events { evolve(&folded, RecordedEvent(stamp: stamp, subject: id, stream: id, event: event)) }
        let specialist = try #require(folded)
        let document = PracticeDocument(practice, roles: [], members: [:])
        for hours in [document.timetables, Array(document.timetables.suffix(1))] {
            var shown = document
            shown.timetables = hours
            var contents = PracticeContents(shown, days: today...today, now: now, today: today)
            contents.specialists = [SpecialistDocument(specialist)]
            let options = VetNetOptions(zone: nil, now: now, entries: { $0 }, day: { instant, _ in Day(of: instant) })
            let text = JSONWriter.text(VetNetWriter(contents).json)
            let read = try #require(try VetNetDocument.read(Array(text.utf8), options: options).first)
            #expect(Set(read.timetables) == Set(hours), "\(text)")
            #expect(read.specialists.first?.hours == contents.specialists[0].posts[0].hours)
            #expect(read.specialists.first?.absences == contents.specialists[0].absences)
            #expect(read.specialists.first?.profile == own)
        }
    }
}
