internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import MedicalRecords

extension Journal.Entries {
    /// How many entries a new one is compared with.
    private static var comparedEntries: Int { 1_000 }

    /// Returns the doubts about an entry that the caller wants to add.
    ///
    /// The entry is compared with the newest entries of its kind if the caller may read them; an entry that is shown with a
    /// doubt is audited. For a caller who may add but not read, no entries are compared. Throws `invalid` for content that
    /// would be refused.
    package func doubts(
        about content: EntryContent,
        in record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> [EntryDoubt] {
        try await doubts(about: [content], of: content.kind, in: record, caller)
    }

    /// Returns the doubts about several entries of one kind that the caller wants to add.
    package func doubts(
        about contents: [EntryContent],
        of kind: Kind,
        in record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> [EntryDoubt] {
        try await journal.retrying {
            _ = try await journal.access.admit(caller, to: .contribute(kind, .adding), on: record)
            for content in contents { try content.validate(now: journal.now) }
            let options = ReadOptions(kinds: [kind], page: .newest(Self.comparedEntries))
            let decision = try journal.access.decideAdmission(caller, .reading(options, .read), on: record)
            guard case .admitted(let admission) = decision else {
                return contents.flatMap { $0.doubts(among: [], today: journal.today) }
            }
            let head = try journal.log.head()
            // The newest come first.
            let entries = try journal.records.answer(admission, options, asOf: head).state.entries
            let doubts = contents.flatMap { $0.doubts(among: entries.reversed(), today: journal.today) }
            let ids = Set(doubts.compactMap(\.other?.entry))
            let shown = entries.filter { ids.contains($0.id) }
            if !shown.isEmpty {
                let runs = ShownEntries.each(of: shown)
                try await journal.access.trace(
                    caller,
                    admission,
                    Shown(shown.count, runs, options, admission, asOf: head)
                )
            }
            return doubts
        }
    }
}
