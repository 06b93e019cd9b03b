internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import Interactions
package import Interchange
package import JournalCore
internal import JournalEvents
internal import MedicalRecords

/// What a check of a plan that is not saved yet found, and what it could not compare.
package struct PlanPreview: Hashable, Sendable {
    /// The serious findings that the plan takes part in.
    package var findings: [FindingDocument]
    /// The names of what could not be compared: of this plan, of what else is taken, and of allergies.
    package var notChecked: [String]
    /// Whether rules are loaded; without them, nothing but the same substance or allergy can be found.
    package var hasRules: Bool
}

extension Journal.InteractionChecks {
    /// Returns the findings about interactions of a record, the open and most serious ones first.
    ///
    /// If `isOpen` is true, only open ones; if it is false, only settled ones. Every caller who may see a finding sees its
    /// texts, but not the medication itself.
    package func findings(
        of record: UUID,
        isOpen: Bool? = nil,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [FindingDocument] {
        try await shownFindings(of: record, asOf: moment, caller) { isOpen == nil || $0.state.isOpen == isOpen }
            .map(\.document)
    }

    /// Returns the open findings of at least medium severity by the plans and other entries that take part in them.
    package func findingsOfPlans(
        of record: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [UUID: [FindingDocument]] {
        let open = try await shownFindings(of: record, asOf: moment, caller) {
            $0.state.isOpen && $0.severity ?? .low >= .medium
        }
        var found: [UUID: [FindingDocument]] = [:]
        for finding in open { for entry in Set(finding.entries) { found[entry, default: []].append(finding.document) } }
        return found
    }

    private func shownFindings(
        of record: UUID,
        asOf moment: AsOf?,
        _ caller: Caller,
        where isShown: (FindingDocument) -> Bool
    ) async throws(JournalError) -> [(document: FindingDocument, entries: [UUID])] {
        try await journal.retrying {
            let isPast = moment != nil
            let action = Action.reading([Interaction.kind], .read, ofPast: isPast)
            let admission = try await journal.access.admit(caller, to: action, on: record)
            let position = try journal.log.position(asOf: moment)
            guard try journal.medicalRecords.header(of: record, asOf: position) != nil else {
                throw JournalError(.notFound, "the record did not exist at that time")
            }
            let now = try isPast ? journal.records.stamp(at: position).recordedAt : journal.now
            let found = try states(ofFindingsIn: record, asOf: position, now: now)
                .filter { isShown($0.document) }
            let shown = Shown(
                sections: [Interaction.kind.section],
                entryCount: found.count,
                asOf: isPast ? position : nil,
                version: position,
                entries: found.isEmpty ? [] : [ShownEntries(kind: Interaction.kind.code)]
            )
            try await journal.access.trace(caller, admission, shown)
            return found
        }
    }

    /// Settles a finding; the caller's reason says why, and is required.
    package func resolve(
        _ finding: UUID,
        as resolution: Interaction.Resolution,
        expecting expected: ExpectedEntry = ExpectedEntry(),
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        var expected = expected
        expected.kind = Interaction.kind
        return try await journal.entries.changeEntry(finding, expected, caller) { state in
            guard state.content.isFinding else {
                throw JournalError(.conflict, "this is the answer to a question, and not a finding to settle")
            }
            guard !caller.reason.allSatisfy(\.isWhitespace) else {
                throw JournalError(.invalid, field: "reason", "is required: say how the finding was settled")
            }
            var open = state.content
            open.reopen()
            var settled = open
            settled.resolve(as: resolution)
            // A finding that is open again by itself is still marked as settled.
            return state.content == open ? [.correct(settled)] : [.correct(open), .correct(settled)]
        }
    }

    /// Returns the serious findings that a plan would cause if it were saved, for a page that asks before.
    ///
    /// It also says what could not be checked, because silence would look like an answer. Nil for a caller who may not
    /// see findings and what they are about. `replacing` is the entry whose plan is changed.
    package func previewFindings(
        _ content: EntryContent,
        replacing entry: UUID? = nil,
        in record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> PlanPreview? {
        guard try await mayCheck(record, caller) else { return nil }
        return try await journal.retrying {
            let admission = try await journal.access.admit(
                caller,
                to: .read(Self.checkKinds, .read),
                on: record
            )
            var state = try checkState(of: record, asOf: journal.log.head(), now: journal.now)
            let id = entry ?? UUID(nameBased: state.namespace, "preview")
            let recorded = Plan.Recorded(at: state.now, day: journal.day(of: state.now))
            let doses = state.input.plans.first { $0.id == id }?.doses ?? []
            state.input.plans.removeAll { $0.id == id }
            let plan = Plan(id: id, content) { _ in recorded }
            state.input.plans.append(CheckedPlan(id: id, content, plan: plan, doses: doses, question: .planned))
            let now = state.now
            let result = try state.check(ruleIndex(asOf: state.position))
            let found = result.findings
                .filter { $0.severity.isAlarming && $0.parties.contains { $0.entry == id } }
            try await journal.access.trace(caller, admission, Shown(of: state))
            return PlanPreview(
                findings: found.map { FindingDocument(id: $0.id, $0.content(at: now), state: .open, foundAt: now) },
                notChecked: result.notChecked,
                hasRules: !result.ruleSets.isEmpty
            )
        }
    }

    /// Reports whether a caller may see the findings of a record; nothing is recorded.
    package func mayKnowFindings(of record: UUID, _ caller: Caller) async throws(JournalError) -> Bool {
        try await may(read: [Interaction.kind], of: record, caller)
    }

    /// Reports whether a caller may check a record: see its findings and what they are about; nothing is recorded.
    package func mayCheck(_ record: UUID, _ caller: Caller) async throws(JournalError) -> Bool {
        try await may(read: Self.checkKinds, of: record, caller)
    }

    private func may(read kinds: Set<Kind>, of record: UUID, _ caller: Caller) async throws(JournalError) -> Bool {
        try await journal.retrying {
            if case .admitted = try journal.access.decideAdmission(caller, .read(kinds, .read), on: record) {
                true
            } else {
                false
            }
        }
    }

    /// Returns the plans and other entries that take part in an open finding that is serious.
    package func alarmed(in record: UUID, asOf position: UInt64, now: Instant) throws -> Set<UUID> {
        let serious = try states(ofFindingsIn: record, asOf: position, now: now)
            .filter { $0.document.state.isOpen && $0.document.severity?.isAlarming == true }
        return Set(serious.flatMap(\.entries))
    }

    /// Returns the serious findings that are open and were found at or after a moment.
    package func newAlarms(in record: UUID, since: Instant, now: Instant) throws -> [FindingDocument] {
        let position = try journal.log.head()
        // A finding is recorded when it is found, and comparing all of them with the plans takes longer.
        let isAnyNew = try journal.interactions.items(of: record, asOf: position)
            .contains { $0.stamp.map { $0.recordedAt >= since } ?? false }
        guard isAnyNew else { return [] }
        return try states(ofFindingsIn: record, asOf: position, now: now).map(\.document)
            .filter { $0.state.isOpen && $0.severity?.isAlarming == true && $0.foundAt >= since }
    }

    private func states(
        ofFindingsIn record: UUID,
        asOf position: UInt64,
        now: Instant
    ) throws -> [(document: FindingDocument, entries: [UUID])] {
        let items = try journal.interactions.items(of: record, asOf: position)
        if items.isEmpty { return [] }
        let check = try checkState(of: record, asOf: position, now: now)
        let unused = Set(check.input.plans.filter { $0.use(at: now, check.clocks).isUnused }.map(\.id))
        var found: [(document: FindingDocument, entries: [UUID])] = []
        for item in items {
            guard let content = item.content, let stamp = item.stamp else { continue }
            let entries = content.body.values(Interaction.entries)
                .compactMap { value in if case .id(let id) = value { id } else { nil } }
            let state = try state(of: item, content, entries, unused: unused, asOf: position)
            let settled =
                if case .resolved(let at) = item.state {
                    try journal.log.recorded(journal.log.event(at: at)) as RecordedEvent?
                } else {
                    nil as RecordedEvent?
                }
            let document = FindingDocument(
                id: item.entry,
                content,
                state: state,
                foundAt: content.date.map { date in
                    if case .instant(let instant) = date { instant } else { stamp.recordedAt }
                } ?? stamp.recordedAt,
                resolvedAt: settled?.stamp.recordedAt,
                reason: settled.flatMap { $0.reason.isEmpty ? nil : $0.reason }
            )
            found.append((document, entries))
        }
        return found.sorted { one, other in
            let (left, right) = (one.document, other.document)
            if left.state.isOpen != right.state.isOpen { return left.state.isOpen }
            if left.state.isOpen, left.severity != right.severity {
                return left.severity ?? .low > right.severity ?? .low
            }
            return (right.foundAt, left.id.text) < (left.foundAt, right.id.text)
        }
    }

    private func state(
        of item: InteractionsView.Item,
        _ content: EntryContent,
        _ entries: [UUID],
        unused: Set<UUID>,
        asOf position: UInt64
    ) throws -> FindingState {
        guard content.isFinding else { return .answered }
        let plans = try entries.compactMap { try journal.contents(for: .care).entry($0, asOf: position) }
        // What an erased entry said cannot be compared any more.
        if plans.count < entries.count,
            try entries.contains(where: { try journal.medicalRecords.erasure(ofEntry: $0) != nil })
        {
            return .gone
        }
        if plans.contains(where: { $0.isRetracted || unused.contains($0.id) }) { return .gone }
        guard case .resolved(let at) = item.state else { return item.lastResolved == nil ? .open : .reopened }
        // A finding that was settled holds for the dosing of then.
        for plan in plans where Plan.kinds.contains(plan.kind) && plan.latest.position > at {
            let before = try journal.contents(for: .care).entry(plan.id, asOf: at)?.content.body ?? FieldValues()
            if PlanFields.dosing.contains(where: { before[$0] != plan.content.body[$0] }) { return .reopened }
        }
        return .resolved
    }
}
