import HealthJournal
import HealthModel

/// A journal within reach and who acts on it, for the length of one command.
struct Session {
    let journal: any JournalAccess
    let output: Output

    /// Reaches the journal, in its folder or through a service, and runs the command on it.
    ///
    /// Failures end in their exit status.
    static func run(
        _ options: CommonOptions,
        source: EventSource = .commandLine,
        _ body: (Session) async throws -> Void
    ) async throws {
        try await run(options.work, source: source, body)
    }

    static func run(
        _ work: Work,
        source: EventSource = .commandLine,
        _ body: (Session) async throws -> Void
    ) async throws {
        try await FolderSession.run(work, source: source) { session in
            let journal = LocalJournal(journal: session.journal, caller: session.caller)
            try await body(Session(journal: journal, output: session.output))
        }
    }
}
