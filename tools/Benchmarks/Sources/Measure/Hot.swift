import ArgumentParser
import JournalWork

extension HotPath: @retroactive ExpressibleByArgument {}

struct Hot: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run one hot path repeatedly, in a new journal, for counting its instructions."
    )

    @Argument(help: "The path.") var path: HotPath
    @OptionGroup var folder: WorkFolderOption
    @Option(help: "The number of runs.") var times = 4_000

    func run() throws {
        try waiting { [path, times, folder = folder.work] in
            let ground = try await HotPathFixture(folder)
            if times > 0 { try await ground.run(path, times: times) }
        }
    }
}
