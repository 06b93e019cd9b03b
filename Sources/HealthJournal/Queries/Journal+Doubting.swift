internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import MedicalRecords

extension Journal {
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
        try await retrying {
            _ = try await admit(caller, to: .contribute(content.kind, .adding), on: record)
            try content.validate(now: now)
            let options = ReadOptions(kinds: [content.kind], page: .newest(Journal.comparedEntries))
            let decision = try decideAdmission(caller, .reading(options, .read), on: record)
            guard case .admitted(let admission) = decision else { return content.doubts(among: [], today: today) }
            let head = try log.head()
            // The newest come first.
            let entries = try answer(admission, options, asOf: head).state.entries
            let doubts = content.doubts(among: entries.reversed(), today: today)
            let ids = Set(doubts.compactMap(\.other?.entry))
            let shown = entries.filter { ids.contains($0.id) }
            if !shown.isEmpty {
                let runs = ShownEntries.each(of: shown)
                try await trace(caller, admission, Shown(shown.count, runs, options, admission, asOf: head))
            }
            return doubts
        }
    }
}
