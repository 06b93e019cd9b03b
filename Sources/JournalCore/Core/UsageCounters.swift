internal import HealthModel
internal import Platform

/// Counts of how the journal is used since the process started, without ids and texts.
package final class UsageCounters: Sendable {
    /// The kind of an entry that was added, and whether it was dictated.
    package struct Added: Hashable, Comparable, Sendable {
        package let kind: String
        package let voice: Bool

        package static func < (left: Added, right: Added) -> Bool {
            (left.kind, left.voice ? 1 : 0) < (right.kind, right.voice ? 1 : 0)
        }
    }

    /// What became of a dictated sentence, as clients report it.
    package enum VoiceUse: String, CaseIterable, Sendable {
        /// The form that it prefilled was saved.
        case saved
        case discarded
    }

    private struct State {
        var added: [Added: Int] = [:]
        var drafts: [String: Int] = [:]
        var findings: [String: Int] = [:]
    }

    private let state = Guarded(State())

    /// How many entries were added, by kind and input.
    package var added: [(Added, Int)] {
        state.withLock { state in state.added.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    }

    /// How many sentences were read, by outcome, and how many clients reported, by what became of them.
    package var drafts: [(outcome: String, count: Int)] {
        let outcomes = Draft.Outcome.allCases.map(\.rawValue) + VoiceUse.allCases.map(\.rawValue)
        return state.withLock { state in outcomes.map { ($0, state.drafts[$0] ?? 0) } }
    }

    /// How many interactions were found, by severity.
    package var findings: [(severity: String, count: Int)] {
        state.withLock { state in Interaction.severities.map { ($0, state.findings[$0] ?? 0) } }
    }

    /// Counts entries that were added, and the severities of the findings among them.
    package func count(added entries: [Added], findings: [String]) {
        guard !entries.isEmpty else { return }
        state.withLock { state in
            for entry in entries { state.added[entry, default: 0] += 1 }
            for severity in findings { state.findings[severity, default: 0] += 1 }
        }
    }

    package func count(draft outcome: String) {
        state.withLock { $0.drafts[outcome, default: 0] += 1 }
    }

    /// Counts what a client reports.
    package func count(_ use: VoiceUse, times: Int) {
        state.withLock { state in
            let (sum, isTooLarge) = (state.drafts[use.rawValue] ?? 0).addingReportingOverflow(times)
            if !isTooLarge { state.drafts[use.rawValue] = sum }
        }
    }
}
