internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore
internal import JournalEvents
internal import MedicalRecords

/// What a practice wrote in the records of its patients, and answers for after an owner ended its access.
extension Journal.Patients {
    /// Returns the entries that a practice added to a record while it had access, in the order in which they were added.
    ///
    /// Each section is as it was known when the practice could read it last; later changes are not shown.
    /// The caller must be a veterinarian or a manager of the practice today, and give a purpose; the read is audited.
    package func entriesWritten(
        by practice: UUID,
        in record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> [EntryState] {
        try await journal.retrying {
            let membership = ActiveMembership(
                practice: practice,
                roles: try journal.access.practiceAdmission(of: caller, in: practice, isClient: false).roles,
                now: journal.now,
                today: journal.today
            )
            switch try journal.access.recordAccess(of: practice, to: record) {
            case .found: break
            case .erased, .missing: throw JournalError.noRecord
            }
            var written: [UInt64: Set<UUID>] = [:]
            func find() throws -> Set<UUID> {
                written = try writings(of: practice, in: record)
                return written.values.reduce(into: []) { $0.formUnion($1) }
            }
            let admission: Admission
            switch try Gate.admit(toReadWritten: find, in: record, by: caller, as: membership) {
            case .success(let admitted): admission = admitted
            case .failure(let denial): throw try await journal.access.refusal(of: caller, denial)
            }
            if caller.purpose.allSatisfy(\.isWhitespace) {
                throw JournalError(.invalid, field: "purpose", "say what the entries are read for; an owner sees it")
            }
            var found: [EntryState] = []
            var reads: [(admission: Admission, shown: Shown)] = []
            let head = try journal.log.head()
            for (position, ids) in written.sorted(by: { $0.key < $1.key }) {
                let entries = try journal.contents(admission).entries(ids, asOf: position)
                let shown = Shown(
                    sections: Set(entries.map(\.kind.section)),
                    entryCount: entries.count,
                    asOf: position < head ? position : nil,
                    version: position,
                    entries: ShownEntries.each(of: entries),
                    includesRetracted: entries.contains(where: \.isRetracted)
                )
                reads.append((admission, shown))
                found += entries
            }
            try await journal.access.trace(caller, reads)
            return found.sorted { $0.added.position < $1.added.position }
        }
    }

    /// Returns the ids of the entries that a practice added to a record, by the position at which it may read them.
    private func writings(of practice: UUID, in record: UUID) throws -> [UInt64: Set<UUID>] {
        let clock = try journal.practiceStates.clock(of: journal.practiceStates.practice(practice).state)
        let head = try journal.log.head()
        var written: [UInt64: Set<UUID>] = [:]
        for section in Section.allCases {
            guard let end = try lastReadable(section, of: record, by: practice, head: head) else { continue }
            var selection = MedicalRecordsView.Selection()
            selection.kinds = Kind.all.filter { $0.section == section }
            let known = try journal.contents(for: .decision).record(record, asOf: end, selection)?.entries ?? []
            for entry in known where try wasAdded(entry, by: practice, clock) {
                written[end, default: []].insert(entry.id)
            }
        }
        return written
    }

    /// Returns the last position at which a practice could read a section of a record; nil if it never could.
    private func lastReadable(
        _ section: Section,
        of record: UUID,
        by practice: UUID,
        head: UInt64
    ) throws -> UInt64? {
        var position = head
        while position > 0 {
            let permission = try journal.permissions.permission(of: practice, on: record, asOf: position)
            if permission.isOwner { return position }
            guard let grant = permission.grant else { return nil }
            if grant.terms.reads(section) {
                var end = position
                if let revoked = grant.revoked { end = min(end, revoked.position - 1) }
                if let until = grant.terms.until, until < journal.today {
                    end = min(end, try journal.log.position(asOf: .day(until)))
                }
                // A grant that ended before it was given or had begun has never given access.
                let begun = try grant.terms.from.map {
                    end > (try journal.log.position(asOf: .day($0.adding(days: -1))))
                }
                if end >= grant.given.position, begun ?? true { return end }
            }
            position = grant.given.position - 1
        }
        return nil
    }

    /// Whether an entry was added for a practice: by a member who treats animals, while the practice could add to the
    /// section, and the member could not as an owner or a caregiver.
    private func wasAdded(_ entry: EntryState, by practice: UUID, _ clock: PersonClock) throws -> Bool {
        let before = entry.added.position - 1
        let day = journal.day(of: entry.added.recordedAt)
        func couldAdd(_ account: UUID) throws -> Bool {
            let permission = try journal.permissions.permission(of: account, on: entry.record, asOf: before)
            guard !permission.isOwner, let grant = permission.grant else { return permission.isOwner }
            return grant.isActive(on: day) && grant.terms.verbs.contains(.contribute)
                && grant.terms.sections.contains(entry.kind.section)
        }
        guard try couldAdd(practice), try !couldAdd(entry.added.actor) else { return false }
        return try journal.practiceStates.members(of: practice, asOf: before).state
            .roles(of: entry.added.actor, on: clock.day(at: entry.added.recordedAt))
            .contains { $0.isClinical }
    }
}

extension GrantTerms {
    fileprivate func reads(_ section: Section) -> Bool { verbs.contains(.read) && sections.contains(section) }
}
