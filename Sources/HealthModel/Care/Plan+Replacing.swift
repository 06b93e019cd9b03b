/// Which rules of a plan a change of its schedule replaces.
package struct ScheduleReplacement: Hashable, Sendable {
    package var replacement: EntryContent.Replacement
    /// The rules that apply no longer once the change takes effect.
    package var replaced: [PlanRule]
    /// The rules that still apply then, or later.
    package var kept: [PlanRule]

    /// Why the rules that a person chose cannot be replaced.
    package enum Problem: Error, Hashable {
        /// Several rules apply when the change takes effect, or later, and none was chosen.
        case severalRules
        /// The plan never had the chosen rule.
        case unknownRule
        /// The chosen rule has ended when the change takes effect.
        case endedRule
    }
}

extension Plan {
    /// Decides which rules a change replaces that takes effect at a moment; `choice` is nil if none was made.
    ///
    /// A plan that is stopped by then starts again, with the new rules alone.
    package func replacing(
        _ choice: EntryContent.Replacement?,
        from effective: WallMoment
    ) throws(ScheduleReplacement.Problem) -> ScheduleReplacement {
        let current = rules(from: effective)
        switch choice {
        case .rule(let id):
            guard rules.contains(where: { $0.id == id }) else { throw .unknownRule }
            if isStopped(at: effective) { break }
            guard current.contains(where: { $0.id == id }) else { throw .endedRule }
            return ScheduleReplacement(
                replacement: .rule(id),
                replaced: current.filter { $0.id == id },
                kept: current.filter { $0.id != id }
            )
        case .nothing:
            return ScheduleReplacement(replacement: .nothing, replaced: [], kept: current)
        case nil:
            if current.count > 1 { throw .severalRules }
        case .all: break
        }
        return ScheduleReplacement(replacement: .all, replaced: current, kept: [])
    }
}
