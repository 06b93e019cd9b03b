import ArgumentParser
import JournalWork

struct Append: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Append durably to a new journal.")

    @OptionGroup var folder: WorkFolderOption
    @Option(help: "The number of concurrent writers, each waiting for its answer.") var writers = 1
    @Option(help: "The number of events per append.") var batch = 1
    @Option(help: "The number of streams; events are spread over them at random.") var streams = 10_000
    @Option(help: "The duration in seconds.") var seconds = 3.0
    @Option(help: "The number of events in the journal before the measurement.") var prefill = 0

    func run() throws {
        var work = AppendWork()
        (work.writers, work.batch, work.streams) = (writers, batch, streams)
        (work.seconds, work.prefill) = (seconds, prefill)
        print(try waiting { [work, folder = folder.work] in try await work.run(in: folder) }.line)
    }
}

struct Fill: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create a journal of health events for the workloads that read."
    )

    @OptionGroup var folder: WorkFolderOption
    @Option(help: "The number of events.") var events = 100_000
    @Option(help: "The number of records over which they are spread.") var records = 100

    func run() throws {
        var work = FillWork()
        (work.events, work.records) = (events, records)
        print(try waiting { [work, folder = folder.work] in try await work.run(in: folder) }.line)
    }
}
