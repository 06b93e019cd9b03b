package import FoundationEssentials

/// Decides what a change that a device sent does; throws if it is refused.
///
/// `events` are those of its entry, in their order. `author` is the account that made the change, and `origin` the
/// corrected time at which it was made. `offset` is how far the service's clock is ahead of the device's, in
/// microseconds; it corrects the time of a dose. Without `changesOthers`, the author may only add: a report of a dose is
/// then kept beside the one that is shown, because a dose that was taken must be known. Whatever state the entry is in,
/// no value is lost: it becomes part of the entry, or is kept as a divergence.
package func decide(
    _ command: SyncCommand,
    _ events: [RecordedEvent],
    author: UUID,
    origin: ChangeOrigin,
    offset: Int64 = 0,
    isClosed: Bool = false,
    changesOthers: Bool = true,
    now: Instant
) throws(ModelError) -> SyncDecision {
    if isClosed { throw .recordIsClosed }
    let lineage = EntryLineage(events, base: command.base, device: command.device, madeAt: origin.madeAt)
    let mine = try command.requiredContent()?.timed(offset: offset, base: lineage?.base, now: now)
    guard let lineage else {
        guard let mine, command.action == .add || command.action == .log else {
            throw ModelError(.notFound, field: "entry", "there is no such entry")
        }
        return SyncDecision(.taken, try decide(.add(mine), nil, now: now))
    }
    guard lineage.state.record == command.record else {
        throw ModelError(.conflict, field: "entry", "an entry with this id already exists")
    }
    guard lineage.state.kind == command.kind else {
        throw ModelError(.invalid, field: "kind", "the kind of an entry cannot change")
    }
    let merge = SyncMerge(command, events, lineage, ChangeWriter(author: author, origin: origin), now: now)
    let decision = try merge.decision(mine, changesOthers)
    return decision.events.isEmpty ? merge.recorded(decision, mine) : decision
}

extension SyncCommand {
    fileprivate func requiredContent() throws(ModelError) -> EntryContent? {
        switch action {
        case .retract, .restore:
            if content != nil { throw ModelError(.invalid, field: "content", "is not used by \(action.rawValue)") }
        case .add, .correct, .change, .log:
            guard let content else { throw ModelError(.invalid, field: "content", "is required") }
            guard content.kind == kind else { throw ModelError(.invalid, field: "kind", "is not that of the content") }
            if action == .change, !Plan.kinds.contains(kind) {
                throw ModelError(.invalid, field: "kind", "only a medication or a supplement has a plan to change")
            }
            if action == .log, kind != Dose.kind {
                throw ModelError(.invalid, field: "kind", "only a dose can be logged")
            }
        case .snooze, .settle:
            throw ModelError(.invalid, field: "do", "\(action.rawValue) does not change the content of an entry")
        }
        return content
    }
}

/// A change of an existing entry that a device made on an older version of it.
struct SyncMerge {
    let command: SyncCommand
    let events: [RecordedEvent]
    let lineage: EntryLineage
    let writer: ChangeWriter
    let now: Instant

    init(
        _ command: SyncCommand,
        _ events: [RecordedEvent],
        _ lineage: EntryLineage,
        _ writer: ChangeWriter,
        now: Instant
    ) {
        (self.command, self.events, self.lineage) = (command, events, lineage)
        (self.writer, self.now) = (writer, now)
    }

    var state: EntryState { lineage.state }

    func decision(_ mine: EntryContent?, _ changesOthers: Bool) throws(ModelError) -> SyncDecision {
        guard let mine else { return command.action == .retract ? retract() : try restore() }
        if isReport, let decision = try dose(mine, changesOthers) { return decision }
        return try content(mine)
    }

    /// Returns a decision that changes nothing with an event that says so.
    ///
    /// The event's id follows from that of the command. Without it, the command would be decided anew if it were sent
    /// again, and undo what others changed since.
    func recorded(_ decision: SyncDecision, _ mine: EntryContent?) -> SyncDecision {
        let kept = EntryDiverged(
            base: isReport ? nil : command.base ?? events.last?.stamp.position,
            writer: writer,
            fields: command.action == .retract ? [EntryDiverged.retraction] : [],
            content: mine ?? state.content,
            isRetracted: command.action == .retract,
            isSettled: true
        )
        return SyncDecision(decision.outcome, [.entryDiverged(kept)], fields: decision.fields)
    }

    /// Whether the device reports something that it did not know of, and does not change what it knew.
    private var isReport: Bool { command.action == .add || command.action == .log }

    private func retract() -> SyncDecision {
        if state.isRetracted { return SyncDecision(.merged, []) }
        if let decision = withdrawReport() { return decision }
        guard lineage.isChanged else { return SyncDecision(.taken, [.entryRetracted]) }
        // Work is not thrown away: the entry that was corrected meanwhile stays.
        let kept = diverged(writer, [EntryDiverged.retraction], lineage.base, isRetracted: true)
        return SyncDecision(.diverged, [kept], fields: [EntryDiverged.retraction])
    }

    private func restore() throws(ModelError) -> SyncDecision {
        if let decision = try restoreReport() { return decision }
        return state.isRetracted ? SyncDecision(.taken, [.entryRestored]) : SyncDecision(.merged, [])
    }

    /// Merges a new content with what others changed since the device's version.
    private func content(_ mine: EntryContent) throws(ModelError) -> SyncDecision {
        // A content that is not valid by itself is refused; only a mixture may be replaced.
        try mine.validate(now: now)
        let (base, theirs) = (lineage.base, state.content)
        let mixed = Merge(base: base, theirs: theirs, mine: mine, writer.origin, writer: lineage.writer)
        var events: [JournalEvent] = []
        var current = state
        if state.isRetracted {
            events.append(.entryRestored)
            if !lineage.baseIsRetracted, command.action != .add, command.action != .log {
                events.append(diverged(lineage.retractor, [EntryDiverged.retraction], theirs, isRetracted: true))
            }
            current.retracted = nil
        }
        if let changes = try? change(to: mixed.content, current) {
            return decision(mixed, mine, events, changes)
        }
        let whole = Merge(wholeOf: base, theirs: theirs, mine: mine, writer.origin) { _ in lineage.lastWriter }
        return decision(whole, mine, events, try change(to: whole.content, current))
    }

    private func decision(
        _ merge: Merge,
        _ mine: EntryContent,
        _ before: [JournalEvent],
        _ changes: [JournalEvent]
    ) -> SyncDecision {
        var kept: [JournalEvent] = []
        var replaced: [ChangeWriter: [String]] = [:]
        var (lost, fields): ([String], [String]) = ([], [])
        for conflict in merge.conflicts {
            let names = conflict.group.names(where: mine, differsFrom: state.content)
            fields += names
            if conflict.isMineShown {
                replaced[conflict.theirs, default: []] += names
            } else {
                lost += names
            }
        }
        for (writer, names) in replaced.sorted(by: { $0.key.origin < $1.key.origin }) {
            kept.append(diverged(writer, names, state.content))
        }
        if !lost.isEmpty { kept.append(diverged(writer, lost, mine)) }
        let isDiverged = !kept.isEmpty || before.contains { $0.type == EntryDiverged.type }
        if before.contains(where: { $0.type == EntryDiverged.type }) { fields.append(EntryDiverged.retraction) }
        let outcome: SyncOutcome = isDiverged ? .diverged : merge.content == mine ? .taken : .merged
        return SyncDecision(outcome, before + changes + kept, fields: fields)
    }

    /// Returns the events that set a new content: a change of a plan, unless it would reach into what others changed.
    private func change(to content: EntryContent, _ state: EntryState) throws(ModelError) -> [JournalEvent] {
        if content == state.content { return [] }
        if command.action == .change {
            do throws(ModelError) {
                return try decide(.change(content), state, now: now)
            } catch {
                // Replacing what another person changed meanwhile says that this was never so: it is a correction.
                if !lineage.isChanged { throw error }
            }
        }
        return try decide(.correct(content), state, now: now)
    }

    func diverged(
        _ writer: ChangeWriter,
        _ fields: [String],
        _ content: EntryContent,
        isReport: Bool = false,
        isRetracted: Bool = false,
        isSettled: Bool = false
    ) -> JournalEvent {
        .entryDiverged(
            EntryDiverged(
                // A report of a dose does not depend on what else was known.
                base: isReport ? nil : command.base,
                writer: writer,
                fields: fields,
                content: content,
                isRetracted: isRetracted,
                isSettled: isSettled
            )
        )
    }
}

extension EntryContent {
    /// Returns the names of the fields in which two contents differ.
    package func differences(from other: EntryContent) -> [String] {
        MergeGroup.all(of: kind, in: [self, other]).filter { !agrees(with: other, on: $0) }
            .flatMap { $0.names(where: self, differsFrom: other) }
    }
}
