import ArgumentParser
import EventLog
import HealthJournal
import HealthModel
import Interchange

/// Groups the commands that show the log to others.
struct LogCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Publish the log's tree for verifiers who have no account, and have it witnessed.",
        subcommands: [LogPublishCommand.self]
    )
}

/// Publishes a checkpoint, has it witnessed, and writes the tiles.
struct LogPublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish a checkpoint of the log as it is now, without any content of its events.",
        discussion: """
            Example:  healthjournal log publish
            Example:  healthjournal log publish /var/www/journal --policy witnesses.policy

            The service serves it below /tlog; with a folder, the checkpoint and the tiles of the tree (C2SP \
            tlog-tiles) are also written there, for any web server. With a policy (C2SP tlog-policy), its witnesses \
            cosign the checkpoint.

            What is published tells how many events there are, reads included. Publish at a fixed time of the day, so \
            that it does not tell when the journal is in use.

            Exit status 3: not enough witnesses have cosigned; it is published all the same.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The folder to write the tiles to.", completion: .directory)
    var folder: String?

    @Option(name: .long, help: "The file of a policy that names witnesses and their addresses.")
    var policy: String?

    func run() async throws {
        let policy = try policy.map(readPolicy)
        try await FolderSession.run(options) { session in
            if let policy, let log = session.journal.publishing.logVerifier, !policy.accepts(log) {
                throw JournalError(.invalid, "the policy does not list this log: \(log.text)")
            }
            var published = try await session.journal.publishing.publish(session.caller)
            var asked: [WitnessOutcome] = []
            if let policy {
                let client = WitnessClient()
                let cosigned: WitnessClient.Cosigned
                do {
                    cosigned = try await client.cosign(published, by: policy, session.journal)
                } catch {
                    try await client.close()
                    throw error
                }
                try await client.close()
                (published, asked) = (cosigned.checkpoint, cosigned.outcomes)
                try session.journal.publishing.store(published: published)
            }
            let written = try folder.map { try session.journal.publishing.write(published, to: $0) }
            let now = UInt64(max(0, session.journal.now.microseconds / Instant.microsecondsPerSecond))
            let cosigners = try policy?.cosigners(of: published, now: now) ?? []
            session.output.show(published, asked, policy, cosigners, files: written)
            if asked.contains(where: \.isAlarm) { throw ExitCode(3) }
            if let policy, !policy.isMet(by: cosigners) { throw ExitCode(3) }
        }
    }

    private func readPolicy(_ path: String) throws -> WitnessPolicy {
        let bytes = try readFile(path, atMost: WitnessPolicy.maximumBytes)
        do throws(ProofError) { return try WitnessPolicy(parsing: bytes) } catch {
            throw ValidationError("\(path): \(error)")
        }
    }
}

extension Output {
    fileprivate func show(
        _ published: SignedCheckpoint,
        _ asked: [WitnessOutcome],
        _ policy: WitnessPolicy?,
        _ cosigners: Set<String>,
        files: Int?
    ) {
        let checkpoint = published.checkpoint
        let isMet = policy.map { $0.isMet(by: cosigners) }
        if isJSON {
            json(
                .present([
                    "size": .integer(checkpoint.size), "root": .string(checkpoint.root.base64),
                    "checkpoint": .string(published.text),
                    "witnesses": .array(
                        asked.map {
                            ["name": .string($0.name), "said": .string($0.description), "isAlarm": .bool($0.isAlarm)]
                        }
                    ),
                    "quorum": isMet.map { .bool($0) }, "files": files.map { .integer($0) },
                ]),
                .compact
            )
            return
        }
        line("published \(checkpoint.size) events, root \(checkpoint.root.base64)")
        if let files { line(files == 1 ? "wrote 1 file" : "wrote \(files) files") }
        for outcome in asked {
            line("witness \(TerminalText.escaped(outcome.name)): \(TerminalText.escaped(outcome.description))")
        }
        if isMet == true { line("enough witnesses have cosigned") }
        if isMet == false, let policy {
            note("too few witnesses have cosigned; missing: " + policy.missing(cosigners).joined(separator: ", "))
        }
    }
}
