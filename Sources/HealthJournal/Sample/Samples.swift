internal import EventLog
package import FoundationEssentials
internal import HealthModel
internal import Interchange
internal import JournalCare
internal import JournalClinic
package import JournalCore
internal import JournalExchange

extension Journal {
    /// Fictional data for those who try the journal.
    package struct Samples: Sendable {
        let journal: Journal
    }

    package var samples: Samples { Samples(journal: self) }
}

/// The result of adding sample data.
package struct SampleResult: Hashable, Sendable {
    /// The records of the household.
    package let records: [UUID]
    /// The practice, if it was added now.
    package var practice: UUID?
    package var isChanged: Bool
}

extension Journal.Samples {
    /// Adds a sample household: two people and a dog with their plans, doses and values, two caregivers of whom one has
    /// access, corrections and a refusal.
    ///
    /// Everything is recorded now, as if a person had copied it from paper today: the times at which it happened are past,
    /// and no dose that is not logged counts as missed. A record of the sample that exists, or was erased, is left as it is;
    /// so on any later day nothing is added.
    package func addHousehold(_ caller: Caller) async throws(JournalError) -> SampleResult {
        try await journal.retrying {
            try await journal.access.admit(caller, to: .administer(.manage))
            let clock = try SampleClock(journal.now, zone: journal.zone.identifier)
            let household = try SampleHousehold(journal: journal.log.description.id, clock)
            let records = household.documents.map(\.id)
            let missing = try household.documents.filter { try journal.log.version(of: $0.id) == 0 }
            guard !missing.isEmpty else { return SampleResult(records: records, isChanged: false) }
            let isInUse = try await !journal.records.listRecords(caller).isEmpty
            _ = try await journal.imports.take(missing, caller)
            if missing.contains(where: { $0.id == household.ada }) {
                try await correct(household, caller)
                try await shareRecord(of: household, clock, caller)
                // Rules concern all records: in a journal that is in use, its owner decides about them.
                if !isInUse, try journal.interactionChecks.loadedRules().isEmpty {
                    _ = try await journal.interactionChecks.loadRules(RuleSetDocument.starter, caller)
                }
            }
            return SampleResult(records: records, isChanged: true)
        }
    }

    private func correct(_ household: SampleHousehold, _ owner: Caller) async throws {
        _ = try await journal.entries.correctEntry(household.misread, owner.saying("misread the scale")) {
            content throws(ModelError) in
            try content.set("value", text: "68.3")
        }
        _ = try await journal.entries.correctEntry(household.copied, owner.saying("copied from the old package")) {
            content throws(ModelError) in
            try content.set("dosage", text: "20 mg")
            try content.set("substances.0.strength", text: "20")
        }
    }

    /// Lets two caregivers see parts of Ada's record, and one of them only for a time.
    private func shareRecord(of household: SampleHousehold, _ clock: SampleClock, _ owner: Caller) async throws {
        let ada = household.ada
        let mara = try await account("mara", owner, purpose: "Monday's visit")
        _ = try await journal.sharing.grant(
            GrantTerms(sections: [.doctorlist]),
            to: mara.account,
            on: ada,
            owner.saying("helps on Mondays")
        )
        _ = try await journal.records.read(ada, ReadOptions(), mara)
        _ = try await journal.sharing.revoke(mara.account, on: ada, owner.saying("Mara has moved away"))
        let anna = try await account("anna", owner, purpose: "to give the evening tablets")
        _ = try await journal.sharing.grant(
            GrantTerms(sections: [.myhealth], verbs: [.read, .contribute], until: clock.day(-90)),
            to: anna.account,
            on: ada,
            owner.saying("the neighbour gives the medication in the evening")
        )
        _ = try await journal.care.today(of: ada, CareQuestion(), anna)
        var dose = DoseRequest(plan: household.evening, status: .taken)
        dose.target = .wall(WallMoment(day: clock.day(4), time: try WallTime(parsing: "18:30")))
        dose.at = .instant(try clock.moment(4, "18:42"))
        dose.comment = "with soup"
        _ = try await journal.care.logDose(dose, in: ada, anna)
        do {
            _ = try await journal.records.read(ada, ReadOptions(kinds: [Doctor.kind]), anna)
        } catch {
            // The refusal is intended, so that the audit trail shows one.
            guard error.code == .refused else { throw error }
        }
    }

    /// Returns a caller that acts through the account of a name, which is added if there is none; it has no password, so
    /// that nobody can sign in with it.
    func account(_ name: String, _ owner: Caller, purpose: String = "") async throws -> Caller {
        if try journal.accounts.account(named: name) == nil {
            _ = try await journal.accounts.addAccount(
                AccountProfile(name: name, email: "\(name)@example.org"),
                owner
            )
        }
        return try journal.accounts.caller(name, source: owner.source, purpose: purpose)
    }
}

extension Caller {
    /// Returns the caller with a reason for a change.
    func saying(_ reason: String) -> Caller {
        var caller = self
        caller.reason = reason
        return caller
    }
}
