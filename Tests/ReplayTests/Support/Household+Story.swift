import EventLog
import Foundation
import HealthModel
import JournalEvents

extension Household {
    static let grants = UUID(nameBased: maria, "grants")
    static let accesses = UUID(nameBased: maria, "access")

    /// Returns a household with 21 events, each at the position noted beside it.
    static func withHistory(zone: String = "UTC") async throws -> Household {
        let house = try Household(zone: zone)
        try await house.tellAccounts()
        try await house.tellRecord()
        try await house.tellRest()
        return house
    }

    private func tellAccounts() async throws {
        try await append(.journalCreated(name: "", zone: log.description.zone), about: journal)  // 1
        try await append(.accountAdded(AccountProfile(name: "owner")), about: Self.owner)  // 2
        try await append(.accountAdded(AccountProfile(name: "anna", email: "a@b.ch")), about: Self.anna)  // 3
        try await append(.accountAdded(AccountProfile(name: "scale", kind: .tool)), about: Self.scale)  // 4
        try await append(.accountAdded(AccountProfile(name: "ada", kind: .auditor)), about: Self.ada)  // 5
    }

    private func tellRecord() async throws {
        let (maria, anna) = (Self.maria, Self.anna)
        let profile = try Self.profile(.human, [("givenName", "Maria"), ("familyName", "Keller")])
        try await append(.recordCreated(profile, owners: [Self.owner]), about: maria)  // 6
        let weight = try Self.content(Weight.kind, [("date", "2024-04-30"), ("value", "72.5"), ("unit", "kg")])
        try await append(.entryAdded(weight), about: maria, entry: Self.weight)  // 7
        let doctor = try Self.content(Doctor.kind, [("name", "Dr. Frei"), ("address.city", "Bern")])
        try await append(.entryAdded(doctor), about: maria, entry: Self.doctor)  // 8
        var better = weight
        try better.set("value", text: "72.4")
        try await append(.entryCorrected(better), about: maria, entry: Self.weight, reason: "read off wrongly")  // 9
        let terms = GrantTerms(sections: [.doctorlist], verbs: [.read])
        try await append(.caregiverGranted(account: anna, terms: terms), about: maria, stream: Self.grants)  // 10
        let read = Access(
            action: .read,
            sections: [.doctorlist],
            entryCount: 1,
            grantedBy: .grant(position: 10),
            purpose: "a visit"
        )
        try await append(.recordRead(read), about: maria, stream: Self.accesses, by: anna)  // 11
        let denied = Access(action: .read, sections: [.myhealth])
        try await append(.accessDenied(denied), about: maria, stream: Self.accesses, by: anna)  // 12
        let revoked = JournalEvent.caregiverRevoked(account: anna)
        try await append(revoked, about: maria, stream: Self.grants, reason: "moved away")  // 13
    }

    private func tellRest() async throws {
        let maria = Self.maria
        var cost = try Self.content(
            Cost.kind,
            [("year", "2024"), ("amount", "120.50"), ("currency", "CHF"), ("basis", "item")]
        )
        try await append(.entryAdded(cost), about: maria, entry: Self.cost)  // 14
        try await append(.entryRetracted, about: maria, entry: Self.weight)  // 15
        let profile = try Self.profile(
            .human,
            [("givenName", "Maria"), ("familyName", "Keller"), ("nickName", "Mia")]
        )
        try await append(.recordChanged(profile), about: maria)  // 16
        try await append(.entryRestored, about: maria, entry: Self.weight)  // 17
        try cost.set("amount", text: "99.00")
        try await append(.entryCorrected(cost), about: maria, entry: Self.cost)  // 18
        let data = Array("{\"kg\":72.4}".utf8)
        let stream = Self.id(20)
        try await append(
            .externalReceived(streamName: "scale/bath", contentType: "application/json", data: data),
            about: stream,
            by: Self.scale
        )  // 19
        let luna = try Self.profile(.animal, [("name", "Luna")])
        try await append(.recordCreated(luna, owners: [Self.owner]), about: Self.luna)  // 20
        let light = try Self.content(Weight.kind, [("value", "9.1"), ("unit", "kg")])
        try await append(.entryAdded(light), about: Self.luna, entry: Self.meal)  // 21
    }
}

extension Household {
    /// Erases a record as the application does, and returns the position of the erasure event.
    @discardableResult
    func erase(_ record: UUID, reason: String) async throws -> UInt64 {
        let event = try NewEvent(
            .recordErased,
            id: UUID.timeOrdered(at: EventLog.clock()),
            stream: record,
            subject: journal,
            entry: record,
            origin: EventOrigin(actor: Self.owner, source: .commandLine, correlation: .zero, reason: reason)
        )
        return try await log.erase(record, events: [event]).last
    }
}
