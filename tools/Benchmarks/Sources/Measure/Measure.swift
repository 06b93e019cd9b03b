import ArgumentParser
import JournalWork

/// Runs one workload in a folder, and prints its result as one line of JSON.
@main
struct Measure: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure one workload of a health journal, and print one line of JSON.",
        subcommands: [
            Append.self, Fill.self, Scan.self, Fold.self, Rebuild.self, Verify.self, Primitives.self, Open.self,
            AsOfReads.self, DueDoses.self, Names.self, ClinicBookings.self, Searches.self, Exchange.self, Apple.self,
            Hot.self,
        ]
    )
}

struct WorkFolderOption: ParsableArguments {
    @Argument(help: "The folder of the journal, existing or new.")
    var folder: String

    var work: WorkFolder { WorkFolder(folder) }
}
