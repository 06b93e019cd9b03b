import ArgumentParser
import JournalWork

struct Scan: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Read the header of every event.")
    @OptionGroup var folder: WorkFolderOption
    func run() throws { print(try ScanWork().run(in: folder.work).line) }
}

struct Fold: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Open, decode and evolve every event, on one core.")
    @OptionGroup var folder: WorkFolderOption
    func run() throws { print(try FoldWork().run(in: folder.work).line) }
}

struct Rebuild: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Rebuild all views.")
    @OptionGroup var folder: WorkFolderOption
    func run() throws { print(try RebuildWork().run(in: folder.work).line) }
}

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Verify that the log is intact.")
    @OptionGroup var folder: WorkFolderOption
    func run() throws { print(try VerifyWork().run(in: folder.work).line) }
}

struct Primitives: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Only hash and open, on both cores: the reference for verify."
    )
    @OptionGroup var folder: WorkFolderOption
    func run() throws { print(try PrimitivesWork().run(in: folder.work).line) }
}

struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Open a journal that was closed cleanly.")
    @OptionGroup var folder: WorkFolderOption
    func run() throws { print(try OpenWork().run(in: folder.work).line) }
}

struct AsOfReads: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "asof",
        abstract: "Read pages of 50 entries as of now and as of the past."
    )
    @OptionGroup var folder: WorkFolderOption
    func run() throws { print(try AsOfWork().run(in: folder.work).line) }
}
