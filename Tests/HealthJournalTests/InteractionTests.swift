import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import MedicalRecords
import TestSupport
import Testing

@testable import JournalCore

/// Checks of a record, their findings, and the rules that they use.
@Suite("Interactions in a journal")
struct InteractionTests {
    private struct Scene {
        let home: TestHousehold
        let record: UUID

        init(rules: Bool = true) async throws {
            home = try await TestHousehold()
            record = try await home.person("Anna")
            if rules { _ = try await home.journal.interactionChecks.loadRules(RuleSetDocument.starter, home.owner) }
        }

        func plan(_ name: String, _ substance: String? = nil, times: String = "08:00=1") async throws -> UUID {
            let content = try InteractionTests.drug(name, substance, times: times)
            return try #require(try await home.journal.entries.addEntry(content, to: record, home.owner).entry)
        }

        func findings(isOpen: Bool? = nil, asOf: AsOf? = nil) async throws -> [FindingDocument] {
            try await home.journal.interactionChecks.findings(of: record, isOpen: isOpen, asOf: asOf, home.owner)
        }
    }

    private static func rule(_ times: String, from: String = "2026-03-01") throws -> PlanRule {
        let first = try WallMoment(parsing: from)
        let pattern = try PlanRule.Pattern(.daily, parsing: times, anchor: first.day) { UUID() }
        return PlanRule(id: UUID(), from: first, pattern: pattern, recordedAt: Instant(microseconds: 0))
    }

    private static func drug(
        _ name: String,
        _ substance: String? = nil,
        times: String = "08:00=1"
    ) throws -> EntryContent {
        var content = try entry("drug", ["name": name])
        if let substance { try content.set("substances.0.name", text: substance) }
        content.addRule(try rule(times))
        return content
    }

    private static func rules(version: String, severity: String) -> [UInt8] {
        Array(
            """
            {"format": "healthjournal-interactions/1", "name": "house", "version": "\(version)", "licence": "CC0-1.0",
             "rules": [{"id": "ab", "kind": "pair", "a": "alpha", "b": "beta", "severity": "\(severity)",
             "effect": "e", "advice": "Ask a doctor.", "source": {"name": "a book"}}]}
            """
            .utf8
        )
    }

    @Test("A corrected name is checked as its own substance, not as that of the former name")
    func renamed() async throws {
        let scene = try await Scene()
        _ = try await scene.plan("Warfarin", "warfarin")
        var content = try Self.drug("Paracetamol")
        content.fillSubstance(from: .bundled)
        let added = try await scene.home.journal.entries.addEntry(content, to: scene.record, scene.home.owner)
        let entry = try #require(added.entry)
        #expect(try await scene.findings(isOpen: true).allSatisfy { $0.severity?.isAlarming != true })
        _ = try await scene.home.journal.entries.correctEntry(entry, scene.home.owner) { content throws(ModelError) in
            try content.set("name", text: "Ibuprofen")
        }
        #expect(try await scene.findings(isOpen: true).contains { $0.severity?.isAlarming == true })
    }

    @Test("A finding about an erased medication is erased with it")
    func erased() async throws {
        let scene = try await Scene()
        let one = try await scene.plan("Dafalgan", "Paracetamol")
        _ = try await scene.plan("Panadol", "paracetamol")
        func states() async throws -> [FindingState] {
            try await scene.findings().filter { $0.details.first?.type == "duplicate" }.map(\.state)
        }
        #expect(try await states() == [.open])
        _ = try await scene.home.journal.erasure.eraseEntry(one, scene.home.owner.giving(reason: "not hers"))
        #expect(try await states() == [])
    }

    @Test("A finding is one entry, however often the record is checked, and made when the plan is added")
    func once() async throws {
        let scene = try await Scene()
        let one = try await scene.plan("Dafalgan", "Paracetamol")
        #expect(try await scene.findings().allSatisfy { $0.details.first?.type == "food" })
        let other = try await scene.plan("Panadol", "paracetamol")
        let found = try await scene.findings().filter { $0.details.first?.type == "duplicate" }
        #expect(found.count == 1)
        #expect(found.first?.severity == .high)
        #expect(found.first?.state == .open)
        #expect(found.first?.medications.sorted() == ["Dafalgan", "Panadol"])
        let head = try scene.home.head
        let check = try await scene.home.journal.interactionChecks.check(scene.record, scene.home.owner)
        #expect(check.added.isEmpty)
        #expect(check.result == .found)
        #expect(try scene.home.events(after: head).map(\.type.name) == ["access.read"])
        #expect(try await scene.home.journal.interactionChecks.scheduledCheck() == 0)
        let state = try scene.home.journal.contents(for: .checking)
            .entry(try #require(found.first?.id), asOf: scene.home.head)
        #expect(state?.content.body.text(Interaction.source) == "scheduled_check")
        #expect(Set(try #require(state?.content.body.values(Interaction.entries))) == [.id(one), .id(other)])
    }

    @Test("What was there before the rules, came from a tool, or was imported, is checked at once")
    func otherPaths() async throws {
        let scene = try await Scene(rules: false)
        let (home, record) = (scene.home, scene.record)
        func duplicates(_ record: UUID) async throws -> Int {
            try await home.journal.interactionChecks.findings(of: record, home.owner)
                .count { $0.details.first?.type == "duplicate" }
        }
        _ = try await scene.plan("Dafalgan", "Paracetamol")
        _ = try await scene.plan("Panadol", "paracetamol")
        #expect(try await scene.findings().isEmpty)
        _ = try await home.journal.interactionChecks.loadRules(RuleSetDocument.starter, home.owner)
        #expect(try await duplicates(record) == 1)
        for name in ["Brufen", "Advil"] {
            let event: JSONValue = [
                "specversion": "1.0", "source": "/tool", "id": .string(name), "subject": .string(record.text),
                "type": "org.healthjournal.drug.logged",
                "data": NativeDocument.write(try InteractionTests.drug(name, "Ibuprofen")),
            ]
            let results = await home.journal.ingest.append([try CloudEvent.read(JSONWriter.bytes(event))], home.owner)
            #expect(results.first?.failure == nil)
        }
        #expect(try await duplicates(record) == 2)
        let drugs = try ["Dafalgan", "Panadol"]
            .map { name -> JSONValue in
                guard case .object(let members) = NativeDocument.write(try InteractionTests.drug(name, "Paracetamol"))
                else { return .null }
                return .object([.init("id", .string(UUID().text))] + members)
            }
        let text = JSONWriter.text([
            "format": "healthjournal/1", "id": .string(UUID().text), "subject": "human",
            "profile": ["givenName": "Ida"], "entries": ["drug": .array(drugs)],
        ])
        let document = try NativeDocument.readAll(Array(text.utf8), now: home.journal.now)
        let report = try await home.journal.imports.take(document, isTrial: false, home.owner)
        let imported = try #require(report.first?.record)
        #expect(try await duplicates(imported) == 1)
    }

    @Test("Without rules the answer is not checked, and nothing is added by itself")
    func withoutRules() async throws {
        let scene = try await Scene(rules: false)
        _ = try await scene.plan("Amoxicillin")
        _ = try await scene.home.add("allergy", ["name": "Penicillin"], to: scene.record)
        let check = try await scene.home.journal.interactionChecks.check(scene.record, scene.home.owner)
        #expect(check.result == .notChecked)
        #expect(check.ruleSets.isEmpty)
        #expect(check.notChecked == ["Amoxicillin", "Penicillin"])
        let answer = try await scene.home.journal.interactionChecks
            .ask(scene.record, "May I take ibuprofen?", scene.home.owner).answer
        #expect(answer.result == .notChecked)
        #expect(!answer.notChecked.contains("May I take ibuprofen?"))
        _ = try await scene.home.journal.interactionChecks.loadRules(RuleSetDocument.starter, scene.home.owner)
        #expect(try await scene.home.journal.interactionChecks.scheduledCheck() == 0)
        #expect(try await scene.findings(isOpen: true).map(\.severity) == [.critical])
    }

    @Test("A question is answered, and kept with its answer")
    func questions() async throws {
        let scene = try await Scene()
        _ = try await scene.plan("Warfarin")
        _ = try await scene.plan("Zqxol")
        _ = try await scene.plan("Metronidazole")
        let wine = try await scene.home.journal.interactionChecks
            .ask(scene.record, "May I drink wine?", scene.home.owner).answer
        #expect(wine.understood == ["wine"])
        #expect(wine.findings.map(\.rule) == ["alcohol-nitroimidazole"])
        #expect(wine.findings.first?.severity == .high)
        let (write, answer) = try await scene.home.journal.interactionChecks.ask(
            scene.record,
            "May I take Ibuprofen?",
            scene.home.owner
        )
        #expect(answer.result == .found)
        #expect(answer.understood == ["ibuprofen"])
        #expect(answer.notChecked == ["Zqxol"])
        #expect(answer.findings.map(\.rule) == ["anticoagulant-nsaid"])
        let id = try #require(write.entry)
        let entry = try #require(try scene.home.journal.contents(for: .checking).entry(id, asOf: scene.home.head))
        #expect(entry.content.body.text(Interaction.source) == "manual_entry")
        #expect(entry.content.body.text(Interaction.queryText) == "May I take Ibuprofen?")
        #expect(entry.content.body.flag(Interaction.found) == true)
        #expect(entry.content.body.text(Interaction.educationalInfo)?.contains("Not checked: Zqxol") == true)
        #expect(entry.content.body.text(Interaction.educationalInfo)?.contains("all its combinations") == true)
        #expect(try await scene.findings().contains { $0.id == entry.id && $0.state == .answered })
        let refused = await refusal {
            _ = try await scene.home.journal.interactionChecks.resolve(
                entry.id,
                as: .accepted,
                scene.home.owner.giving(reason: "so")
            )
        }
        #expect(refused?.code == .conflict)
    }

    @Test("A finding that is settled opens again when the dosing changes, and is gone when a plan stops")
    func settling() async throws {
        let scene = try await Scene()
        let journal = scene.home.journal
        let plan = try await scene.plan("Warfarin")
        _ = try await scene.plan("Ibuprofen")
        let id = try #require(try await scene.findings(isOpen: true).first { $0.rule == "anticoagulant-nsaid" }?.id)
        func state(asOf: AsOf? = nil) async throws -> FindingState? {
            try await scene.findings(asOf: asOf).first { $0.id == id }?.state
        }
        let unexplained = await refusal {
            _ = try await journal.interactionChecks.resolve(id, as: .accepted, scene.home.owner)
        }
        #expect(unexplained?.code == .invalid)
        #expect(unexplained?.field == "reason")
        let asked = scene.home.owner.giving(reason: "Dr. Rossi, 3 May")
        _ = try await journal.interactionChecks.resolve(id, as: .askedProfessional, asked)
        #expect(try await state() == .resolved)
        #expect(try await scene.findings().first { $0.id == id }?.reason == "Dr. Rossi, 3 May")
        let settled = try scene.home.head
        // A comment is not dosing.
        _ = try await journal.entries.correctEntry(plan, scene.home.owner) { $0.comment = "blue" }
        #expect(try await state() == .resolved)
        let rule = try InteractionTests.rule("08:00=2", from: "2026-03-02")
        _ = try await journal.entries.changePlan(plan, scene.home.owner) { content throws(ModelError) in
            content.changeSchedule(to: [rule], from: rule.from)
        }
        #expect(try await state() == .reopened)
        #expect(try await state(asOf: .position(settled)) == .resolved)
        // The same resolution again is another event.
        _ = try await journal.interactionChecks.resolve(id, as: .askedProfessional, asked)
        #expect(try await state() == .resolved)
        _ = try await journal.entries.changePlan(plan, scene.home.owner) { content throws(ModelError) in
            content.stop(at: WallMoment(day: rule.from.day), why: .finished)
        }
        #expect(try await state() == .gone)
    }

    @Test("A newer rule set that rates a finding higher opens it again, and old checks keep the old rules")
    func newerRules() async throws {
        let scene = try await Scene(rules: false)
        let journal = scene.home.journal
        let owner = scene.home.owner
        let first = try await journal.interactionChecks.loadRules(
            InteractionTests.rules(version: "1", severity: "moderate"),
            owner
        )
        #expect(first.rules.count == 1)
        #expect(first.write.isChanged)
        let again = try await journal.interactionChecks.loadRules(
            InteractionTests.rules(version: "1", severity: "moderate"),
            owner
        )
        #expect(!again.write.isChanged)
        #expect(again.write.position == first.write.position)
        _ = try await scene.plan("Alpha")
        _ = try await scene.plan("Beta")
        let id = try #require(try await scene.findings().first?.id)
        _ = try await journal.interactionChecks.resolve(id, as: .accepted, owner.giving(reason: "known"))
        let before = try scene.home.head
        _ = try await journal.interactionChecks.loadRules(
            InteractionTests.rules(version: "2", severity: "minor"),
            owner
        )
        #expect(try await journal.interactionChecks.check(scene.record, owner).added.isEmpty)
        #expect(try await scene.findings().first?.state == .resolved)
        _ = try await journal.interactionChecks.loadRules(
            InteractionTests.rules(version: "3", severity: "major"),
            owner
        )
        #expect(try await journal.interactionChecks.check(scene.record, owner).added.isEmpty)
        #expect(try await scene.findings().map(\.id) == [id])
        let found = try #require(try await scene.findings().first)
        #expect(found.state == .reopened)
        #expect(found.severity == .high)
        #expect(found.ruleSet == "house 3")
        let head = try scene.home.head
        let old = try await journal.interactionChecks.check(scene.record, asOf: .position(before), owner)
        #expect(old.ruleSets == ["house 1"])
        #expect(old.findings.map(\.severity) == [.medium])
        #expect(old.added.isEmpty)
        #expect(try scene.home.events(after: head).map(\.type.name) == ["access.read"])
        #expect(try journal.interactionChecks.loadedRules().map(\.isCurrent) == [false, false, true])
    }

    @Test("Rules are loaded by those who run the journal, and a file that is wrong changes nothing")
    func loading() async throws {
        let scene = try await Scene(rules: false)
        let keeper = try await scene.home.account("keeper", .administrator)
        let helper = try await scene.home.account("helper")
        let refused = await refusal {
            _ = try await scene.home.journal.interactionChecks.loadRules(RuleSetDocument.starter, helper)
        }
        #expect(refused?.code == .refused)
        let head = try scene.home.head
        let wrong = await refusal {
            _ = try await scene.home.journal.interactionChecks.loadRules(Array("{}".utf8), keeper)
        }
        #expect(wrong?.code == .invalid)
        #expect(wrong?.field == "format")
        #expect(try scene.home.head == head)
        #expect(
            try await scene.home.journal.interactionChecks.loadRules(RuleSetDocument.starter, keeper).rules.name
                == "starter"
        )
        try scene.home.reopen()
        #expect(
            try await scene.home.journal.interactionChecks.check(scene.record, scene.home.owner).ruleSets == [
                "starter 4"
            ]
        )
    }

    @Test("Each section sees its part: findings without plans, or plans without findings")
    func sections() async throws {
        let scene = try await Scene()
        let journal = scene.home.journal
        let plan = try await scene.plan("Warfarin")
        _ = try await scene.plan("Ibuprofen")
        func helper(_ name: String, _ sections: Set<Section>) async throws -> Caller {
            let caller = try await scene.home.account(name)
            let terms = GrantTerms(sections: sections, verbs: [.read, .contribute])
            _ = try await journal.sharing.grant(terms, to: caller.account, on: scene.record, scene.home.owner)
            return caller
        }
        let health = try await helper("health", [.myhealth])
        let conflicts = try await helper("conflicts", [.conflicts])
        #expect(
            await refusal { _ = try await journal.interactionChecks.findings(of: scene.record, health) }?.code
                == .refused
        )
        #expect(
            try await journal.interactionChecks.findings(of: scene.record, conflicts)
                .contains { $0.medications.contains("Warfarin") }
        )
        for caller in [health, conflicts] {
            #expect(
                await refusal { _ = try await journal.interactionChecks.check(scene.record, caller) }?.code == .refused
            )
            #expect(
                await refusal { _ = try await journal.interactionChecks.ask(scene.record, "ibuprofen", caller) }?.code
                    == .refused
            )
        }
        #expect(
            await refusal { _ = try await journal.care.due(of: scene.record, CareQuestion(), conflicts) }?.code
                == .refused
        )
        // The plan's change by a helper who sees no findings is checked all the same.
        _ = try await journal.entries.addEntry(
            try entry("drug", ["name": "Naproxen", "date": "2026-03-02"]),
            to: scene.record,
            health
        )
        #expect(try await scene.findings().contains { $0.medications.contains("Naproxen") })
        // The warning with a dose is for those who may see the finding.
        var dose = DoseRequest(plan: plan, status: .taken)
        dose.target = .wall(try WallMoment(parsing: "2026-03-02T08:00"))
        #expect(try await !journal.care.logDose(dose, in: scene.record, health).warnings.contains(.finding))
        dose.repetition = .again
        #expect(try await journal.care.logDose(dose, in: scene.record, scene.home.owner).warnings.contains(.finding))
    }

    @Test("Findings of at least medium severity stand at the plans that take part, for who may see findings")
    func findingsOfPlans() async throws {
        let scene = try await Scene(rules: false)
        let journal = scene.home.journal
        let (alpha, beta) = (try await scene.plan("Alpha"), try await scene.plan("Beta"))
        let other = try await scene.plan("Gamma")
        for (version, severity, expected) in [("1", "low", 0), ("2", "medium", 1)] {
            _ = try await journal.interactionChecks.loadRules(
                InteractionTests.rules(version: version, severity: severity),
                scene.home.owner
            )
            _ = try await journal.interactionChecks.check(scene.record, scene.home.owner)
            let found = try await journal.interactionChecks.findingsOfPlans(of: scene.record, scene.home.owner)
            #expect([alpha, beta].map { found[$0, default: []].count } == [expected, expected])
            #expect(found[other] == nil)
        }
        let helper = try await scene.home.account("helper")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.read])
        _ = try await journal.sharing.grant(terms, to: helper.account, on: scene.record, scene.home.owner)
        #expect(
            await refusal { _ = try await journal.interactionChecks.findingsOfPlans(of: scene.record, helper) }?.code
                == .refused
        )
    }

    @Test("Each answer says that a known name is not full coverage")
    func coverage() async throws {
        let scene = try await Scene()
        _ = try await scene.plan("Warfarin")
        let check = try await scene.home.journal.interactionChecks.check(scene.record, scene.home.owner)
        let text = JSONWriter.text(check.json)
        #expect(text.contains("does not mean that all its combinations are covered"))
    }

    @Test("The check of before saving says what it could not check, and nothing to those who may not check")
    func uncheckedPreview() async throws {
        let scene = try await Scene(rules: false)
        let journal = scene.home.journal
        _ = try await scene.home.add("allergy", ["name": "Bees"], to: scene.record)
        var content = try entry("drug", ["name": "Zqxol"])
        content.addRule(try InteractionTests.rule("08:00=1"))
        let without = try await journal.interactionChecks.previewFindings(content, in: scene.record, scene.home.owner)
        #expect(without?.hasRules == false)
        #expect(without?.findings.isEmpty == true)
        _ = try await journal.interactionChecks.loadRules(RuleSetDocument.starter, scene.home.owner)
        let unknown = try await journal.interactionChecks.previewFindings(content, in: scene.record, scene.home.owner)
        #expect(unknown?.hasRules == true)
        #expect(unknown?.notChecked == ["Bees", "Zqxol"])
        let helper = try await scene.home.account("helper")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.read, .contribute])
        _ = try await journal.sharing.grant(terms, to: helper.account, on: scene.record, scene.home.owner)
        #expect(try await journal.interactionChecks.previewFindings(content, in: scene.record, helper) == nil)
    }

    @Test("A plan is saved whatever its check does, and the check of before saving shows what is serious")
    func beforeSaving() async throws {
        let scene = try await Scene()
        _ = try await scene.plan("Warfarin")
        var content = try entry("drug", ["name": "Ibuprofen"])
        content.addRule(try InteractionTests.rule("08:00=1", from: "2026-06-01"))
        let head = try scene.home.head
        let found = try await scene.home.journal.interactionChecks.previewFindings(
            content,
            in: scene.record,
            scene.home.owner
        )
        #expect(found?.findings.map(\.rule) == ["anticoagulant-nsaid"])
        #expect(found?.hasRules == true)
        #expect(found?.notChecked.isEmpty == true)
        #expect(try scene.home.events(after: head).map(\.type.name) == ["access.read"])
        // The rules' file is damaged: the plan is added, and the check reports it.
        try scene.home.reopen {
            let blobs = scene.home.folder.path + "/blobs"
            let files = FileManager.default
            for subject in try files.contentsOfDirectory(atPath: blobs) {
                for name in try files.contentsOfDirectory(atPath: "\(blobs)/\(subject)") {
                    try Data("damaged".utf8).write(to: URL(filePath: "\(blobs)/\(subject)/\(name)"))
                }
            }
        }
        #expect(try await scene.home.journal.entries.addEntry(content, to: scene.record, scene.home.owner).entry != nil)
        let failed = await refusal {
            _ = try await scene.home.journal.interactionChecks.check(scene.record, scene.home.owner)
        }
        #expect(failed?.code == .damaged)
    }
}
