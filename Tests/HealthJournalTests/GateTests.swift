import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore

/// The access of an account to a record.
enum Relation: String, CaseIterable, Sendable {
    case owner, readsDoctors, readsHealth, readsAll, contributesDoctors, readsAndContributesHealth
    case notYet, ended, revoked, stranger, ownerOfAnother, tool, toolForHealth, auditor, administrator

    private static let health = Set(Kind.all.filter { $0.section == .myhealth }.map(\.name))

    private static func each(_ verb: String, _ kinds: some Sequence<String>) -> Set<String> {
        Set(kinds.map { "\(verb) \($0)" })
    }

    /// The names of exactly those operations that the account may perform.
    var allowed: Set<String> {
        switch self {
        case .owner:
            return Self.each("read", Kind.all.map(\.name))
                .union(Self.each("add", Kind.all.map(\.name)))
                .union([
                    "read", "list", "history doctor", "history weight", "grants", "costs", "document", "export",
                    "correct other's doctor", "correct other's weight", "correct own doctor", "correct own weight",
                    "retract own weight", "attach", "set", "grant", "revoke", "import", "create record", "append",
                    "accounts", "add account", "issue token", "issue token to a tool", "close",
                    "owners", "add owner", "remove owner", "invite", "invitations", "withdraw",
                    "findings", "check", "load rules", "calendar", "link calendar", "calendars", "suggest", "draft",
                    "load names",
                ])
        case .readsDoctors:
            return ["read", "read doctor", "list", "history doctor", "export", "create record"]
        case .readsHealth:
            return Self.each("read", Self.health)
                .union([
                    "read", "list", "history weight", "costs", "document", "export", "create record", "calendar",
                    "link calendar", "calendars", "suggest", "draft",
                ])
        case .readsAll:
            return Relation.readsHealth.allowed.union(Relation.readsDoctors.allowed)
                .union(["read interaction", "findings"])
        case .contributesDoctors:
            return ["add doctor", "correct own doctor", "create record"]
        case .readsAndContributesHealth:
            return Relation.readsHealth.allowed.union(Self.each("add", Self.health))
                .union(["correct own weight", "retract own weight", "attach"])
        case .notYet, .ended, .revoked, .stranger, .ownerOfAnother:
            return ["create record"]
        case .tool:
            return ["append"]
        case .toolForHealth:
            return Self.each("add", Self.health).union(["append", "attach"])
        case .auditor:
            return ["history doctor", "history weight", "grants", "owners", "invitations", "calendars"]
        case .administrator:
            return ["accounts", "add account", "issue token to a tool", "load rules", "load names"]
        }
    }

    var kind: AccountKind {
        switch self {
        case .tool, .toolForHealth: .tool
        case .auditor: .auditor
        case .administrator: .administrator
        default: .person
        }
    }

    var terms: GrantTerms? {
        switch self {
        case .readsDoctors: GrantTerms(sections: [.doctorlist], verbs: [.read])
        case .readsHealth: GrantTerms(sections: [.myhealth], verbs: [.read])
        case .readsAll: GrantTerms(verbs: [.read])
        case .revoked: GrantTerms(verbs: [.read, .contribute])
        case .contributesDoctors: GrantTerms(sections: [.doctorlist], verbs: [.contribute])
        case .readsAndContributesHealth: GrantTerms(sections: [.myhealth], verbs: [.read, .contribute])
        case .toolForHealth: GrantTerms(sections: [.myhealth], verbs: [.contribute])
        case .notYet: GrantTerms(verbs: [.read, .contribute], from: try? Day(parsing: "2026-03-11"))
        case .ended: GrantTerms(verbs: [.read, .contribute], until: try? Day(parsing: "2026-03-09"))
        default: nil
        }
    }
}

/// A record with an entry of each kind, and an account with some access to it.
struct Scene {
    let home: TestHousehold
    let caller: Caller
    let record: UUID
    let entries: [String: UUID]
    /// Entries that the caller added while it had access.
    let own: [String: UUID]
    let document: UUID
    let revocable: UUID
    /// A tool account of the journal.
    let scale: UUID

    private static let values: [String: [String: String]] = [
        "blood": ["name": "HiddenBlood", "value": "7777.31"], "drug": ["name": "HiddenDrug"],
        "vaccination": ["name": "HiddenVaccine", "information": "a", "place": "b"],
        "allergy": ["name": "HiddenAllergy", "information": "c"], "illness": ["name": "HiddenIllness"],
        "risk": ["name": "HiddenRisk"], "history": ["name": "HiddenHistory"], "document": ["name": "HiddenDocument"],
        "doctor": ["name": "Dr. Visible", "comment": "VisibleComment"],
        "weight": ["value": "8888.25", "unit": "kg", "comment": "HiddenComment"],
        "cost": ["year": "2024", "amount": "9999.75", "basis": "item", "category": "HiddenCategory"],
        "emergencyContact": ["name": "HiddenContact", "phone": "+99 8877665544", "email": "hidden@example.org"],
    ]

    /// The values of the entry that the record has of a kind; the kind's example unless the test looks for others.
    ///
    /// `plan` is the medication to which a dose or a supply belongs.
    static func values(of kind: Kind, plan: UUID?) -> [String: String] {
        var values = values[kind.name] ?? Dictionary(kind.example.map { ($0.key, $0.value) }) { first, _ in first }
        if values[Dose.of.name] != nil { values[Dose.of.name] = plan?.text }
        return values
    }

    init(_ relation: Relation) async throws {
        let home = try await TestHousehold(clock: TestClock("2026-03-09"))
        let kind = relation.kind
        let caller = relation == .owner ? home.owner : try await home.account("someone", kind)
        let record = try await home.person("Visible")
        var entries: [String: UUID] = [:]
        for kind in Kind.all {
            let values = Scene.values(of: kind, plan: entries[Drug.kind.name])
            entries[kind.name] = try await home.add(kind.name, values, to: record)
        }
        let document = try await home.journal.entries.attachDocument(
            Array("HiddenBytes".utf8),
            entry("document", ["name": "HiddenFile"]),
            to: record,
            home.owner
        )
        let helper = try await home.account("helper")
        _ = try await home.journal.sharing.grant(
            GrantTerms(sections: [.conflicts]),
            to: helper.account,
            on: record,
            home.owner
        )
        if relation == .ownerOfAnother { _ = try await home.person("Another", caller) }

        // Every account that can ever contribute has added a weight and a doctor.
        var own: [String: UUID] = [:]
        let canOwn = kind == .person && relation != .stranger && relation != .ownerOfAnother
        if canOwn {
            if relation != .owner {
                let all = GrantTerms(verbs: [.contribute])
                _ = try await home.journal.sharing.grant(all, to: caller.account, on: record, home.owner)
            }
            own["weight"] = try await home.add("weight", ["value": "61"], to: record, caller)
            own["doctor"] = try await home.add("doctor", ["name": "Dr. Own"], to: record, caller)
        }
        if let terms = relation.terms {
            _ = try await home.journal.sharing.grant(terms, to: caller.account, on: record, home.owner)
        }
        if relation == .revoked { _ = try await home.journal.sharing.revoke(caller.account, on: record, home.owner) }
        try home.clock.set("2026-03-10T12:00:00Z")
        self.home = home
        self.caller = caller
        self.record = record
        self.entries = entries
        self.own = own
        self.document = try #require(document.entry)
        revocable = helper.account
        scale = try await home.account("scale", .tool).account
    }

    /// An operation, and the type of the event that it must record when it is allowed.
    struct Operation {
        let name: String
        let trace: EventType?
        let run: (Scene) async throws -> Void

        init(_ name: String, _ trace: EventType?, _ run: @escaping (Scene) async throws -> Void) {
            self.name = name
            self.trace = trace
            self.run = run
        }
    }

    /// The operations that concern no record.
    static let ofTheJournal: Set = [
        "accounts", "create record", "append", "add account", "issue token", "issue token to a tool", "load rules",
        "load names",
    ]

    /// Returns each operation of a journal.
    ///
    /// The last one closes the record.
    static func operations() throws -> [Operation] {
        var all: [Operation] = [
            Operation("read", RecordRead.type) {
                _ = try await $0.home.journal.records.read($0.record, ReadOptions(), $0.caller)
            },
            Operation("export", RecordRead.type) {
                _ = try await $0.home.journal.records.read($0.record, as: .export, $0.caller)
            },
            Operation("grants", RecordRead.type) {
                _ = try await $0.home.journal.sharing.grants(of: $0.record, $0.caller)
            },
            Operation("costs", RecordRead.type) {
                _ = try await $0.home.journal.records.costs(of: $0.record, $0.caller)
            },
            Operation("calendar", RecordRead.type) {
                _ = try await $0.home.journal.reminders.calendar(of: $0.record, CalendarOptions(), $0.caller)
            },
            Operation("link calendar", CalendarLinked.type) {
                _ = try await $0.home.journal.reminders.linkCalendar(to: .doses(of: $0.record), $0.caller)
            },
            Operation("calendars", RecordRead.type) {
                _ = try await $0.home.journal.reminders.calendars(of: .doses(of: $0.record), $0.caller)
            },
            Operation("document", RecordRead.type) {
                _ = try await $0.home.journal.entries.document($0.document, $0.caller)
            },
            Operation("attach", EntryAdded.type) {
                let content = try entry("document", ["name": "new"])
                _ = try await $0.home.journal.entries.attachDocument([1, 2], content, to: $0.record, $0.caller)
            },
            Operation("set", RecordChanged.type) {
                _ = try await $0.home.journal.records.changeRecord($0.record, $0.caller) { profile throws(ModelError) in
                    try profile.set("nickName", text: "Vi")
                }
            },
            Operation("grant", CaregiverGranted.type) {
                let someone = try await $0.home.account("newcomer")
                _ = try await $0.home.journal.sharing.grant(GrantTerms(), to: someone.account, on: $0.record, $0.caller)
            },
            Operation("owners", RecordRead.type) {
                _ = try await $0.home.journal.sharing.owners(of: $0.record, $0.caller)
            },
            Operation("add owner", RecordOwnerAdded.type) {
                let someone = try await $0.home.account("co-owner")
                _ = try await $0.home.journal.sharing.addOwner(someone.account, to: $0.record, $0.caller)
            },
            Operation("remove owner", RecordOwnerRemoved.type) {
                let someone = try $0.home.journal.accounts.accountID("co-owner")
                _ = try await $0.home.journal.sharing.removeOwner(someone, from: $0.record, $0.caller)
            },
            Operation("invite", CaregiverInvited.type) {
                _ = try await $0.home.journal.sharing.invite(GrantTerms(), to: $0.record, $0.caller)
            },
            Operation("invitations", RecordRead.type) {
                _ = try await $0.home.journal.sharing.invitations(to: $0.record, $0.caller)
            },
            Operation("withdraw", InvitationWithdrawn.type) {
                // Without an invitation, the operation is refused before the journal notices that.
                let owner = $0.home.owner
                let last = try? await $0.home.journal.sharing.invitations(to: $0.record, owner).last?.id
                _ = try await $0.home.journal.sharing.withdrawInvitation(last ?? UUID(), of: $0.record, $0.caller)
            },
            Operation("revoke", CaregiverRevoked.type) {
                _ = try await $0.home.journal.sharing.revoke($0.revocable, on: $0.record, $0.caller)
            },
            Operation("import", EntryAdded.type) {
                let content = try entry("risk", ["name": "new"])
                let document = ImportedRecord(
                    id: $0.record,
                    profile: RecordProfile(subject: .human),
                    entries: [ImportedEntry(id: UUID(), content: content, path: "risk[0]")],
                    shape: .native,
                    unrepresented: []
                )
                _ = try await $0.home.journal.imports.take(document, $0.caller)
            },
            Operation("create record", RecordCreated.type) {
                _ = try await $0.home.journal.records.createRecord(RecordProfile(subject: .animal), $0.caller)
            },
            Operation("append", ExternalReceived.type) {
                let line = #"{"specversion": "1.0", "id": "1", "source": "/scale", "type": "t", "data": 5}"#
                for result in await $0.home.journal.ingest.append([try CloudEvent.read(Array(line.utf8))], $0.caller) {
                    _ = try result.get()
                }
            },
            Operation("findings", RecordRead.type) {
                _ = try await $0.home.journal.interactionChecks.findings(of: $0.record, $0.caller)
            },
            Operation("check", RecordRead.type) {
                _ = try await $0.home.journal.interactionChecks.check($0.record, $0.caller)
            },
            Operation("load rules", RulesLoaded.type) {
                _ = try await $0.home.journal.interactionChecks.loadRules(RuleSetDocument.starter, $0.caller)
            },
            Operation("suggest", RecordRead.type) {
                let found = try await $0.home.journal.names.suggest("hiddend", in: $0.record, $0.caller)
                #expect(found.map(\.name) == ["HiddenDrug"])
            },
            Operation("draft", RecordRead.type) {
                _ = try await $0.home.journal.names.draft("took HiddenDrug", in: $0.record, $0.caller)
            },
            Operation("load names", NamesLoaded.type) {
                _ = try await $0.home.journal.names.loadNames(Array("Algiphen".utf8), named: "list", $0.caller)
            },
            Operation("accounts", nil) { _ = try await $0.home.journal.accounts.list($0.caller) },
            Operation("add account", AccountAdded.type) {
                _ = try await $0.home.journal.accounts.addAccount(AccountProfile(name: "extra"), $0.caller)
            },
            Operation("issue token", TokenIssued.type) {
                let account = $0.home.owner.account
                _ = try await $0.home.journal.accounts.issueToken(to: account, scope: .read, expires: nil, $0.caller)
            },
            Operation("issue token to a tool", TokenIssued.type) {
                let scope = TokenScope.append
                _ = try await $0.home.journal.accounts.issueToken(to: $0.scale, scope: scope, expires: nil, $0.caller)
            },
        ]
        for kind in Kind.all {
            all.append(
                Operation("read \(kind.name)", RecordRead.type) {
                    let answer = try await $0.home.journal.records.read(
                        $0.record,
                        ReadOptions(kinds: [kind]),
                        $0.caller
                    )
                    #expect(Set(answer.state.entries.map(\.kind)) == [kind])
                }
            )
            all.append(
                Operation("add \(kind.name)", EntryAdded.type) {
                    let values = Scene.values(of: kind, plan: $0.entries[Drug.kind.name])
                    _ = try await $0.home.add(kind.name, values, to: $0.record, $0.caller)
                }
            )
        }
        for kind in ["doctor", "weight"] {
            all.append(
                Operation("history \(kind)", RecordRead.type) {
                    let entry = try #require($0.entries[kind])
                    #expect(try await $0.home.journal.trail.history(ofEntry: entry, $0.caller).count >= 1)
                }
            )
            for (whose, isOwn) in [("own", true), ("other's", false)] {
                all.append(
                    Operation("correct \(whose) \(kind)", EntryCorrected.type) {
                        guard let entry = isOwn ? $0.own[kind] : $0.entries[kind] else { throw Inapplicable() }
                        _ = try await $0.home.journal.entries.correctEntry(entry, $0.caller) {
                            content throws(ModelError) in
                            try content.set("comment", text: "better")
                        }
                    }
                )
            }
        }
        all.append(
            Operation("retract own weight", EntryRetracted.type) {
                guard let entry = $0.own["weight"] else { throw Inapplicable() }
                _ = try await $0.home.journal.entries.retractEntry(entry, $0.caller)
            }
        )
        all.append(
            Operation("close", RecordClosed.type) {
                _ = try await $0.home.journal.records.closeRecord($0.record, $0.caller)
            }
        )
        return all
    }

    struct Inapplicable: Error {}
}

@Suite("Authorization gate")
struct GateTests {
    @Test("The gate allows exactly what each account may do, and records each operation", arguments: Relation.allCases)
    func table(relation: Relation) async throws {
        let scene = try await Scene(relation)
        var allowed: Set<String> = []
        var known: Set<String> = ["list"]
        for operation in try Scene.operations() {
            known.insert(operation.name)
            let before = try scene.home.head
            do {
                try await operation.run(scene)
                allowed.insert(operation.name)
                let events = try scene.home.events(after: before).filter { $0.stamp.actor == scene.caller.account }
                if let trace = operation.trace {
                    #expect(events.contains { $0.type == trace }, "\(operation.name)")
                    #expect(events.count { $0.type == AccessDenied.type } == 0, "\(operation.name)")
                }
            } catch is Scene.Inapplicable {
                continue
            } catch {
                #expect(JournalError(error).code == .refused, "\(operation.name): \(error)")
                let events = try scene.home.events(after: before).filter { $0.stamp.actor == scene.caller.account }
                #expect(events.map(\.type) == [AccessDenied.type], "\(operation.name)")
                if let access = (events.first?.event.data as? AccessDenied)?.access {
                    #expect(access.purpose == "to test")
                }
            }
        }
        let listed = try await scene.home.journal.records.listRecords(scene.caller).contains { $0.id == scene.record }
        if listed { allowed.insert("list") }
        #expect(allowed == relation.allowed)
        #expect(relation.allowed.isSubset(of: known))
    }

    @Test("A caregiver for doctors sees only doctors and the name, at every position")
    func doctorsOnly() async throws {
        let scene = try await Scene(.readsDoctors)
        let journal = scene.home.journal
        let head = try scene.home.head
        for position in 1...head {
            let answer: RecordAnswer
            do {
                answer = try await journal.records.read(
                    scene.record,
                    ReadOptions(asOf: .position(position)),
                    scene.caller
                )
            } catch {
                #expect(error.code == .notFound)
                continue
            }
            #expect(answer.state.entries.allSatisfy { $0.kind == Doctor.kind })
            #expect(!answer.showsProfile)
            #expect(answer.state.displayName == "Visible Winterthaler")
            let texts = [
                JSONWriter.text(
                    NativeDocument.write(answer.state, asOf: answer.asOf, scope: ExportScope(sections: answer.sections))
                ),
                JSONWriter.text(
                    PurusDocument.write(
                        answer.state,
                        namespace: answer.state.id,
                        scope: ExportScope(sections: answer.sections)
                    ) { _ in nil }
                ),
                CSVTable.write(answer.state, scope: ExportScope(sections: answer.sections)),
            ]
            for text in texts {
                for word in ["Hidden", "hidden", "8888.25", "9999.75", "7777.31", "8877665544"] {
                    #expect(!text.contains(word), "position \(position): \(word)")
                }
                for (kind, id) in scene.entries where kind != "doctor" { #expect(!text.lowercased().contains(id.text)) }
            }
        }
        let shown = try await journal.records.read(scene.record, ReadOptions(), scene.caller).state
        #expect(shown.entries.count == 2)
        // A request for more than the grant covers is refused as a whole, not answered in part.
        let asked = ReadOptions(kinds: [Doctor.kind, Weight.kind])
        #expect(
            await refusal { _ = try await journal.records.read(scene.record, asked, scene.caller) }?.code == .refused
        )
    }

    @Test("After a revoke nothing is shown, not even what was visible before")
    func revoked() async throws {
        let scene = try await Scene(.readsAll)
        let journal = scene.home.journal
        let then = try scene.home.head
        #expect(try await journal.records.read(scene.record, ReadOptions(), scene.caller).state.entries.count > 10)
        _ = try await journal.sharing.revoke(scene.caller.account, on: scene.record, scene.home.owner)
        for asOf in [nil, AsOf.position(then)] {
            let options = ReadOptions(asOf: asOf)
            #expect(
                await refusal { _ = try await journal.records.read(scene.record, options, scene.caller) }?.code
                    == .refused
            )
            #expect(try await journal.records.listRecords(asOf: asOf, scene.caller).isEmpty)
            #expect(try await journal.records.costs(of: nil, asOf: asOf, scene.caller).isEmpty)
        }
    }

    @Test("A grant begins and ends with its days in the journal's time zone")
    func days() async throws {
        let clock = try TestClock("2026-03-09")
        let home = try await TestHousehold(zone: "Pacific/Auckland", clock: clock)
        let anna = try await home.account("anna")
        let record = try await home.person("Vi")
        let day = try Day(parsing: "2026-03-15")
        _ = try await home.journal.sharing.grant(
            GrantTerms(from: day, until: day),
            to: anna.account,
            on: record,
            home.owner
        )
        // Auckland is 13 hours ahead of UTC: 15 March begins there at 11:00 UTC on the 14th.
        for (time, isIn) in [
            ("2026-03-14T10:59:58Z", false), ("2026-03-14T11:00:01Z", true), ("2026-03-15T10:59:58Z", true),
            ("2026-03-15T11:00:01Z", false),
        ] {
            try clock.set(time)
            let error = await refusal { _ = try await home.journal.records.read(record, ReadOptions(), anna) }
            #expect((error == nil) == isIn, "\(time)")
        }
    }

    @Test("Shortened ids do not reveal records and entries of others")
    func resolving() async throws {
        let scene = try await Scene(.stranger)
        let journal = scene.home.journal
        let entry = try #require(scene.entries["weight"])
        for length in [8, 9, 13, 20, 35] {
            let (record, cut) = (String(scene.record.text.prefix(length)), String(entry.text.prefix(length)))
            #expect(throws: JournalError.self) { try journal.records.record(record, scene.caller) }
            #expect(throws: JournalError.self) { try journal.records.entry(cut, scene.caller) }
        }
        let words = { (body: () throws -> UUID) -> JournalError? in
            do {
                _ = try body()
                return nil
            } catch {
                return JournalError(error)
            }
        }
        // Hidden and missing ids give the same error.
        #expect(
            words { try journal.records.record(String(scene.record.text.prefix(20)), scene.caller) }
                == words { try journal.records.record("ffffffff-ffff-4fff-8f", scene.caller) }
        )
        #expect(try journal.records.record(String(scene.record.text.prefix(35)), scene.home.owner) == scene.record)
        #expect(try journal.records.entry(String(entry.text.prefix(35)).uppercased(), scene.home.owner) == entry)
        let auditor = try await scene.home.account("auditor", .auditor)
        #expect(try journal.records.record(String(scene.record.text.prefix(35)), auditor) == scene.record)
        #expect(
            words { try journal.records.record(String(scene.record.text.prefix(7)), scene.home.owner) }?.code
                == .notFound
        )
    }

    @Test("A missing record or entry is not found, and nothing is recorded")
    func absent() async throws {
        let home = try await TestHousehold()
        let before = try home.head
        #expect(
            await refusal { _ = try await home.journal.records.read(UUID(), ReadOptions(), home.owner) }?.code
                == .notFound
        )
        #expect(
            await refusal { _ = try await home.journal.entries.retractEntry(UUID(), home.owner) }?.code == .notFound
        )
        #expect(await refusal { _ = try await home.journal.entries.document(UUID(), home.owner) }?.code == .notFound)
        // The id of an account is not the id of a record.
        #expect(
            await refusal { _ = try await home.journal.records.read(home.owner.account, ReadOptions(), home.owner) }?
                .code
                == .notFound
        )
        #expect(try home.head == before)
    }
}
