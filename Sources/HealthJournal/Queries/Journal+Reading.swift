internal import CaregiverPermissions
internal import CostSummary
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// A record as it was shown to somebody.
package struct RecordAnswer: Hashable, Sendable {
    /// Holds nothing but what the caller may see.
    package var state: RecordState
    /// The last event that counts.
    package var asOf: Stamp
    package var sections: Set<Section>
    /// Of which kinds entries may be shown.
    package var kinds: Set<Kind>
    /// Whether the whole profile is shown, or no more than a name and perhaps a date of birth.
    package var showsProfile: Bool
    package var right: AccessRight
    /// The position of the record's last change, which changes whenever the answer would; nil for who sees a part, and is
    /// not to know of the rest.
    package var version: UInt64?

    package init(
        state: RecordState,
        asOf: Stamp,
        sections: Set<Section>,
        kinds: Set<Kind>,
        showsProfile: Bool,
        right: AccessRight,
        version: UInt64?
    ) {
        self.state = state
        self.asOf = asOf
        self.sections = sections
        self.kinds = kinds
        self.showsProfile = showsProfile
        self.right = right
        self.version = version
    }
}

/// As of when something is read, and which part of it.
package struct ReadOptions: Hashable, Sendable {
    package var asOf: AsOf?
    package var happenedBy: Day?
    /// Nil for all that the caller may see.
    package var kinds: [Kind]?
    package var includesRetracted = false
    /// Which entries; one ends with the position at which its last entry was added.
    package var page: Page

    package init(
        asOf: AsOf? = nil,
        happenedBy: Day? = nil,
        kinds: [Kind]? = nil,
        includesRetracted: Bool = false,
        page: Page = .all
    ) {
        self.asOf = asOf
        self.happenedBy = happenedBy
        self.kinds = kinds
        self.includesRetracted = includesRetracted
        self.page = page
    }
}

extension Journal {
    /// Reads a record with what the caller may see of it.
    package func read(
        _ record: UUID,
        _ options: ReadOptions = ReadOptions(),
        as access: AccessAction = .read,
        _ caller: Caller
    ) async throws(JournalError) -> RecordAnswer {
        try await retrying {
            let admission = try await admit(caller, to: .read(options.kinds.map { Set($0) }, access), on: record)
            let position = try log.position(asOf: options.asOf)
            let answer = try answer(admission, options, asOf: position)
            try await trace(caller, admission, Shown(answer.state.entries.count, options, admission, asOf: position))
            return answer
        }
    }

    /// What somebody who was let in sees of a record, before that is on record.
    func answer(_ admission: Admission, _ options: ReadOptions, asOf position: UInt64) throws -> RecordAnswer {
        var selection = MedicalRecordsView.Selection()
        selection.kinds = Kind.all.filter { options.kinds?.contains($0) ?? true && admission.sees($0) }
        selection.happenedBy = options.happenedBy
        selection.includesRetracted = options.includesRetracted
        let page = options.page
        (selection.after, selection.before, selection.limit) = (page.after, page.before, page.limit)
        if let limit = page.urgentLimit { for kind in Emergency.kinds { selection.limits[kind] = limit } }
        guard let known = try records.record(admission.record, asOf: position, selection), position > 0 else {
            throw JournalError(.notFound, "the record was not there yet at that time")
        }
        let state = known.visible(to: admission)
        return RecordAnswer(
            state: state,
            // The journal's newest event may be one that this caller is not to know of.
            asOf: admission.right == .owner ? try stamp(at: position) : state.updated,
            sections: admission.sections,
            kinds: admission.sight.kinds,
            showsProfile: admission.sight.profile == .whole,
            right: admission.right,
            version: admission.right == .owner ? state.updated.position : nil
        )
    }

    /// Where, when and by whom the event at a position came into the log.
    func stamp(at position: UInt64) throws -> Stamp {
        try log.event(at: position).stamp
    }

    /// The records that the caller may see, in the order in which they were created, without their entries.
    ///
    /// A page ends with the position at which its last record was created.
    package func listRecords(
        asOf moment: AsOf? = nil,
        page: Page = .all,
        _ caller: Caller
    ) async throws(JournalError) -> [RecordState] {
        try await retrying {
            let head = try log.head()
            let position = try log.position(asOf: moment)
            let own = Dictionary(
                try permissions.records(of: caller.account, asOf: head).map { ($0.record, $0.permission) },
                uniquingKeysWith: { first, _ in first }
            )
            var found: [RecordState] = []
            var reads: [(admission: Admission, shown: Shown)] = []
            for id in try records.records(asOf: position, after: page.after) where found.count < page.limit {
                guard let permission = own[id] else { continue }
                let action = Action.read(nil, .list)
                guard
                    case .allowed(let right, let sight) = Gate.decide(
                        action,
                        by: caller,
                        permission: permission,
                        now: now,
                        today: today
                    ), let state = try headerUnlessErased(id, asOf: position)
                else { continue }
                let admission = Admission(record: id, action: action, right: right, sight: sight)
                found.append(state.visible(to: admission))
                reads.append((admission, Shown(sections: [], asOf: moment == nil ? nil : position)))
            }
            try await trace(caller, reads)
            return found
        }
    }

    /// Every event of an entry, from its addition on.
    package func history(
        ofEntry entry: UUID,
        expecting expected: ExpectedEntry = ExpectedEntry(),
        _ caller: Caller
    ) async throws(JournalError) -> [RecordedEvent] {
        try await retrying {
            guard let place = try place(ofEntry: entry), expected.record ?? place.record == place.record,
                expected.kind?.code ?? place.kind == place.kind
            else {
                throw JournalError(.notFound, "there is no such entry")
            }
            guard let kind = Kind.coded(place.kind) else {
                throw JournalError(.failed, "this program knows no such kind of entry; a newer one may have written it")
            }
            // Whoever may read the section may see how its entries came about; an auditor may too.
            let action: Action = caller.kind == .auditor ? .audit(.history) : .read([kind], .history)
            let admission = try await admit(caller, to: action, on: place.record)
            let events = try records.history(ofEntry: entry, asOf: log.head())
                .map { try log.recorded(log.event(at: $0)) }
            try await trace(caller, admission, Shown(sections: [kind.section], entryCount: 1))
            return events
        }
    }

    /// The grants of a record, the revoked and the ended ones among them.
    package func grants(
        of record: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [Grant] {
        try await retrying {
            let admission = try await admit(caller, to: .audit(.caregivers), on: record)
            let position = try log.position(asOf: moment)
            let grants = try permissions.grants(of: record, asOf: position).sorted
            try await trace(caller, admission, Shown(sections: [], asOf: moment == nil ? nil : position))
            return grants
        }
    }

    func headerUnlessErased(_ id: UUID, asOf position: UInt64) throws -> RecordState? {
        do {
            return try records.header(of: id, asOf: position)
        } catch let error as EventLogError where error.code == .subjectErased {
            return nil
        }
    }
}

extension Shown {
    /// Entries of a record, as they were asked for.
    init(_ entryCount: Int, _ options: ReadOptions, _ admission: Admission, asOf position: UInt64) {
        self.init(
            sections: options.kinds.map { Set($0.map(\.section)) } ?? admission.sections,
            entryCount: entryCount,
            asOf: options.asOf == nil ? nil : position,
            happenedBy: options.happenedBy
        )
    }
}

extension RecordState {
    /// No more than an admission covers: not the profile, and not when something was changed that is hidden.
    fileprivate func visible(to admission: Admission) -> RecordState {
        var state = self
        switch admission.sight.profile {
        case .whole: break
        case .nameAndBirth: state.profile = profile.keeping(["birthdate"])
        case .name: state.profile = profile.keeping([])
        }
        if admission.right != .owner {
            state.hold = nil
            state.updated = entries.map(\.latest).max { $0.position < $1.position } ?? created
        }
        return state
    }
}

extension RecordProfile {
    /// What anybody who was let in to a part of the record sees, whose it is, and some fields more.
    fileprivate func keeping(_ more: Set<String>) -> RecordProfile {
        let kept = more.union(["givenName", "familyName", "name"])
        var profile = RecordProfile(subject: subject)
        for field in RecordProfile.fields(for: subject) where kept.contains(field.name) {
            profile.values[field] = values[field]
        }
        return profile
    }
}
