import ArgumentParser
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Commands on the replica itself.
struct ReplicaCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replica",
        abstract: "Keep a copy of a service's journal, to read and change it without a connection.",
        subcommands: [ReplicaInitCommand.self, ReplicaStatusCommand.self, ReplicaOutboxCommand.self]
    )
}

/// Creates a replica.
struct ReplicaInitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a replica of what the token's account may see.",
        discussion: """
            The service records the fetching as a read of each record; what is read in the replica later is not \
            recorded there.

            Example:  healthjournal replica init ./pocket --url https://journal.example.org:8420
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The folder to create.", completion: .directory)
    var folder: String

    @Option(name: .long, help: "The name of this device, by which others see it (default: the machine's name).")
    var name: String?

    func run() async throws {
        guard options.account == nil, options.place.journal == nil else {
            throw ValidationError("name the new folder alone: leave out --as and --journal")
        }
        guard let url = try options.place.serviceURL else { throw ValidationError("name the service with --url") }
        let output = options.out
        try await output.reporting {
            let client = try ServiceClient(ServiceAddress(url, options.place), purpose: "")
            do {
                try await create(url, client, output)
            } catch {
                try? await client.close()
                throw error
            }
            try await client.close()
        }
    }

    private func create(_ url: String, _ client: ServiceClient, _ output: Output) async throws {
        let folder = ReplicaFolder(folder)
        guard !ReplicaFolder.isReplica(folder.path) else {
            throw JournalError(.conflict, "there is a replica in \(folder.path) already: run healthjournal sync")
        }
        let account = try await client.send(.get("session"))
            .read { session throws(ModelError) in (id: try session.id("account"), name: try session.required("name")) }
        let name = name ?? ProcessInfo.processInfo.hostName
        let device = try await client.registerDevice(named: name)
        let state = ReplicaState(
            service: url,
            account: account.id,
            accountName: account.name,
            device: device,
            deviceName: name
        )
        let id = UUID.timeOrdered(at: EventLog.clock())
        let path =
            options.place.namedMasterKeyFile
            ?? MasterKeyFile.defaultPath(for: id, environment: ProcessEnvironment.variables)
        let key = try InitCommand.masterKey(at: path)
        try await Replica.create(in: folder, id: id, masterKey: key, state).close()
        var place = options.place
        (place.journal, place.masterKeyFile) = (folder.path, path)
        let report = try await ReplicaSync(place: place, folder: folder, client: client, retries: false).run()
        if output.isJSON {
            output.json(
                .object([
                    .init("replica", .string(id.text)), .init("device", .string(device.text)),
                    .init("position", .integer(report.through)), .init("masterKeyFile", .string(path)),
                ]),
                .compact
            )
        } else {
            output.line("created the replica \(folder.path) of \(account.name), up to position \(report.through)")
            output.line("its master key is \(path)")
        }
    }
}

/// Shows the waiting and the refused changes of a replica.
struct ReplicaStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what waits, what was refused, the last sync, and whether the service answers.",
        discussion: "Example:  healthjournal replica status --journal ./replica"
    )

    @OptionGroup var options: CommonOptions

    func run() async throws {
        let output = options.out
        try await output.reporting {
            let folder = try options.place.requireReplica()
            let (state, items) = try await options.place.open(folder) { ($0.state, try $0.outbox.items()) }
            let status = ReplicaStatus(
                state,
                items,
                isOnline: try await isOnline(state.service),
                isSyncing: try Replica.isSyncing(folder)
            )
            if output.isJSON { output.json(status.json) } else { status.lines.forEach(output.line) }
        }
    }

    /// Asks whether the service answers; nil without a token, which a connection needs.
    private func isOnline(_ service: String) async throws -> Bool? {
        guard let address = try? ServiceAddress(options.place.url ?? service, options.place) else {
            return nil
        }
        let client = try ServiceClient(address, purpose: "")
        let answers = await client.isReachable(within: .seconds(3))
        try await client.close()
        return answers
    }
}

/// Prints or discards changes that are in the outbox.
struct ReplicaOutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Print the changes that wait or were refused, one JSON object per line.",
        discussion: """
            Example:  healthjournal replica outbox --refused > refused.jsonl
            """
    )

    @OptionGroup var options: CommonOptions

    @Flag(name: .long, help: "Only what the service refused.")
    var refused = false

    @Option(name: .long, help: "Discard the refused change with this id, after printing it; may be repeated.")
    var discard: [String] = []

    func run() async throws {
        let output = options.out
        try await output.reporting {
            let folder = try options.place.requireReplica()
            try await options.place.open(folder) { replica in
                let items = try replica.outbox.items()
                    .filter {
                        discard.isEmpty ? $0.isRefused || $0.isWaiting && !refused : discard.contains($0.change.id)
                    }
                for item in items where !discard.isEmpty && !item.isRefused {
                    throw JournalError(
                        .conflict,
                        "the change \(item.change.id) was not refused, so it is not discarded"
                    )
                }
                guard discard.isEmpty || items.count == Set(discard).count else {
                    throw JournalError(.notFound, "there is no such change; see: healthjournal replica outbox")
                }
                for item in items { output.json(item.json, .compact) }
                if !discard.isEmpty { try await replica.discard(items.map(\.change)) }
            }
        }
    }
}
