import ArgumentParser
import HealthJournal
import Interchange

/// Groups the commands on views.
struct ViewsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "views",
        abstract: "Manage the views that are built from the log.",
        subcommands: [ViewsRebuildCommand.self]
    )
}

/// Rebuilds views from the log.
struct ViewsRebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Rebuild views from the log, beside those in use, and then replace those.",
        discussion: "Example:  healthjournal views rebuild MedicalRecords"
    )

    @OptionGroup var options: CommonOptions

    @Argument(
        help: ArgumentHelp(
            "The view: \(Journal.viewNames.joined(separator: ", ")) (default: all).",
            valueName: "name"
        )
    )
    var name: String?

    func run() async throws {
        if let name, !Journal.viewNames.contains(name) {
            throw ValidationError(
                "there is no such view; the views are \(Journal.viewNames.joined(separator: ", "))"
            )
        }
        try await FolderSession.run(options) { session in
            var rebuilt: [JSONValue] = []
            for view in name.map({ [$0] }) ?? Journal.viewNames {
                let progress = Progress(view)
                let position = try await session.journal.rebuildView(view, session.caller) {
                    progress.show($0, of: $1)
                }
                progress.finish()
                rebuilt.append(.object([.init("view", .string(view)), .init("position", .integer(position))]))
                if !session.output.isJSON { session.output.line("rebuilt \(view), up to position \(position)") }
            }
            if session.output.isJSON { session.output.json(.array(rebuilt), .compact) }
        }
    }
}
