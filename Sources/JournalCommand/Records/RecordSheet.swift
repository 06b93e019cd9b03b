import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Prints a record on the screen: its subject, the moment that is shown, then a table for each kind.
struct RecordSheet {
    private let answer: RecordAnswer

    init(_ answer: RecordAnswer) {
        self.answer = answer
    }

    func print(to output: Output) {
        let state = answer.state
        let closed = state.isClosed ? ", closed" : ""
        output.line(TerminalText.escaped("\(state.displayName) (\(state.profile.subject.name)\(closed))"))
        output.line("as known at position \(answer.asOf.position), recorded \(output.time(answer.asOf.recordedAt))")
        if let hold = state.hold { output.line("held until \(hold.until): it cannot be erased before") }
        if answer.showsProfile { for line in state.profile.lines { output.line(line) } }
        for kind in Kind.all {
            let entries = state.entries.filter { $0.kind == kind }
            guard !entries.isEmpty else { continue }
            output.line("")
            output.line("\(kind.label) (\(entries.count))")
            output.table(
                EntryTable(kind, names: state.entries.planProducts.mapValues(\.label), date: output.date)
                    .table(entries),
                ifEmpty: ""
            )
        }
        if case .emergency = answer.right {
            if let birth = state.profile.values[RecordProfile.birthdate]?.text {
                output.line("Date of birth: \(birth)")
            }
            return output.note("emergency view: only the data needed in an emergency is shown")
        }
        let hidden = Section.allCases.filter { !answer.sections.contains($0) }
        if !hidden.isEmpty {
            output.note("not covered by the grant: \(hidden.map(\.name).joined(separator: ", "))")
        }
    }
}
