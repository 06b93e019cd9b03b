internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import Interchange
internal import PracticeDirectory

extension Journal {
    /// Returns the record that a person means by a name: one that the caller may list, or a patient of a practice of the
    /// caller.
    ///
    /// It has the whole name or, if none has, a word that begins with it; case and accents do not count. What is listed
    /// because the name is ambiguous or mistyped is audited, and so is a record that was found by the beginning of a word.
    /// One that was found by whole words is not: the caller knew the name, and gets the id alone.
    package func lookUp(record name: String, _ caller: Caller) async throws(JournalError) -> NameLookup {
        try await retrying {
            // Without a letter or a digit, it is the name of nothing.
            if FoldedName(name).isEmpty { return .similar([]) }
            let position = try log.head()
            let known = try namedRecords(for: caller, at: position)
            let (found, isNamed): ([Int], Bool)
            switch NameChoice(name, among: known.map(\.name)) {
            case .one(let index, isWhole: true): return .one(known[index].id)
            case .one(let index, isWhole: false): (found, isNamed) = ([index], true)
            case .several(let indices): (found, isNamed) = (indices, true)
            case .similar(let indices): (found, isNamed) = (indices, false)
            }
            let listed = found.prefix(NameLookup.maximumListed).map { known[$0] }
            let reads = listed.map {
                TracedRead(record: $0.id, action: .list, right: $0.right, shown: Shown(sections: [], version: position))
            }
            try await trace(caller, reads)
            if isNamed, listed.count == 1 { return .one(listed[0].id) }
            let names = listed.map { NamedDocument(id: $0.id, name: $0.name) }
            return isNamed ? .several(names) : .similar(names)
        }
    }

    /// The records that a caller may list, with their names and the right to list them.
    private func namedRecords(
        for caller: Caller,
        at position: UInt64
    ) throws -> [(id: UUID, name: String, right: AccessRight)] {
        var named: [(id: UUID, name: String, right: AccessRight)] = []
        var seen: Set<UUID> = []
        for found in try permittedRecords(of: caller.account, asOf: position) {
            guard
                case .allowed(let right, _) = Gate.decide(
                    .read(nil, .list),
                    by: caller,
                    permission: found.permission,
                    now: now,
                    today: today
                ), let state = try headerUnlessErased(found.record, asOf: position)
            else { continue }
            seen.insert(found.record)
            named.append((found.record, state.displayName, right))
        }
        guard replica == nil else { return named }
        for practice in try practiceDirectory.practices(asOf: position) {
            let admission = try practiceAdmission(of: caller, in: practice, isClient: false)
            guard !admission.roles.isEmpty,
                Gate.refusal(of: .seeCalendar, by: caller, roles: admission.roles, isClient: false) == nil
            else { continue }
            for record in try practiceDirectory.patients(of: practice, asOf: position)
            where !seen.contains(record) {
                guard let patient = try patientName(record, asOf: position),
                    let registration = try registration(of: record, at: practice).state, registration.ended == nil
                else { continue }
                seen.insert(record)
                named.append((record, patient.name, admission.right))
            }
        }
        return named
    }
}
