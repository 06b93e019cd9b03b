import ArgumentParser
import HealthModel

/// A command on the journal of its options: in its folder, or through a service.
protocol SessionCommand: AsyncParsableCommand {
    var options: CommonOptions { get }
    /// What the events of the command name as their source.
    var eventSource: EventSource { get }

    func run(in session: Session) async throws
}

extension SessionCommand {
    var eventSource: EventSource { .commandLine }

    func run() async throws { try await Session.run(options, source: eventSource) { try await run(in: $0) } }
}

/// A command on a journal in a folder of this machine.
protocol FolderCommand: AsyncParsableCommand {
    var options: CommonOptions { get }
    /// What the events of the command name as their source.
    var eventSource: EventSource { get }

    func run(in session: FolderSession) async throws
}

extension FolderCommand {
    var eventSource: EventSource { .commandLine }

    func run() async throws { try await FolderSession.run(options, source: eventSource) { try await run(in: $0) } }
}
