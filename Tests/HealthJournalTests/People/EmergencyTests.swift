import CaregiverPermissions
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore

@Suite("Emergency view")
struct EmergencyTests {
    /// The relations that may open the emergency view: any grant that has not been revoked and has not ended, whatever
    /// it covers.
    private static let trusted: Set<Relation> = [
        .readsDoctors, .readsHealth, .readsAll, .contributesDoctors, .readsAndContributesHealth, .notYet,
    ]

    @Test("Only caregivers open the emergency view, and it shows only urgent information", arguments: Relation.allCases)
    func table(relation: Relation) async throws {
        let scene = try await Scene(relation)
        let journal = scene.home.journal
        let caller = scene.caller.giving(reason: "found unconscious at home")
        let before = try scene.home.head
        let usual = await kinds(scene)
        let mayReadAll =
            await refusal { _ = try await journal.records.read(scene.record, ReadOptions(), caller) } == nil
        let error = await refusal { _ = try await journal.sharing.openEmergency(scene.record, caller) }
        guard EmergencyTests.trusted.contains(relation) else {
            #expect(error?.code == (relation == .owner ? .conflict : .refused))
            #expect(try scene.home.events(after: before).allSatisfy { $0.type != EmergencyOpened.type })
            return
        }
        #expect(error == nil)
        let opened = try #require(try scene.home.events(after: before).first { $0.type == EmergencyOpened.type })
        #expect(opened.reason == "found unconscious at home")
        #expect(opened.stamp.actor == caller.account)
        #expect(await kinds(scene) == usual.union(Emergency.kinds.map(\.name)))

        let answer = try await journal.records.read(scene.record, ReadOptions(), caller)
        let seesHealth = usual.contains("weight")
        let right = AccessRight.emergency(position: opened.stamp.position)
        #expect(answer.right == right || seesHealth)
        #expect(Set(answer.state.entries.map(\.kind.name)) == usual.union(Emergency.kinds.map(\.name)))
        #expect(answer.showsProfile == seesHealth)
        #expect(answer.state.displayName == "Visible Winterthaler")
        if !seesHealth {
            #expect(answer.state.profile.values[RecordProfile.employer] == nil)
            #expect(answer.state.profile.values[RecordProfile.birthdate] != nil)
            let trace = try #require(
                try scene.home.events(after: opened.stamp.position).last { $0.type == RecordRead.type }
            )
            guard let access = (trace.event.data as? RecordRead)?.access else { return }
            #expect(access.grantedBy == right)
            #expect(access.sections.contains(.myhealth))
            let text = JSONWriter.text(
                NativeDocument.write(
                    answer.state,
                    asOf: answer.asOf,
                    scope: ExportScope(sections: answer.sections, kinds: answer.kinds)
                )
            )
            for word in ["HiddenAllergy", "HiddenDrug", "HiddenContact", "1931-05-06"] { #expect(text.contains(word)) }
            for word in ["HiddenBlood", "HiddenIllness", "HiddenCategory", "8888.25", "Hidden Employer"] {
                #expect(!text.contains(word), "\(word)")
            }
        }
        // The emergency allows nothing else.
        for attempt in [
            { _ = try await journal.records.read(scene.record, as: .export, caller) },
            { _ = try await journal.records.costs(of: scene.record, caller) },
            { _ = try await journal.entries.document(scene.document, caller) },
            { _ = try await journal.sharing.grants(of: scene.record, caller) },
            { _ = try await journal.trail.history(ofEntry: try #require(scene.entries["allergy"]), caller) },
            { _ = try await journal.entries.addEntry(try entry("allergy", ["name": "x"]), to: scene.record, caller) },
        ] as [() async throws -> Void] where !mayReadAll {
            #expect(await refusal(attempt)?.code == .refused)
        }
        try scene.home.clock.set("2026-03-10T16:00:01Z")
        #expect(await kinds(scene) == usual)
    }

    /// Returns the kinds that can be read when each is requested alone.
    private func kinds(_ scene: Scene) async -> Set<String> {
        var readable: Set<String> = []
        for kind in Kind.all {
            let options = ReadOptions(kinds: [kind])
            let answer = try? await scene.home.journal.records.read(scene.record, options, scene.caller)
            if let answer, answer.state.entries.contains(where: { $0.kind == kind }) { readable.insert(kind.name) }
        }
        return readable
    }

    @Test("The emergency view closes after its hours, and at once when the owner revokes the grant")
    func ends() async throws {
        let scene = try await Scene(.notYet)
        let journal = scene.home.journal
        let caller = scene.caller.giving(reason: "found unconscious at home")
        let allergies = ReadOptions(kinds: [Allergy.kind])
        let opened = try await journal.sharing.openEmergency(scene.record, hours: 1, caller)
        for (time, isIn) in [("12:59:59", true), ("13:00:02", false)] {
            try scene.home.clock.set("2026-03-10T\(time)Z")
            let error = await refusal { _ = try await journal.records.read(scene.record, allergies, caller) }
            #expect((error == nil) == isIn, "\(time)")
        }
        #expect(opened.expires.description.hasPrefix("2026-03-10T13:00:0"))
        _ = try await journal.sharing.openEmergency(scene.record, hours: 24, caller)
        _ = try await journal.records.read(scene.record, allergies, caller)
        #expect(try await journal.records.listRecords(caller).map(\.id) == [scene.record])
        _ = try await journal.sharing.revoke(caller.account, on: scene.record, scene.home.owner)
        #expect(await refusal { _ = try await journal.records.read(scene.record, allergies, caller) }?.code == .refused)
        #expect(try await journal.records.listRecords(caller).isEmpty)
        #expect(await refusal { _ = try await journal.sharing.openEmergency(scene.record, caller) }?.code == .refused)
        // A new grant does not open the view of before again.
        let terms = GrantTerms(emergencyAfterEnd: true)
        _ = try await journal.sharing.grant(terms, to: caller.account, on: scene.record, scene.home.owner)
        let notices = try await journal.sharing.notices(scene.home.owner)
        #expect(notices.compactMap(\.emergency.ended).map(\.actor) == [scene.home.owner.account])
        let access = try journal.permissions.permission(of: caller.account, on: scene.record, asOf: journal.log.head())
        #expect(access.grant != nil)
        #expect(access.emergency == nil)
    }

    @Test("The emergency view shows no history: no past positions, retracted entries or changes")
    func history() async throws {
        let scene = try await Scene(.notYet)
        let (journal, owner, record) = (scene.home.journal, scene.home.owner, scene.record)
        let caller = scene.caller.giving(reason: "found unconscious at home")
        let allergy = try #require(scene.entries["allergy"])
        let before = try scene.home.head
        _ = try await journal.entries.correctEntry(allergy, owner.giving(reason: "spelt better")) {
            content throws(ModelError) in
            try content.set("name", text: "Corrected")
        }
        let gone = try await scene.home.add("drug", ["name": "HiddenMistake"], to: record)
        _ = try await journal.entries.retractEntry(gone, owner.giving(reason: "another's"))
        _ = try await journal.sharing.openEmergency(record, caller)
        let past = AsOf.position(before)
        let kinds: [Kind?] = [nil, Allergy.kind, Drug.kind]
        for kind in kinds {
            var options = ReadOptions(kinds: kind.map { [$0] })
            #expect(await refusal { _ = try await journal.records.read(record, options, caller) } == nil)
            #expect(await refusal { _ = try await journal.trail.compare(record, options, caller) }?.code == .refused)
            options.asOf = past
            #expect(await refusal { _ = try await journal.records.read(record, options, caller) }?.code == .refused)
            #expect(
                await refusal { _ = try await journal.records.read(record, options, as: .record, caller) { _ in [] } }?
                    .code
                    == .refused
            )
            options.asOf = nil
            options.includesRetracted = true
            #expect(await refusal { _ = try await journal.records.read(record, options, caller) }?.code == .refused)
        }
        #expect(
            try await journal.entries.entry(allergy, of: Allergy.kind, in: record, caller).content.body.isEmpty == false
        )
        let then = await refusal {
            _ = try await journal.entries.entry(allergy, of: Allergy.kind, in: record, asOf: past, caller)
        }
        #expect(then?.code == .refused)
        let retracted = await refusal { _ = try await journal.entries.entry(gone, of: Drug.kind, in: record, caller) }
        #expect(retracted?.code == .notFound)
        #expect(try await journal.records.listRecords(caller).count == 1)
        #expect(try await journal.records.listRecords(asOf: past, caller).isEmpty)
        // Owners, and caregivers who may read the section anyway, still see its past.
        #expect(try await journal.records.read(record, ReadOptions(asOf: past), owner).state.entries.isEmpty == false)
    }

    @Test("A grant that ended opens the view only if the owner chose so, and an open view closes with the grant")
    func endedGrant() async throws {
        let scene = try await Scene(.ended)
        let (journal, owner) = (scene.home.journal, scene.home.owner)
        let caller = scene.caller.giving(reason: "found unconscious at home")
        #expect(await refusal { _ = try await journal.sharing.openEmergency(scene.record, caller) }?.code == .refused)
        var terms = GrantTerms(sections: [.doctorlist], until: try Day(parsing: "2026-03-10"))
        _ = try await journal.sharing.grant(terms, to: caller.account, on: scene.record, owner)
        try scene.home.clock.set("2026-03-10T23:00:00Z")
        _ = try await journal.sharing.openEmergency(scene.record, hours: 4, caller)
        #expect(await kinds(scene).contains("allergy"))
        try scene.home.clock.set("2026-03-11T00:10:00Z")
        #expect(await kinds(scene).isEmpty)
        terms.until = try Day(parsing: "2026-03-11")
        terms.emergencyAfterEnd = true
        _ = try await journal.sharing.grant(terms, to: caller.account, on: scene.record, owner)
        try scene.home.clock.set("2026-04-11T12:00:00Z")
        _ = try await journal.sharing.openEmergency(scene.record, hours: 4, caller)
        #expect(await kinds(scene) == Set(Emergency.kinds.map(\.name)))
    }

    @Test("Opening the emergency view requires a reason and a limited time")
    func refuses() async throws {
        let scene = try await Scene(.notYet)
        let journal = scene.home.journal
        let mute = await refusal { _ = try await journal.sharing.openEmergency(scene.record, scene.caller) }
        #expect(mute?.code == .invalid)
        #expect(mute?.field == "reason")
        let caller = scene.caller.giving(reason: "found unconscious at home")
        let long = await refusal { _ = try await journal.sharing.openEmergency(scene.record, hours: 25, caller) }
        #expect(long?.field == "hours")
        var reader = caller
        reader.scope = .read
        #expect(await refusal { _ = try await journal.sharing.openEmergency(scene.record, reader) }?.code == .refused)
    }

    @Test("Only the owners of the record are notified of an emergency")
    func notices() async throws {
        let scene = try await Scene(.readsDoctors)
        let owner = scene.home.owner
        let ben = try await scene.home.account("ben")
        _ = try await scene.home.person("Another", ben)
        #expect(try await scene.home.journal.sharing.notices(owner).isEmpty)
        let first = try await scene.home.journal.sharing.openEmergency(
            scene.record,
            scene.caller.giving(reason: "found unconscious")
        )
        let second = try await scene.home.journal.sharing.openEmergency(
            scene.record,
            scene.caller.giving(reason: "still unconscious")
        )
        let before = try scene.home.head
        let told = try await scene.home.journal.sharing.notices(owner)
        #expect(told.map(\.position) == [second.position, first.position])
        #expect(told.map(\.emergency.reason) == ["still unconscious", "found unconscious"])
        #expect(told.allSatisfy { $0.emergency.account == scene.caller.account && $0.emergency.acknowledged == nil })
        #expect(told.allSatisfy { $0.record == scene.record && $0.displayName == "Visible Winterthaler" })
        #expect(try scene.home.events(after: before).map(\.type) == [RecordRead.type])
        for other in [scene.caller, ben] {
            #expect(try await scene.home.journal.sharing.notices(other).isEmpty)
            let error = await refusal {
                _ = try await scene.home.journal.sharing.acknowledgeNotice(first.position, other)
            }
            #expect(error?.code == .notFound)
        }
        _ = try await scene.home.journal.sharing.addOwner(ben.account, to: scene.record, owner)
        #expect(try await scene.home.journal.sharing.acknowledgeNotice(first.position, ben).isChanged)
        #expect(try await !scene.home.journal.sharing.acknowledgeNotice(first.position, owner).isChanged)
        let then = try await scene.home.journal.sharing.notices(owner)
        #expect(then.map(\.emergency.acknowledged?.actor) == [nil, ben.account])
        for missing in [0, 1, first.position - 1, UInt64.max] {
            let error = await refusal { _ = try await scene.home.journal.sharing.acknowledgeNotice(missing, owner) }
            #expect(error?.code == .notFound)
        }
        // The views can be rebuilt at any time with the same result.
        try scene.home.reopen { try scene.home.remove(scene.home.folder.path + "/views") }
        #expect(try await scene.home.journal.sharing.notices(owner) == then)
    }
}
