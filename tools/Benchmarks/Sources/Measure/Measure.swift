import ArgumentParser
import JournalWork

/// Does one work in a folder, and prints what it measured as one line of JSON.
@main
struct Measure: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure one work of a health journal, and print one line of JSON.",
        subcommands: [
            Append.self, Fill.self, Scan.self, Fold.self, Rebuild.self, Verify.self, Primitives.self, Open.self,
            AsOf.self, Hot.self,
        ]
    )
}

struct Folder: ParsableArguments {
    @Argument(help: "Where the journal is, or is made.")
    var folder: String

    var work: WorkFolder { WorkFolder(folder) }
}
