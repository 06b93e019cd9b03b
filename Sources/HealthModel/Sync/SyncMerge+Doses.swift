import FoundationEssentials

/// Several reports of one planned dose.
extension SyncMerge {
    private var isPlannedDose: Bool { state.kind == Dose.kind && state.content.body[Dose.slot] != nil }

    /// Merges a report of a planned dose with those of others; nil if there are none.
    ///
    /// Without `changesOthers`, the report is kept beside the one that is shown.
    func dose(_ content: EntryContent, _ changesOthers: Bool = true) throws(ModelError) -> SyncDecision? {
        guard isPlannedDose, content.body[Dose.slot] == state.content.body[Dose.slot],
            LoggedDose(id: state.id, content) != nil
        else { return nil }
        if state.isRetracted {
            // What others reported before is withdrawn.
            try content.validate(now: now)
            guard changesOthers else {
                let fields = state.content.differences(from: content)
                let stated = fields.isEmpty ? [Dose.status.name] : fields
                return SyncDecision(.diverged, [diverged(writer, stated, content, isReport: true)], fields: stated)
            }
            return SyncDecision(.taken, restored(content))
        }
        let reports = DoseReports(events)
        let mine = DoseReports.Report(writer: writer, content: content, position: 0)
        if reports.report(of: mine.reporter)?.content == content { return SyncDecision(.merged, []) }
        guard let best = reports.standing.filter({ $0.reporter != mine.reporter }).best else {
            let isCorrected = reports.isCorrected(after: command.base ?? 0, besides: mine.reporter)
            if reports.shown != mine.reporter || isCorrected { return nil }
            return SyncDecision(.taken, try decide(.correct(content), state, now: now))
        }
        try content.validate(now: now)
        let fields = best.content.differences(from: content)
        let isSame = mine.isSame(as: best)
        var changes: [JournalEvent] = []
        if mine.prevails(over: best), changesOthers {
            changes += try decide(.correct(content), state, now: now)
            // What the same device reported before needs no decision.
            if let shown = reports.shown.flatMap({ reports.report(of: $0) }), shown.reporter != mine.reporter {
                changes.append(diverged(shown.writer, fields, shown.content, isReport: true, isSettled: isSame))
            }
        } else {
            if best.content != state.content, changesOthers { changes.append(.entryCorrected(best.content)) }
            changes.append(diverged(writer, fields, content, isReport: true, isSettled: isSame))
        }
        for open in openReports where open.kept.writer.reporter == mine.reporter {
            changes.append(.divergenceSettled(open.position, .keep))
        }
        return SyncDecision(isSame ? .merged : .diverged, changes, fields: isSame ? [] : fields)
    }

    /// Withdraws what a device reported or knew of a dose; another report that remains is the dose then.
    ///
    /// Nil if the device neither reported nor knew it, or if another reporter corrected the dose meanwhile.
    func withdrawReport() -> SyncDecision? {
        guard isPlannedDose else { return nil }
        let reports = DoseReports(events)
        let base = command.base ?? 0
        let remaining = reports.remaining(without: writer.reporter, knownAt: base)
        guard remaining.count < reports.standing.count,
            !reports.isCorrected(after: base, besides: writer.reporter)
        else { return nil }
        guard let best = remaining.best else { return SyncDecision(.taken, [.entryRetracted]) }
        let content = reports.report(of: writer.reporter)?.content ?? lineage.base
        var changes: [JournalEvent] = best.content == state.content ? [] : [.entryCorrected(best.content)]
        changes.append(diverged(writer, [EntryDiverged.retraction], content, isRetracted: true, isSettled: true))
        for open in openReports {
            if open.kept.content == best.content {
                changes.append(.divergenceSettled(open.position, .take))
            } else if !remaining.contains(where: { $0.reporter == open.kept.writer.reporter }) {
                changes.append(.divergenceSettled(open.position, .keep))
            }
        }
        return SyncDecision(.merged, changes)
    }

    /// Repeats the report that a device withdrew; nil if it withdrew none.
    func restoreReport() throws(ModelError) -> SyncDecision? {
        guard isPlannedDose, let content = DoseReports(events).withdrawn[writer.reporter] else { return nil }
        return state.isRetracted ? SyncDecision(.taken, restored(content)) : try dose(content)
    }

    private func restored(_ content: EntryContent) -> [JournalEvent] {
        content == state.content ? [.entryRestored] : [.entryRestored, .entryCorrected(content)]
    }

    private var openReports: [EntryDivergence] { EntryDivergence.open(in: events).filter { !$0.kept.isRetracted } }
}
