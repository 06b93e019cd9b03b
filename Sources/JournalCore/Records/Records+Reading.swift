internal import CaregiverPermissions
internal import CostSummary
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
package import MedicalRecords

/// A record as it was shown to a caller.
package struct RecordAnswer: Hashable, Sendable {
    /// Contains only what the caller may see.
    package var state: RecordState
    /// The last event that the answer reflects, as far as the caller may know of it.
    package var asOf: Stamp
    package var sections: Set<Section>
    /// The kinds whose entries may be shown.
    package var kinds: Set<Kind>
    /// Whether the whole profile is shown, or only a name and perhaps a date of birth.
    package var showsProfile: Bool
    package var right: AccessRight
    /// Whether the reader may change the profile.
    package var mayEdit: Bool
    /// Whether the reader may close the record, and give others access.
    package var mayManage: Bool
    /// The position of the record's last change, which changes whenever the answer would.
    ///
    /// Nil for callers who may not change the profile, because it would reveal changes of data that they may not see.
    package var version: UInt64?

    package init(
        state: RecordState,
        asOf: Stamp,
        sections: Set<Section>,
        kinds: Set<Kind>,
        showsProfile: Bool,
        right: AccessRight,
        mayEdit: Bool = false,
        mayManage: Bool = false,
        version: UInt64?
    ) {
        self.state = state
        self.asOf = asOf
        self.sections = sections
        self.kinds = kinds
        self.showsProfile = showsProfile
        self.right = right
        self.mayEdit = mayEdit
        self.mayManage = mayManage
        self.version = version
    }
}

/// The options of a read: the moment whose state is read, and the part that is read.
package struct ReadOptions: Hashable, Sendable {
    package var asOf: AsOf?
    /// Only what happened on this day or later; entries without a date are left out.
    package var happenedFrom: Day?
    /// Only what had happened by this day; entries without a date are included.
    package var happenedBy: Day?
    /// Nil for all kinds that the caller may see.
    package var kinds: [Kind]?
    package var includesRetracted = false
    /// The page of entries; a page ends with the position at which its last entry was added.
    package var page: Page

    package init(
        asOf: AsOf? = nil,
        happenedFrom: Day? = nil,
        happenedBy: Day? = nil,
        kinds: [Kind]? = nil,
        includesRetracted: Bool = false,
        page: Page = .all
    ) {
        self.asOf = asOf
        self.happenedFrom = happenedFrom
        self.happenedBy = happenedBy
        self.kinds = kinds
        self.includesRetracted = includesRetracted
        self.page = page
    }
}

extension ReadOptions {
    /// The days on which the selected entries had happened.
    package var period: Period { Period(first: happenedFrom, last: happenedBy) }

    /// Whether past state or retracted entries are requested.
    package var isOfPast: Bool { asOf != nil || includesRetracted }

    /// Returns the entries that an answer shows, as an access event records them.
    func runs(of entries: [EntryState]) -> [ShownEntries] {
        // The entries of a period are not all of a run, and an access event does not contain its first day.
        if happenedFrom != nil { return ShownEntries.each(of: entries) }
        return page == .all ? ShownEntries.all(of: entries) : ShownEntries.runs(of: entries)
    }
}

extension Journal.Records {
    /// Reads the part of a record that the caller may see.
    package func read(
        _ record: UUID,
        _ options: ReadOptions = ReadOptions(),
        as access: AccessAction = .read,
        _ caller: Caller
    ) async throws(JournalError) -> RecordAnswer {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .reading(options, access), on: record)
            let position = try journal.log.position(asOf: options.asOf)
            let answer = try answer(admission, options, asOf: position)
            try await journal.access.trace(
                caller,
                admission,
                Shown(
                    answer.state.entries.count,
                    options.runs(of: answer.state.entries),
                    options,
                    admission,
                    asOf: position
                )
            )
            return answer
        }
    }

    /// Returns the selection of the entries that are requested and may be seen.
    package func selection(_ admission: Admission, _ options: ReadOptions) -> MedicalRecordsView.Selection {
        var selection = MedicalRecordsView.Selection()
        selection.kinds = Kind.all.filter { options.kinds?.contains($0) ?? true && admission.sees($0) }
        if options.happenedFrom == nil {
            selection.happenedBy = options.happenedBy
        } else {
            selection.period = options.period
        }
        selection.happenedSince = admission.scope.since
        selection.includesRetracted = options.includesRetracted
        return selection
    }

    /// Returns what an authorized caller sees of a record, before the read is audited.
    package func answer(_ admission: Admission, _ options: ReadOptions, asOf position: UInt64) throws -> RecordAnswer {
        var selection = selection(admission, options)
        let page = options.page
        (selection.after, selection.before, selection.limit) = (page.after, page.before, page.limit)
        selection.limits = page.limits
        guard let known = try journal.contents(admission).record(admission.record, asOf: position, selection),
            position > 0
        else {
            throw JournalError(.notFound, "the record did not exist at that time")
        }
        let state = known.visible(to: admission)
        return RecordAnswer(
            state: state,
            // The journal's newest event may be one that this caller may not know of.
            asOf: admission.right == .owner ? try stamp(at: position) : state.updated,
            sections: admission.sections,
            kinds: admission.scope.kinds,
            showsProfile: admission.scope.profile == .whole,
            right: admission.right,
            mayEdit: admission.scope.mayEdit,
            mayManage: admission.scope.mayManage,
            version: admission.scope.mayEdit ? state.updated.position : nil
        )
    }

    /// Returns the position, the time and the actor of the event at a position.
    package func stamp(at position: UInt64) throws -> Stamp {
        var stamp = try journal.log.event(atOrBefore: position).stamp
        stamp.position = position
        return stamp
    }

    /// Returns the records that the caller may see, in the order in which they were created, without their entries.
    ///
    /// A page ends with the position at which its last record was created.
    package func listRecords(
        asOf moment: AsOf? = nil,
        page: Page = .all,
        _ caller: Caller
    ) async throws(JournalError) -> [RecordState] {
        try await journal.retrying {
            let position = try journal.log.position(asOf: moment)
            let found = try await admittedRecords(asOf: position, ofPast: moment != nil, page: page, caller)
            let shown = Shown(sections: [], asOf: moment == nil ? nil : position)
            try await journal.access.trace(caller, found.map { ($0.admission, shown) })
            return found.map(\.state)
        }
    }

    /// Returns the records that `listRecords` lists, each with the admission to list it, before the read is audited.
    package func admittedRecords(
        asOf position: UInt64,
        ofPast isPast: Bool = false,
        page: Page = .all,
        _ caller: Caller
    ) async throws -> [(admission: Admission, state: RecordState)] {
        let own = Dictionary(
            try journal.access.permittedRecords(of: caller.account, asOf: journal.log.head())
                .map { ($0.record, $0.permission) },
            uniquingKeysWith: { first, _ in first }
        )
        var found: [(admission: Admission, state: RecordState)] = []
        let created = try journal.medicalRecords.creations(of: own.keys, asOf: position)
            .filter { $0.position > page.after }
        for (_, id) in created where found.count < page.limit {
            guard let permission = own[id] else { continue }
            guard
                case .success(let admission) = Gate.admit(
                    .reading(nil, .list, ofPast: isPast),
                    on: id,
                    by: caller,
                    permission: permission,
                    now: journal.now,
                    today: journal.today
                ), let state = try headerUnlessErased(id, asOf: position)
            else { continue }
            var visible = state.visible(to: admission)
            if !admission.scope.mayEdit {
                visible.updated = try await newestVisible(in: state, admission, asOf: position)
            }
            found.append((admission, visible))
        }
        return found
    }

    /// Returns the newest change of a record that the caller may know of, or its creation if there is none.
    ///
    /// Changes of the profile, of owners and of holds are not among them, as in an answer of `read`.
    private func newestVisible(
        in state: RecordState,
        _ admission: Admission,
        asOf position: UInt64
    ) async throws -> Stamp {
        var latest: UInt64 = 0
        try await forEachReferences(in: state.id, selection(admission, ReadOptions()), asOf: position) { _, found in
            latest = found.reduce(latest) { max($0, $1.latest) }
        }
        return latest > 0 ? try stamp(at: latest) : state.created
    }

    /// Calls `body` with the references to the selected entries of a record, some of one kind at a time.
    package func forEachReferences(
        in record: UUID,
        _ selection: MedicalRecordsView.Selection,
        asOf position: UInt64,
        _ body: (Kind, [MedicalRecordsView.Reference]) -> Void
    ) async throws {
        for kind in selection.kinds {
            var start: UInt64? = 0
            while let after = start {
                let page = try journal.medicalRecords.references(
                    to: kind,
                    of: record,
                    asOf: position,
                    selection,
                    after: after,
                    lookingAt: 4_096
                )
                body(kind, page.found)
                start = page.end
                // Lets other requests run between pages.
                await Task.yield()
            }
        }
    }

    /// Returns how many entries of each kind that the caller may see a record has.
    package func counts(in record: UUID, _ caller: Caller) async throws(JournalError) -> [Kind: Int] {
        try await journal.retrying {
            let options = ReadOptions()
            let admission = try await journal.access.admit(caller, to: .reading(options, .list), on: record)
            let position = try journal.log.head()
            var counts: [Kind: Int] = [:]
            try await forEachReferences(in: record, selection(admission, options), asOf: position) { kind, found in
                counts[kind, default: 0] += found.count
            }
            try await journal.access.trace(caller, admission, Shown(sections: [], version: position))
            return counts
        }
    }

    package func headerUnlessErased(_ id: UUID, asOf position: UInt64) throws -> RecordState? {
        try unlessErased { try journal.medicalRecords.header(of: id, asOf: position) }
    }

    /// Returns what `read` returns; nil if what it reads is about an erased record.
    package func unlessErased<Value>(_ read: () throws -> Value?) throws -> Value? {
        do {
            return try read()
        } catch let error as EventLogError where error.code == .subjectErased {
            return nil
        }
    }
}

extension Shown {
    /// Creates the description of entries of a record that were shown.
    package init(
        _ entryCount: Int,
        _ entries: [ShownEntries],
        _ options: ReadOptions,
        _ admission: Admission,
        asOf position: UInt64
    ) {
        self.init(
            sections: options.kinds.map { Set($0.map(\.section)) } ?? admission.sections,
            entryCount: entryCount,
            asOf: options.asOf == nil ? nil : position,
            happenedBy: options.happenedBy,
            version: position,
            entries: entries,
            includesRetracted: options.includesRetracted
        )
    }
}

extension RecordState {
    /// Returns the part of the record that an admission covers, without times of changes that are hidden.
    fileprivate func visible(to admission: Admission) -> RecordState {
        var state = self
        state.profile = profile.visible(in: admission.scope)
        if !admission.scope.mayEdit {
            state.hold = nil
            state.updated = entries.map(\.latest).max { $0.position < $1.position } ?? created
        }
        return state
    }
}

extension RecordProfile {
    /// Returns the part of the profile that a scope covers.
    package func visible(in scope: AccessScope) -> RecordProfile {
        switch scope.profile {
        case .whole: self
        case .nameAndBirth: keeping(["birthdate"])
        case .name: keeping([])
        }
    }

    /// Returns the profile with only the name, which every caller with access sees, and some further fields.
    private func keeping(_ more: Set<String>) -> RecordProfile {
        let kept = more.union(["givenName", "familyName", "name"])
        var profile = RecordProfile(subject: subject)
        for field in RecordProfile.fields(for: subject) where kept.contains(field.name) {
            profile.values[field] = values[field]
        }
        return profile
    }
}
