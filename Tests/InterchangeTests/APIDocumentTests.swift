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
            emergencyAfterEnd: true,
            notifies: false
        )
        var token = TokenState(token: Token(id: id, scope: .read, expires: nil, digest: []), issued: stamp)
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
        (emergency.acknowledged, emergency.ended) = (stamp, stamp)
        let rights: [AccessRight] =
            [.owner, .grant(position: 3), .emergency(position: 4), .practice(id)]
            + AccountKind.allCases.map { .role($0) }
        let others: [any APIDocument] = [
            unused, used, AccountDocument(account, tokens: []), AccountDocument(account, tokens: [unused, used]),
            IdentityDocument(IdentityState(identity: identity, linked: stamp)), short, long, open,
            InvitationDocument(invitation, now: time),
            InvitationPreviewDocument(record: id, terms: terms, replaced: nil),
            InvitationPreviewDocument(record: id, terms: terms, replaced: long),
            new, NoticeDocument(emergency, of: id, named: "Maria", by: "Anna"), OwnerDocument(account: id, name: nil),
            OwnerDocument(account: id, name: "Anna"),
        ]
        var known = account
        known.details.displayName = "Anna Berg"
        known.lastLoginAt = time
        let subscription = Subscription(status: .trial, term: .annual, trialEnd: time)
        known.subscription = subscription
        let settings: [any APIDocument] = [
            AccountDocument(known, tokens: []), SettingsDocument(subscription), SettingsDocument(AccountDetails()),
            SettingsDocument(AccountDetails(email: "a@example.org", displayName: "Anna", pictureAddress: "https://a")),
            SettingsDocument(AccountPreferences()),
            SettingsDocument(AccountPreferences(quietFrom: WallTime(minutes: 0), quietUntil: WallTime(minutes: 1))),
            SettingsDocument(AccountPreferences(timeZone: "Europe/Zurich", language: "de-CH")),
        ]
        return try rights + others + settings + care() + interactions() + names()
    }

    /// Documents about interactions.
    private static func interactions() -> [any APIDocument] {
        let source = InteractionRule.Source(name: "a book", reference: "page 1")
        let parties = [
            InteractionFinding.Party(name: "A", role: .medication, entry: id),
            InteractionFinding.Party(name: "B", role: .supplement, entry: nil),
        ]
        let rule = InteractionRule(
            id: "r",
            kind: .pair,
            a: .name(FoldedName("a")),
            b: .name(FoldedName("b")),
            severity: .high,
            effect: "e",
            advice: "v",
            source: source
        )
        let set = RuleSet(name: "s", version: "1", licence: "CC0-1.0", rules: [rule])
        let finding = InteractionFinding(rule, of: set, parties, id)
        var settled = finding.content(at: time)
        settled.resolve(as: .askedProfessional)
        settled.body[Interaction.queryText] = .text("may I?")
        var bare = EntryContent(kind: Interaction.kind)
        bare.body[Interaction.source] = .text("manual_entry")
        let result = CheckResult(findings: [finding], notChecked: ["C"], notInUse: ["D"], ruleSets: ["s 1"], matched: 2)
        let none = CheckResult(findings: [], notChecked: [], notInUse: [], ruleSets: [], matched: 0)
        let stamp = Stamp(position: 9, recordedAt: time, actor: id)
        let rules = RulesLoaded(name: "s", version: "1", licence: "CC0-1.0", digest: "ab", count: 1)
        return [
            FindingDocument(id: id, settled, state: .resolved, foundAt: time, resolvedAt: time, reason: "Dr. Rossi"),
            FindingDocument(id: id, bare, state: .answered, foundAt: time),
            CheckDocument(
                record: id,
                position: 7,
                checkedAt: time,
                result,
                added: [id],
                query: "may I?",
                understood: ["b"]
            ), CheckDocument(record: id, position: 7, checkedAt: time, none, added: []),
            LoadedRulesDocument(rules, stamp, isCurrent: true),
        ]
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
        var full = SlotStatus(due: due, state: .partly, dose: dose)
        full.snoozedUntil = time
        let planned = [
            PlannedDoseDocument(bare, of: id, named: "A", unit: nil, clock),
            PlannedDoseDocument(full, of: id, named: "B", unit: "mL", clock),
            PlannedDoseDocument(
                bare,
                of: id,
                named: "C",
                unit: "tablet",
                strength: PlanStrength([.init(amount, "mg")]),
                countsStock: true,
                warnings: [.uncounted, .early],
                clock
            ),
        ]
        let skipped = LoggedDose(id: id, plan: id, status: .skipped, at: time)
        let others = [
            OtherDoseDocument(
                dose,
                named: "A",
                unit: "mL",
                strength: PlanStrength([.init(amount, "mg")]),
                unplanned: true,
                warnings: [.unplanned],
                clock
            ),
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
            zone: "UTC",
            doses: planned,
            others: others,
            allowances: allowances,
            alarmed: [AlarmedPlanDocument(plan: id, name: "A")],
            vaccinations: [DueVaccinationDocument(entry: id, name: "A", due: "2027-03", isOverdue: true)]
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
        var unknown = Stock([received], doses: [much], at: time)
        unknown.uncounted = 2
        let stocks = [
            StockDocument(
                plan: id,
                name: "C",
                unit: nil,
                stock: unknown,
                runOut: nil,
                isRunOutUnknown: true,
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
        var dictated = DoseRequest(plan: id, target: .asNeeded, status: .taken)
        dictated.voiceEntryUsed = true
        let requests = [
            DoseRequest(plan: id, status: .taken),
            DoseRequest(
                plan: id,
                target: .slot(slot),
                status: .skipped,
                at: .instant(time),
                reason: .advised,
                reasonText: "so"
            ),
            DoseRequest(
                plan: id,
                target: .wall(due.wall),
                status: .taken,
                amount: amount,
                comment: "with water",
                repetition: .again,
                isConfirmed: true
            ),
            dictated,
        ]
        return planned + others + allowances + [all, counts, adherence] + stocks + requests
            + (try remindersAndCalendars(slot))
    }

    private static func remindersAndCalendars(_ slot: Slot) throws -> [any APIDocument] {
        let (id, time) = (UUID(), try Instant(parsing: "2026-03-02T08:00:00Z"))
        let stamp = Stamp(position: 7, recordedAt: time, actor: id)
        let link = CalendarLink(id: id, digest: [1], account: id, showsNames: true, times: .floating)
        var ofPractice = link
        (ofPractice.feed, ofPractice.practice) = (.appointments, UUID())
        let calendars = [
            CalendarDocument(CalendarLinkState(calendar: link, linked: stamp)),
            CalendarDocument(CalendarLinkState(calendar: link, linked: stamp, unlinked: stamp), name: "anna"),
            CalendarDocument(CalendarLinkState(calendar: ofPractice, linked: stamp)),
        ]
        let channels = ReminderChannel.Kind.allCases.map { kind in
            ChannelDocument(
                ReminderChannelState(
                    channel: ReminderChannel(id: id, kind: kind, address: "a@example.org", secret: [1]),
                    added: stamp
                )
            )
        }
        let unsent = ChannelDocument(
            ReminderChannelState(
                channel: ReminderChannel(id: id, kind: .email, address: "a@example.org", secret: [1]),
                added: stamp
            ),
            warning: "the service sends no mail"
        )
        let snoozes = [
            SnoozeRequest(plan: id, target: .open, until: .instant(time)),
            SnoozeRequest(plan: id, target: .wall(try WallMoment(parsing: "2026-03-02T08:00")), until: .instant(time)),
            SnoozeRequest(plan: id, target: .slot(slot), until: .wall(try WallMoment(parsing: "2026-03-02T08:30"))),
        ]
        return calendars + channels + [unsent] + snoozes
    }

    /// Documents about names and dictated sentences.
    private static func names() throws -> [any APIDocument] {
        var meal = EntryContent(kind: Meal.kind)
        meal.body[Meal.mealType] = .text("lunch")
        meal.inferred = ["date"]
        let draft = Draft(
            content: meal,
            understood: [Draft.Understood(heard: "lunch", field: "mealType", value: "lunch")],
            rest: ["purple"],
            missingPlan: "Algiphen"
        )
        let loaded = NamesLoaded(name: "swiss", version: "", digest: "ab", count: 3)
        return [
            DraftDocument(Draft(rest: ["weather"])), DraftDocument(draft),
            SuggestionDocument(NameSuggestion(name: "statin", source: .group)),
            SuggestionDocument(
                NameSuggestion(name: "Algiphen", source: .own, substance: "ibuprofen", code: "X01", classes: ["nsaid"])
            ),
            LoadedNamesDocument(loaded, stamp, isCurrent: false),
            LoadedNamesDocument(
                NamesLoaded(name: "swiss", version: "2", digest: "ab", count: 3),
                stamp,
                isCurrent: true
            ),
        ]
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

    @Test("An unknown member is refused by its name, of which a long one is cut")
    func unknownMembers() throws {
        func refusal(_ name: String) throws -> ModelError? {
            let object = try NativeObject(.object([.init("id", .null), .init(name, .null)]))
            return #expect(throws: ModelError.self) { try object.requireMembers(["id"]) }
        }
        #expect(try refusal("wieght")?.field == "wieght")
        #expect(try refusal(String(repeating: "x", count: 10_000))?.field?.count == 40)
    }
}
