internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore
internal import JournalEvents
internal import MedicalRecords

extension Journal.NameSuggestions {
    /// The kinds whose names can be completed.
    package static let namedKinds = [Drug.kind, Supplement.kind, Allergy.kind, Meal.kind]

    /// Completes a name that a person types: names of the record first, then those of the lists.
    ///
    /// Without a kind, the names of medication and supplements are meant. Without a record, no record is read. The
    /// audit trail records that names of the record were listed, and nothing of the text.
    package func suggest(
        _ text: String,
        in record: UUID? = nil,
        kind: Kind? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [NameSuggestion] {
        try await journal.retrying {
            let kinds = kind.map { [$0] } ?? Plan.kinds
            var own: [String] = []
            if let record {
                let admission = try await journal.access.admit(caller, to: .read(Set(kinds), .list), on: record)
                try Self.check(text, kind)
                own = try await ownNames(admission, kinds, caller)
            } else {
                try Self.check(text, kind)
            }
            return try journal.nameCatalogue().suggest(text, own: own, listsToo: kind != Meal.kind)
        }
    }

    /// Returns the names of a record for a form, the most recent first; nil if the caller may not read them.
    ///
    /// A caller may be permitted to add entries that it may not read. That is no attempt to read, so no refusal is
    /// recorded.
    package func namesForForm(
        of record: UUID,
        _ kinds: [Kind],
        _ caller: Caller
    ) async throws(JournalError) -> [String]? {
        try await journal.retrying {
            guard
                case .admitted(let admission) = try journal.access.decideAdmission(
                    caller,
                    .read(Set(kinds), .list),
                    on: record
                )
            else { return nil }
            return try await ownNames(admission, kinds, caller)
        }
    }

    private static func check(_ text: String, _ kind: Kind?) throws(ModelError) {
        guard kind.map(namedKinds.contains) ?? true else {
            let names = namedKinds.map(\.name).joined(separator: ", ")
            throw ModelError(.invalid, field: "kind", "must be one of \(names)")
        }
        try TextCheck.check(text, field: "text", maximum: NameSuggestion.maximumText)
    }

    private func ownNames(_ admission: Admission, _ kinds: [Kind], _ caller: Caller) async throws -> [String] {
        let position = try journal.log.head()
        var selection = MedicalRecordsView.Selection()
        selection.kinds = kinds
        selection.includesRetracted = false
        let entries = try journal.contents(admission).record(admission.record, asOf: position, selection)?.entries ?? []
        let shown = Shown(
            sections: Set(kinds.map(\.section)),
            entryCount: entries.count,
            version: position,
            entries: ShownEntries.all(of: entries)
        )
        try await journal.access.trace(caller, admission, shown)
        var seen: Set<FoldedName> = []
        return entries.sorted { $0.latest.position > $1.latest.position }.flatMap(\.content.names)
            .filter { seen.insert(FoldedName($0)).inserted }
    }
}

extension EntryContent {
    /// The names that an entry contains.
    fileprivate var names: [String] {
        switch kind {
        case Meal.kind: body.groups(Meal.foods).compactMap { $0.text(Meal.Food.name) }
        case Allergy.kind: [body.text(Allergy.name)].compactMap(\.self)
        default: [body.text(Drug.name)].compactMap(\.self)
        }
    }
}
