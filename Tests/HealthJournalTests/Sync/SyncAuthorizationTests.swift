import FoundationEssentials
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore

@Suite("What a device may change")
struct SyncAuthorizationTests {
    /// A caller who may only add must not overwrite an entry by adding another one with its id.
    @Test("A grant to add does not change an entry of somebody else", arguments: [SyncCommand.Action.add, .correct])
    func overwriting(_ action: SyncCommand.Action) async throws {
        let home = try await TestHousehold()
        let (record, helper, device) = try await home.helped()
        let drug = try await home.add("drug", ["name": "Warfarin", "dosage": "2.5 mg"], to: record)
        var content = EntryContent(kind: Drug.kind)
        try content.set("name", text: "Warfarin")
        try content.set("dosage", text: "10 mg")
        let command = home.command(action, content, of: drug, in: record, device)
        let head = try home.head
        let error = await refusal { _ = try await home.journal.sync.take(command, offset: 0, helper) }
        #expect(error?.code == .refused)
        let types = try home.events(after: head).map(\.type)
        #expect(types == [AccessDenied.type])
        let entry = try await home.journal.entries.entry(named: drug.text, home.owner)
        #expect(entry.content.body.text(Drug.dosage) == "2.5 mg")
    }

    @Test("A grant to add adds an entry from a device")
    func adding() async throws {
        let home = try await TestHousehold()
        let (record, helper, device) = try await home.helped()
        var content = EntryContent(kind: Weight.kind)
        try content.set("value", text: "70")
        try content.set("unit", text: "kg")
        let command = home.command(.add, content, of: UUID(), in: record, device)
        #expect(try await home.journal.sync.take(command, offset: 0, helper).outcome == .taken)
    }

    @Test("A device cannot say what another system wrote", arguments: [true, false])
    func originals(_ isForged: Bool) async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        let drug = try await home.add("drug", ["name": "Warfarin"], to: record)
        let device = try await home.journal.sync.addDevice(named: "tablet", home.owner).id
        var content = EntryContent(kind: Drug.kind)
        try content.set("name", text: "Marcoumar")
        if isForged { content.extra = [Extra(name: "$fhir.resource", json: "\"x\"")] }
        let command = home.command(.correct, content, of: drug, in: record, device, base: try home.head)
        let error = await refusal { _ = try await home.journal.sync.take(command, offset: 0, home.owner) }
        #expect(error?.field == (isForged ? "extra" : nil) && (error != nil) == isForged)
        let entry = try await home.journal.entries.entry(named: drug.text, home.owner)
        #expect(entry.content.title == (isForged ? "Warfarin" : "Marcoumar"))
    }
}

extension TestHousehold {
    /// The first change of a device.
    fileprivate func command(
        _ action: SyncCommand.Action,
        _ content: EntryContent,
        of entry: UUID,
        in record: UUID,
        _ device: UUID,
        base: UInt64? = nil
    ) -> SyncCommand {
        SyncCommand(
            id: "one",
            device: device,
            seq: 1,
            madeAt: journal.now,
            record: record,
            entry: entry,
            kind: content.kind,
            action: action,
            base: base,
            content: content
        )
    }

    /// Returns a record, an account that may add entries to its health section, and a device of the account.
    fileprivate func helped() async throws -> (record: UUID, helper: Caller, device: UUID) {
        let record = try await person("Anna")
        let helper = try await account("helper")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.contribute])
        _ = try await journal.sharing.grant(terms, to: helper.account, on: record, owner)
        return (record, helper, try await journal.sync.addDevice(named: "phone", helper).id)
    }
}
