import Foundation
import HealthModel
import TestSupport

@testable import Interchange

/// Random documents of Mango Health: every field may be absent, null, empty or usual, and times have all forms.
struct RandomMango {
    var generator: SeededGenerator
    private var count = 0

    init(_ generator: SeededGenerator) {
        self.generator = generator
    }

    mutating func document() -> JSONValue {
        let users = Int.random(in: 1...2, using: &generator)
        return ["users": .object((0..<users).map { .init("user\($0)", user("user\($0)")) })]
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &generator)]
    }

    private mutating func text() -> JSONValue {
        .string(pick(["a", "Rice", "10mg", "2 tablets", "5 mL", "½ pill", "", " x ", "日本", "line\nbreak", "é"]))
    }

    private mutating func time() -> JSONValue {
        let seconds = Int64.random(in: 1_500_000_000...1_772_000_000, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return .time(Instant(microseconds: seconds * 1_000_000))
        case 1: return .number("\(seconds - 978_307_200).\(pick(["5", "250", "0"]))")
        case 2:
            return [
                "seconds": .integer(seconds),
                "nanoseconds": .integer(Int.random(in: 0..<1_000_000_000, using: &generator)),
            ]
        default: return .string(Instant(microseconds: seconds * 1_000_000).description.replacing("Z", with: "+02:00"))
        }
    }

    private mutating func flag() -> JSONValue { .bool(chance(50)) }

    private mutating func id() -> String {
        count += 1
        return chance(50) ? UUID(nameBased: UUID(), "\(count)").uuidString : "id\(count)"
    }

    /// Some of the members, in random order, with members that the format does not have.
    private mutating func some(_ members: [(String, JSONValue)]) -> JSONValue {
        var chosen: [JSONValue.Member] = []
        for (name, value) in members where !chance(15) { chosen.append(.init(name, chance(5) ? .null : value)) }
        if chance(20) {
            chosen.append(.init("unknown", pick([.null, [1, 2.5.json], ["deep": ["er": .string("x")]], .string("")])))
        }
        return .object(chosen.shuffled(using: &generator))
    }

    private mutating func list(_ item: (inout RandomMango) -> JSONValue) -> JSONValue {
        .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in item(&self) })
    }

    private mutating func collection(_ item: (inout RandomMango, String) -> JSONValue) -> JSONValue {
        .object(
            (0..<Int.random(in: 0...4, using: &generator))
                .map { _ in
                    let id = id()
                    return .init(id, item(&self, id))
                }
        )
    }

    private mutating func user(_ id: String) -> JSONValue {
        some([
            ("id", .string(id)), ("email", .string("\(id)@example.org")), ("displayName", text()),
            ("profileImageURL", text()), ("createdAt", time()), ("lastLoginAt", time()),
            ("subscriptionStatus", .string(pick(["trial", "active", "expired", "paused"]))),
            ("subscriptionType", .string(pick(["monthly", "annual", "weekly"]))), ("trialEndDate", time()),
            ("preferences", preferences()), ("caregiverAccess", caregivers()),
            ("medications", collection { $0.plan($1, isMedication: true) }),
            ("supplements", collection { $0.plan($1, isMedication: false) }),
            ("diet", collection { $0.meal($1) }), ("doctors", collection { $0.doctor($1) }),
            ("conflicts", collection { $0.conflict($1) }),
        ])
    }

    private mutating func preferences() -> JSONValue {
        some([
            ("notificationsEnabled", flag()), ("voiceInputEnabled", flag()),
            ("reminderFrequency", .string(pick(["three_daily", "custom", "hourly"]))),
            ("timeZone", .string(pick(["Europe/Zurich", "America/New_York", "Asia/Kathmandu", "UTC"]))),
            ("language", .string(pick(["en", "de-CH", ""]))),
        ])
    }

    private mutating func caregivers() -> JSONValue {
        some([
            ("enabled", flag()), ("maxCaregivers", 3),
            (
                "caregivers",
                list { random in
                    random.some([
                        ("id", .string(random.id())), ("caregiverId", .string(random.id())),
                        ("caregiverEmail", .string("c@example.org")), ("caregiverName", random.text()),
                        ("accessLevel", "readonly"), ("grantedAt", random.time()),
                        (
                            "permissions",
                            random.pick([["myhealth"], ["myhealth", "doctorlist"], [], ["groups", "x"]])
                        ),
                        ("notificationsEnabled", random.flag()), ("isActive", random.flag()),
                    ])
                }
            ),
        ])
    }

    private mutating func plan(_ id: String, isMedication: Bool) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("userId", .string("user0")), ("dosage", text()), ("notes", text()), ("isActive", flag()),
            ("createdAt", time()), ("updatedAt", time()), ("voiceEntryUsed", flag()),
            (
                "frequency",
                .string(
                    pick([
                        "once_daily", "twice_daily", "three_times_daily", "daily", "weekly", "as_needed", "custom", "x",
                    ])
                )
            ),
            ("schedule", list { $0.scheduled(isMedication) }),
        ]
        members +=
            isMedication
            ? [("prescribedBy", text()), ("startDate", time()), ("endDate", time())]
            : [("purpose", text()), ("brand", text())]
        // A plan needs a name.
        return .object([.init("name", "Name"), .init("id", .string(id))] + some(members).members)
    }

    private mutating func scheduled(_ isMedication: Bool) -> JSONValue {
        some([
            ("id", .string(id())), ("time", time()), (isMedication ? "dosageAmount" : "amount", text()),
            ("instructions", text()), ("withMeal", flag()), ("isCompleted", flag()), ("completedAt", time()),
            ("skipped", flag()), ("skippedReason", text()),
        ])
    }

    private mutating func meal(_ id: String) -> JSONValue {
        some([
            ("id", .string(id)), ("userId", .string("user0")), ("allergies", list { $0.text() }), ("notes", text()),
            ("mealType", .string(pick(["breakfast", "lunch", "dinner", "snack", "brunch"]))),
            ("scheduledTime", time()), ("actualTime", time()), ("date", time()), ("createdAt", time()),
            ("updatedAt", time()), ("voiceEntryUsed", flag()),
            (
                "foods",
                list { random in
                    random.some([
                        ("id", .string(random.id())), ("name", random.text()), ("quantity", random.text()),
                        ("calories", random.pick([260, 0, .number("12.5"), .integer(-3)])), ("notes", random.text()),
                    ])
                }
            ),
        ])
    }

    private mutating func doctor(_ id: String) -> JSONValue {
        some([
            ("id", .string(id)), ("userId", .string("user0")), ("name", text()), ("specialty", text()),
            ("phoneNumber", text()), ("email", text()), ("notes", text()), ("isImportedFromContacts", flag()),
            ("contactIdentifier", text()), ("createdAt", time()), ("updatedAt", time()),
            ("address", some([("street", text()), ("city", text()), ("state", text()), ("country", .string("US"))])),
        ])
    }

    private mutating func conflict(_ id: String) -> JSONValue {
        some([
            ("id", .string(id)), ("userId", .string("user0")), ("queryText", text()),
            ("medications", list { $0.text() }),
            ("supplements", list { $0.text() }), ("conflictsFound", flag()),
            ("severity", .string(pick(["low", "medium", "high", "critical", "dire"]))),
            ("recommendations", list { $0.text() }), ("educationalInfo", text()),
            ("source", .string(pick(["medgemma_ai", "manual_entry", "scheduled_check", "other"]))),
            ("createdAt", time()), ("isResolved", flag()), ("userNotes", text()),
            (
                "conflictDetails",
                list { random in
                    random.some([
                        ("id", .string(random.id())), ("medication1", random.text()), ("medication2", random.text()),
                        ("interactionType", random.text()), ("description", random.text()),
                        ("severity", .string(random.pick(["low", "dire"]))),
                    ])
                }
            ),
        ])
    }
}

extension Double {
    fileprivate var json: JSONValue { .number(String(self)) }
}
