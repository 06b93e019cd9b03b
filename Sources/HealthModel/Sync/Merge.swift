/// The result of merging two versions of an entry that have a common base.
package struct Merge: Hashable, Sendable {
    /// A group that both sides changed differently.
    package struct Conflict: Hashable, Sendable {
        package var group: MergeGroup
        /// The writer of their version.
        package var theirs: ChangeWriter
        /// Whether my version is shown, because it was made later.
        package var isMineShown: Bool
    }

    /// The content that is shown.
    package var content: EntryContent
    package var conflicts: [Conflict]
    /// Whether the result has a value of mine that theirs did not have.
    package var takesMine: Bool

    /// Merges two versions group by group.
    ///
    /// A group that one side changed is taken from that side. If both changed it differently, the later change is
    /// shown. `writer` returns who wrote their version of a group last.
    package init(
        base: EntryContent,
        theirs: EntryContent,
        mine: EntryContent,
        _ origin: ChangeOrigin,
        writer: (MergeGroup) -> ChangeWriter
    ) {
        let groups = MergeGroup.merging(base: base, theirs, mine)
        self.init(groups, base: base, theirs: theirs, mine: mine, origin, writer)
        if groups.contains(where: \.isFood) { content.sortFoods(after: base.foodIDs ?? []) }
    }

    /// Takes one version as a whole, the later one, for contents that are not valid when they are mixed.
    package init(
        wholeOf base: EntryContent,
        theirs: EntryContent,
        mine: EntryContent,
        _ origin: ChangeOrigin,
        writer: (MergeGroup) -> ChangeWriter
    ) {
        let group = MergeGroup.whole(of: theirs.kind, in: [base, theirs, mine])
        self.init([group], base: base, theirs: theirs, mine: mine, origin, writer)
    }

    private init(
        _ groups: [MergeGroup],
        base: EntryContent,
        theirs: EntryContent,
        mine: EntryContent,
        _ origin: ChangeOrigin,
        _ writer: (MergeGroup) -> ChangeWriter
    ) {
        (content, conflicts, takesMine) = (theirs, [], false)
        for group in groups where !mine.agrees(with: base, on: group) && !mine.agrees(with: theirs, on: group) {
            var isMineShown = true
            if !theirs.agrees(with: base, on: group) {
                let theirs = writer(group)
                isMineShown = theirs.origin <= origin
                conflicts.append(Conflict(group: group, theirs: theirs, isMineShown: isMineShown))
            }
            guard isMineShown else { continue }
            content.take(group, from: mine)
            takesMine = true
        }
    }
}
