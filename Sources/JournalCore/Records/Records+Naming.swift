internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import Interchange
internal import MedicalRecords
internal import PracticeDirectory

extension Journal.Records {
    /// Returns the record that a person means by a name: one that the caller may list, or a patient of a practice of the
    /// caller.
    ///
    /// A record matches by its whole name or, if none does, by a word that begins with the text; case and accents do not
    /// count. Matches that are listed, because the name is ambiguous or mistyped, are audited as listed, and so is a record
    /// that was found by the beginning of a word. A record that was found by whole words is not: the caller already knew the
    /// name, and receives only the id. A name of no record that the caller may list is recorded as a
    /// refusal. Throws `invalid` if the name is too long or has control characters.
    package func lookUp(record name: String, _ caller: Caller) async throws(JournalError) -> NameLookup {
        try await journal.retrying {
            try TextCheck.check(name, field: "name", maximum: Limits.line)
            let position = try journal.log.head()
            let known = try namedRecords(for: caller, at: position)
            switch NameChoice(name, among: known.map(\.name)) {
            case .one(let index, let isWhole):
                if !isWhole { _ = try await list([known[index]], caller, at: position) }
                return .one(known[index].id, name: isWhole ? nil : known[index].name)
            case .several(let indices): return .several(try await list(indices.map { known[$0] }, caller, at: position))
            case .similar(let indices):
                try await recordAttempt(on: name, caller, at: position, besides: Set(known.map(\.id)))
                return .similar(try await list(indices.map { known[$0] }, caller, at: position))
            }
        }
    }

    /// Records that a caller named records that the caller may not list, as a refusal on each of them.
    ///
    /// A name that no record has is recorded as well, on the journal: otherwise the time of the answer would tell which
    /// names there are. The name itself is not stored. Throws `busy` after too many attempts.
    private func recordAttempt(
        on name: String,
        _ caller: Caller,
        at position: UInt64,
        besides known: Set<UUID>
    ) async throws {
        guard journal.replica == nil else { return }
        let asked = FoldedName(name)
        var denials: [Denial] = []
        for record in try journal.medicalRecords.records(asOf: position) where !asked.isEmpty && !known.contains(record)
        {
            guard denials.count < NameLookup.maximumListed,
                let state = try headerUnlessErased(record, asOf: position),
                " \(FoldedName(state.displayName).text) ".contains(" \(asked.text) ")
            else { continue }
            denials.append(Denial(.read(nil, .list), on: record, reason: JournalError.noRecord.text))
        }
        if denials.isEmpty { denials = [Denial(Action.read(nil, .list).access, reason: JournalError.noRecord.text)] }
        let errors = try await journal.access.recordRefusals(denials, of: caller)
        if let busy = errors.first(where: { $0.code == .busy }) { throw busy }
    }

    /// A record with its name and the right by which a caller may list it.
    typealias Named = (id: UUID, name: String, right: AccessRight)

    /// Returns the first records, up to the maximum of an answer, and audits that they were listed.
    private func list(_ found: [Named], _ caller: Caller, at position: UInt64) async throws -> [NamedDocument] {
        let listed = found.prefix(NameLookup.maximumListed)
        let reads = listed.map {
            TracedRead(record: $0.id, action: .list, right: $0.right, shown: Shown(sections: [], version: position))
        }
        try await journal.access.trace(caller, reads)
        return listed.map { NamedDocument(id: $0.id, name: $0.name) }
    }

    /// The records that a caller may list: those with a permission, and the patients of the caller's practices.
    func namedRecords(for caller: Caller, at position: UInt64) throws -> [Named] {
        var named: [Named] = []
        var seen: Set<UUID> = []
        for found in try journal.access.permittedRecords(of: caller.account, asOf: position) {
            guard
                case .allowed(let right, _) = Gate.decide(
                    .read(nil, .list),
                    by: caller,
                    permission: found.permission,
                    now: journal.now,
                    today: journal.today
                ), let state = try headerUnlessErased(found.record, asOf: position)
            else { continue }
            seen.insert(found.record)
            named.append((found.record, state.displayName, right))
        }
        guard journal.replica == nil else { return named }
        for practice in try journal.practiceDirectory.practices(asOf: position) {
            let admission = try journal.access.practiceAdmission(of: caller, in: practice, isClient: false)
            guard !admission.roles.isEmpty,
                Gate.refusal(of: .seeCalendar, by: caller, roles: admission.roles, isClient: false) == nil
            else { continue }
            for record in try journal.practiceDirectory.patients(of: practice, asOf: position)
            where !seen.contains(record) {
                guard let patient = try headerUnlessErased(record, asOf: position),
                    let registration = try journal.practiceStates.registration(of: record, at: practice).state,
                    registration.status == .accepted
                else { continue }
                seen.insert(record)
                named.append((record, patient.profile.values.text(RecordProfile.name) ?? "", admission.right))
            }
        }
        return named
    }
}
