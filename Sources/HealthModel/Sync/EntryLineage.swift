import FoundationEssentials

/// The versions of an entry that a device's change is merged with.
struct EntryLineage {
    /// The entry as it is now.
    private(set) var state: EntryState
    /// The version that the device's change was made on; empty if the device knew of none.
    private(set) var base: EntryContent
    private(set) var baseIsRetracted = false
    /// Who retracted the entry last.
    private(set) var retractor: ChangeWriter
    /// The versions of the content after the base, with their writers.
    private var versions: [(content: EntryContent, writer: ChangeWriter)] = []
    private var added: ChangeWriter

    /// Folds the events of an entry; nil if there are none.
    ///
    /// A device sends its changes in the order in which they were made, so the base of a later one contains what the
    /// device itself sent before.
    init?(_ events: [RecordedEvent], base position: UInt64?, device: UUID, madeAt: Instant) {
        var state: EntryState?
        var seen: EntryContent?
        var isRetracted = false
        var versions: [(content: EntryContent, writer: ChangeWriter)] = []
        for event in events {
            let before = state?.content
            evolve(&state, event)
            guard let now = state else { continue }
            if event.stamp.position <= position ?? 0 {
                (seen, isRetracted) = (now.content, now.isRetracted)
                continue
            }
            // A change that was refused at first may be sent again after a later one of the same device.
            let isOwn = event.origin.map { $0.device == device && $0.madeAt <= madeAt } ?? false
            if event.event.content != nil {
                versions.append((now.content, event.writer))
                if isOwn { seen = (seen ?? EntryContent(kind: now.kind)).changed(from: before, to: now.content) }
            }
            if isOwn {
                if event.type.entryEffect == .retracts { isRetracted = true }
                if event.type.entryEffect == .restores { isRetracted = false }
                if case .fields(let data as EntryDiverged) = event.event, data.writer.origin.device == device {
                    seen = (seen ?? EntryContent(kind: now.kind)).taking(data)
                }
            }
        }
        guard let state, let first = events.first else { return nil }
        self.state = state
        base = seen ?? EntryContent(kind: state.kind)
        baseIsRetracted = isRetracted
        added = first.writer
        retractor = events.last { $0.type.entryEffect == .retracts }?.writer ?? first.writer
        self.versions = versions
    }

    /// Returns who wrote the present value of a group last.
    func writer(of group: MergeGroup) -> ChangeWriter {
        var before = base
        var last = added
        for version in versions {
            if !version.content.agrees(with: before, on: group) { last = version.writer }
            before = version.content
        }
        return last
    }

    /// Whether the content was changed after the base.
    var isChanged: Bool { state.content != base }

    /// Returns who changed the content last.
    var lastWriter: ChangeWriter { versions.last?.writer ?? added }
}

extension EntryContent {
    /// Returns the content with the groups replaced in which two versions differ.
    fileprivate func changed(from before: EntryContent?, to after: EntryContent) -> EntryContent {
        guard let before else { return after }
        var content = self
        for group in MergeGroup.all(of: kind, in: [self, before, after]) where !after.agrees(with: before, on: group) {
            content.take(group, from: after)
        }
        return content
    }
}
