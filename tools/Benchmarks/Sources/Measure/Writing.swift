import ArgumentParser
import JournalWork

struct Append: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Append durably to a new journal.")

    @OptionGroup var folder: Folder
    @Option(help: "How many append at once, each waiting for its answer.") var writers = 1
    @Option(help: "Events of one append.") var batch = 1
    @Option(help: "Streams among which the events are spread at random.") var streams = 10_000
    @Option(help: "For how long.") var seconds = 3.0
    @Option(help: "Events that are there before anything is measured.") var prefill = 0

    func run() throws {
        var work = AppendWork()
        (work.writers, work.batch, work.streams) = (writers, batch, streams)
        (work.seconds, work.prefill) = (seconds, prefill)
        print(try waiting { [work, folder = folder.work] in try await work.run(in: folder) }.line)
    }
}

struct Fill: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a journal of health events for the works that read."
    )

    @OptionGroup var folder: Folder
    @Option(help: "How many events.") var events = 100_000
    @Option(help: "Over how many records they are spread.") var records = 100

    func run() throws {
        var work = FillWork()
        (work.events, work.records) = (events, records)
        print(try waiting { [work, folder = folder.work] in try await work.run(in: folder) }.line)
    }
}
