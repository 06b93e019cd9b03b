internal import EventLog
package import FoundationEssentials
internal import HealthModel
internal import Interchange
package import JournalCore
internal import MedicalRecords

/// The result of adding the sample household.
package struct SampleResult: Hashable, Sendable {
    package let records: [UUID]
    package let isChanged: Bool
}

extension Journal.Imports {
    /// Adds a sample household with some history: corrections, and a caregiver with a grant, a refusal and a
    /// revocation.
    package func addSample(_ caller: Caller) async throws(JournalError) -> SampleResult {
        try await journal.retrying {
            try await journal.access.admit(caller, to: .administer(.manage))
            let household = try SampleHousehold(journal: journal.log.description.id)
            // Sample records that exist already are left as they are.
            let missing = try household.documents.filter { try journal.log.version(of: $0.id) == 0 }
            if !missing.isEmpty { _ = try await take(missing, caller) }
            if missing.contains(where: { $0.id == household.ada }) { try await live(in: household, caller) }
            return SampleResult(records: household.documents.map(\.id), isChanged: !missing.isEmpty)
        }
    }

    private func live(in household: SampleHousehold, _ owner: Caller) async throws {
        func saying(_ reason: String) -> Caller {
            var caller = owner
            caller.reason = reason
            return caller
        }
        guard let ada = household.documents.first,
            let weight = ada.entries.last(where: { $0.content.kind == Weight.kind }),
            let drug = ada.entries.first(where: { $0.content.kind == Drug.kind })
        else { return }
        _ = try await journal.entries.correctEntry(weight.id, saying("misread the scale")) {
            content throws(ModelError) in
            try content.set("value", text: "68.9")
        }
        _ = try await journal.entries.correctEntry(drug.id, saying("Dr. Okafor raised the dose")) {
            content throws(ModelError) in
            try content.set("dosage", text: "20 mg")
        }
        let name = "mara"
        if try journal.accounts.account(named: name) == nil {
            _ = try await journal.accounts.addAccount(AccountProfile(name: name, email: "mara@example.org"), owner)
        }
        let mara = try journal.accounts.caller(name, source: owner.source, purpose: "Monday's visit")
        _ = try await journal.sharing.grant(
            GrantTerms(sections: [.doctorlist], verbs: [.read]),
            to: mara.account,
            on: ada.id,
            saying("helps on Mondays")
        )
        _ = try await journal.records.read(ada.id, ReadOptions(), mara)
        do {
            _ = try await journal.records.read(ada.id, ReadOptions(kinds: [Weight.kind]), mara)
        } catch {
            // The refusal is intended, so that the audit trail shows one.
            guard error.code == .refused else { throw error }
        }
        _ = try await journal.sharing.revoke(mara.account, on: ada.id, saying("Mara has moved away"))
    }
}
