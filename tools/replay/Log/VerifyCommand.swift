import ArgumentParser
import EventLog
import HealthModel

struct VerifyCommand: JournalReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify that the log is intact; exit with status 3 if it is not.",
        discussion: """
            Checks every page of the log's file, positions, streams, recorded times, every hash of the tree and every \
            seal. With --since-checkpoint, checks only the events after a checkpoint, and that the log extends it. With \
            --views, also compares the views with a fresh fold of the log.

            Examples:
              healthjournal-replay verify --views
              healthjournal-replay verify --since-checkpoint march.checkpoint
            """
    )

    @OptionGroup var journal: JournalOptions

    @Option(
        help: "A checkpoint of this journal: check that the log extends it, and the events after it.",
        completion: .file()
    )
    var sinceCheckpoint: String?

    @Flag(help: "Compare the views with a fresh fold of the log, at many positions.")
    var views = false

    @Flag(help: "Print the duration and the rate.")
    var verbose = false

    @Option(help: "The output format.")
    var format: ListFormat = .table

    func perform(_ output: ReplayOutput) async throws {
        let place = try journal.place()
        let since = try sinceCheckpoint.map { try CheckpointFile.read($0, in: place) }
        let progress = ReplayProgress("verifying")
        let start = ContinuousClock.now
        // Verified before anything is read through LMDB, which trusts its file.
        var verification = try EventLog.verify(
            place.folder,
            masterKey: place.master,
            options: place.options,
            since: since
        ) { done, all in progress.report(done, of: all) }
        DescriptionCheck.run(&verification)
        var report = VerifyReport(verification, since: since, time: ContinuousClock.now - start)
        // A comparison of views with a damaged log proves nothing.
        if views, verification.isSound, place.keyProblem == nil {
            report.views = try ViewCheck(journal.open(place, assumesErasures: false)).run()
        }
        let undone = Result {
            let isWhole = verification.isSound && place.keyProblem == nil && since == nil
            return try isWhole ? journal.open(place, assumesErasures: false).log.undoneErasures() : nil
        }
        report.undone = try? undone.get()
        let printed = Result { try print(report, to: output) }
        if verbose { Messages.say(report.pace) }
        if let problem = place.keyProblem {
            Messages.say(
                "\(problem). Without it no seal was opened: headers, links, times and hashes were checked, payloads were not"
            )
        }
        // The findings matter more than whether all of the report could be printed.
        try check(report)
        _ = try undone.get()
        try printed.get()
    }

    private func print(_ report: VerifyReport, to output: ReplayOutput) throws {
        switch format {
        case .table: try output.table(report.table)
        case .json: try output.json(report.json)
        }
        try output.flush()
    }

    /// Throws a failure that describes the problem, with the appropriate exit status.
    private func check(_ report: VerifyReport) throws {
        let verification = report.verification
        guard verification.isSound else {
            let places = verification.faults.map { "position \($0.position): \($0.what)" }
            let more = verification.faultCount - places.count
            throw Failure(
                .mismatch,
                "the log is not intact. " + places.joined(separator: "; ")
                    + (more > 0 ? "; and \(more) more" : "")
            )
        }
        if let undone = report.undone, !undone.isEmpty {
            throw Failure(.mismatch, undone.sentence)
        }
        if views, report.views == nil { throw Failure(.failed, "the views can be checked only with the master key") }
        if let views = report.views, !views.isSound {
            throw Failure(
                .mismatch,
                "the views differ from the log in \(views.mismatchCount) places; run: healthjournal views rebuild"
            )
        }
    }
}
