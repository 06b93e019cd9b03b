import ArgumentParser
import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Syncs a replica with its service.
struct SyncReplicaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Send the changes that wait in a replica, and fetch what is new.",
        discussion: """
            It is safe to repeat and to interrupt: each change reaches the service's log exactly once. Without a \
            connection it fails with status 1, and everything stays here.

            Example:  HEALTHJOURNAL_TOKEN=hj_… healthjournal sync --journal ./pocket --watch
            """
    )

    @OptionGroup var options: CommonOptions

    @Flag(name: .long, help: "Sync again and again, until the command is stopped.")
    var watch = false

    @Option(name: .long, help: "The number of seconds between two syncs of --watch.")
    var every = 30

    @Flag(name: .long, help: "Also send again what the service refused before.")
    var retry = false

    @Flag(name: .long, help: "Fetch everything again, and send again what the service may have lost.")
    var fromStart = false

    func validate() throws {
        guard (1...86_400).contains(every) else { throw ValidationError("--every must be 1 to 86400 seconds") }
        guard options.account == nil else { throw ValidationError("a replica is that of one account: leave out --as") }
    }

    func run() async throws {
        let output = options.out
        try await output.reporting {
            let folder = try options.place.requireReplica()
            let url = try options.place.url ?? folder.describe().service
            let client = try ServiceClient(ServiceAddress(url, options.place), purpose: "")
            do {
                var sync = ReplicaSync(place: options.place, folder: folder, client: client, retries: retry)
                sync.startsOver = fromStart
                repeat {
                    do {
                        show(try await sync.run(), output)
                        sync.startsOver = false
                    } catch {
                        guard watch else { throw error }
                        output.warn(JournalError(error).description)
                    }
                    if watch { try await Task.sleep(for: .seconds(every)) }
                } while watch
            } catch {
                try? await client.close()
                throw error
            }
            try await client.close()
        }
    }

    private func show(_ report: ReplicaSync.Report, _ output: Output) {
        let refused = report.outcomes[.refused] ?? 0
        if output.isJSON {
            let outcomes = SyncOutcome.allCases.map {
                JSONValue.Member($0.rawValue, .integer(report.outcomes[$0] ?? 0))
            }
            output.json(
                .object(
                    [.init("sent", .integer(report.sent))] + outcomes + [
                        .init("fetched", .integer(report.fetched)), .init("position", .integer(report.through)),
                    ]
                ),
                .compact
            )
        } else if !watch || report.sent > 0 || report.fetched > 0 {
            output.line("sent \(report.sent), fetched \(report.fetched) (position \(report.through))")
        }
        if refused > 0, report.kept > 0 {
            let (what, kept) = report.kept == 1 ? ("1 refused change", "is") : ("\(report.kept) refused changes", "are")
            output.warn("\(what) \(kept) kept here: see healthjournal replica status")
        }
        let erased = refused - report.kept
        if erased > 0 {
            let what = erased == 1 ? "1 change of an erased record was" : "\(erased) changes of an erased record were"
            output.warn("\(what) refused, and erased here too")
        }
        if let diverged = report.outcomes[.diverged], diverged > 0 {
            let what = diverged == 1 ? "1 change contradicts one" : "\(diverged) changes contradict others"
            output.warn("\(what) from elsewhere: see healthjournal divergences")
        }
    }
}
