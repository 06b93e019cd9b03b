import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Asks before an entry is added that may be a mistake.
struct DoubtOptions: ParsableArguments {
    @Flag(name: .long, help: "Add it without asking, even if it may be a mistake.")
    var yes = false

    /// Asks on the terminal if there are doubts; without a terminal, as in a script, they are only printed.
    ///
    /// Throws `refused` if the answer is no.
    func ask(about content: EntryContent, in record: UUID, _ session: Session) async throws {
        guard !yes else { return }
        let doubts = try await session.perform(.doubts(about: content, in: record))
        guard !doubts.isEmpty else { return }
        guard Terminal.isInteractive else {
            return session.output.warn("warning: \(doubts.map(\.hint).joined(separator: "; ")) (--yes does not warn)")
        }
        let text = doubts.map(\.text).joined(separator: "; ")
        guard try Terminal.confirms("\(text). Add it?") else {
            throw JournalError(.refused, "nothing was added")
        }
    }
}
