import FoundationEssentials
import HealthModel
import Testing

@testable import Interchange

/// The documents that the API returns and that commands print.
@Suite("API documents")
struct APIDocumentTests {
    private static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    private static let time = Instant(microseconds: 1_700_000_000_000_000)
    private static let stamp = Stamp(position: 7, recordedAt: time, actor: id)

    /// Documents with as few members as possible, and with as many.
    private static func examples() throws -> [any APIDocument] {
        let terms = GrantTerms(
            sections: [.doctorlist, .myhealth],
            verbs: [.read, .contribute],
            from: try Day(parsing: "2026-01-02"),
            until: try Day(parsing: "2026-12-31"),
            emergencyAfterEnd: true
        )
        var token = TokenState(
            token: Token(id: id, scope: .read, expires: nil, digest: []),
            issued: stamp
        )
        let unused = TokenDocument(token, lastUse: nil)
        token.token.expires = time
        token.revoked = stamp
        let used = TokenDocument(token, lastUse: time)
        let account = AccountState(id: id, profile: AccountProfile(name: "Anna"), added: stamp)
        let identity = AccountIdentity(id: id, issuer: "https://id.example.org", subject: "8a7f12")
        let grant = Grant(account: id, terms: GrantTerms(), given: stamp)
        let ended = Grant(account: id, terms: terms, given: stamp, revoked: stamp)
        let today = try Day(parsing: "2026-03-04")
        let short = GrantDocument(grant, today: today)
        let long = GrantDocument(ended, name: "Anna", giver: "Maria", today: today)
        var invitation = InvitationState(
            invitation: Invitation(id: id, digest: [], terms: terms, expires: time),
            made: stamp
        )
        let open = InvitationDocument(invitation, now: Instant(microseconds: 0))
        invitation.accepted = stamp
        var emergency = Emergency(account: id, expires: time, opened: stamp, reason: "found unconscious")
        let new = NoticeDocument(emergency, of: id, named: "Maria", by: nil)
        emergency.acknowledged = stamp
        let rights: [AccessRight] =
            [.owner, .grant(position: 3), .emergency(position: 4)] + AccountKind.allCases.map { .role($0) }
        let others: [any APIDocument] = [
            unused, used, AccountDocument(account, tokens: []), AccountDocument(account, tokens: [unused, used]),
            IdentityDocument(IdentityState(identity: identity, linked: stamp)), short, long, open,
            InvitationDocument(invitation, now: time),
            InvitationPreviewDocument(record: id, terms: terms, replaced: nil),
            InvitationPreviewDocument(record: id, terms: terms, replaced: long),
            new, NoticeDocument(emergency, of: id, named: "Maria", by: "Anna"), OwnerDocument(account: id, name: nil),
            OwnerDocument(account: id, name: "Anna"),
        ]
        return try rights + others + care()
    }

    /// Documents about plans and doses.
    private static func care() throws -> [any APIDocument] {
        let clock = try PersonClock(ZoneHistory(home: "UTC"), ZoneTable(version: "", zones: ["UTC": .utc]))
        let day = try Day(parsing: "2026-03-04")
        let amount = try ExactDecimal(parsing: "1.5")
        let slot = Slot.number(rule: id, 3)
        var due = Due(
            slot: slot,
            wall: WallMoment(day: day, time: WallTime(minutes: 480)),
            due: time,
            intake: Intake(),
            recordedAt: time
        )
        let bare = SlotStatus(due: due, state: .later)
        due.intake = Intake(amount: amount, amountText: "some", label: "lunch", withMeal: true, instructions: "slowly")
        (due.isInGap, due.closeTo, due.sincePrevious) = (true, 75, 360)
        let dose = LoggedDose(id: id, plan: id, slot: slot, status: .taken, at: time, amount: amount)
        let full = SlotStatus(due: due, state: .partly, dose: dose)
        let planned = [
            PlannedDoseDocument(bare, of: id, named: "A", unit: nil, clock),
            PlannedDoseDocument(full, of: id, named: "B", unit: "mL", clock),
        ]
        let skipped = LoggedDose(id: id, plan: id, status: .skipped, at: time)
        let others = [
            OtherDoseDocument(dose, named: "A", unit: "mL", unplanned: true, clock),
            OtherDoseDocument(skipped, named: "B", unit: nil, unplanned: false, clock),
        ]
        let allowance = Allowance(from: time, left: 2, until: time)
        let allowances = [
            AllowanceDocument(allowance, of: id, named: "A", maximum: 4, clock),
            AllowanceDocument(Allowance(), of: id, named: "B", maximum: nil, clock),
        ]
        let all = PlannedDosesDocument(
            record: id,
            from: day,
            to: day.adding(days: 1),
            now: time,
            doses: planned,
            others: others,
            allowances: allowances
        )
        var counts = Adherence()
        counts.add(full)
        let groups = [
            AdherenceDocument.Group(key: "2026-W10", name: nil, counts: counts),
            AdherenceDocument.Group(key: id.text, name: "A", counts: Adherence()),
        ]
        let adherence = AdherenceDocument(from: day, to: day, total: counts, groups: groups)
        let received = StockChange(id: id, what: .received, amount: amount, at: time, expires: day)
        let counted = StockChange(id: id, what: .counted, amount: .zero, at: time)
        let stock = Stock([received, counted], doses: [], at: time)
        var much = dose
        much.amount = try ExactDecimal(parsing: "9")
        let unknown = Stock([received], doses: [much], at: time)
        let stocks = [
            StockDocument(
                plan: id,
                name: "C",
                unit: nil,
                stock: unknown,
                runOut: nil,
                refillBy: nil,
                estimatedRunOut: nil
            ),
            StockDocument(
                plan: id,
                name: "A",
                unit: nil,
                stock: stock,
                runOut: nil,
                refillBy: nil,
                estimatedRunOut: nil
            ),
            StockDocument(
                plan: id,
                name: "B",
                unit: "mL",
                stock: Stock([received], doses: [], at: time),
                runOut: day,
                refillBy: day,
                estimatedRunOut: day
            ),
        ]
        let requests = [
            DoseRequest(plan: id, status: .taken),
            DoseRequest(plan: id, target: .slot(slot), status: .skipped, at: time, reason: .advised, reasonText: "so"),
            DoseRequest(
                plan: id,
                target: .wall(due.wall),
                status: .taken,
                amount: amount,
                comment: "with water",
                repetition: .again
            ),
        ]
        return planned + others + allowances + [all, counts, adherence] + stocks + requests
    }

    @Test("A document that is read is the one that was written")
    func roundTrip() throws {
        for document in try APIDocumentTests.examples() {
            let json = document.json
            #expect(try type(of: document).init(NativeObject(json)).json == json)
        }
    }

    @Test("A document has all members that its schema requires, and no others than it describes")
    func matchesSchema() throws {
        for document in try APIDocumentTests.examples() {
            let schema = type(of: document).schema
            let names = Set(document.json.members.map(\.name))
            guard case .array(let required)? = schema["required"] else {
                Issue.record("\(type(of: document)) requires nothing")
                continue
            }
            #expect(names.isSuperset(of: required.compactMap { if case .string(let name) = $0 { name } else { nil } }))
            #expect(names.isSubset(of: Set(schema["properties"]?.members.map(\.name) ?? [])), "\(type(of: document))")
            #expect(schema["additionalProperties"] == false)
        }
    }

    @Test("Every described member occurs in some document")
    func describesNothingElse() throws {
        var written: [String: Set<String>] = [:]
        var described: [String: Set<String>] = [:]
        for document in try APIDocumentTests.examples() {
            let name = "\(type(of: document))"
            written[name, default: []].formUnion(document.json.members.map(\.name))
            described[name] = Set(type(of: document).schema["properties"]?.members.map(\.name) ?? [])
        }
        #expect(written == described)
    }
}
