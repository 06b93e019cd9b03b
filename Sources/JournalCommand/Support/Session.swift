import ArgumentParser
import HealthJournal
import HealthModel
import JournalServer
import Logging

/// The journal and the output of one command.
struct Session {
    let journal: any JournalAccess
    let output: Output

    /// Performs an operation on the journal.
    func perform<Result>(_ operation: JournalOperation<Result>) async throws -> Result {
        try await journal.perform(operation)
    }

    /// Performs the operation that an endpoint of the API declares.
    func perform<Output: Sendable, each Value: Sendable>(
        _ endpoint: Endpoint<Output, repeat each Value>,
        _ values: repeat each Value
    ) async throws -> Output {
        try await journal.perform(JournalOperation(endpoint, repeat each values))
    }

    /// Opens the journal, in its folder or through a service, and runs the command on it.
    ///
    /// An error is printed and determines the exit status.
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
        if let url = try work.place.serviceURL { return try await run(work, on: url, body) }
        if let replica = work.place.replica { return try await run(work, on: replica, body) }
        try await FolderSession.run(work, source: source) { session in
            let journal = LocalJournal(journal: session.journal, caller: session.caller)
            try await body(Session(journal: journal, output: session.output))
        }
    }

    /// Runs the command on the journal of a service.
    private static func run(_ work: Work, on url: String, _ body: (Session) async throws -> Void) async throws {
        guard work.account == nil else {
            throw ValidationError("a service uses the token's account: leave out --as, or use another token")
        }
        let output = work.output()
        let steps = Steps(isVerbose: work.place.verbose)
        try await output.reporting {
            let address = try ServiceAddress(url, work.place)
            let client = try ServiceClient(address, purpose: work.reason.oneLine)
            steps.log("using a service", ["url": "\(address.base)"])
            do {
                try await body(Session(journal: RemoteJournal(client, reason: work.reason), output: output))
            } catch {
                try? await client.close()
                throw error
            }
            try await client.close()
            steps.log("done")
        }
    }
}

extension String {
    /// The text without line breaks, for a header field.
    fileprivate var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
