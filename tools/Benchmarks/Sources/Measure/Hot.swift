import ArgumentParser
import JournalWork

extension HotPath: @retroactive ExpressibleByArgument {}

struct Hot: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Go along one hot path so many times, in a journal that is made first; for counting instructions."
    )

    @Argument(help: "Which path.") var path: HotPath
    @OptionGroup var folder: Folder
    @Option(help: "How many times.") var times = 4_000

    func run() throws {
        try waiting { [path, times, folder = folder.work] in
            let ground = try await HotPathGround(folder)
            if times > 0 { try await ground.run(path, times: times) }
        }
    }
}
