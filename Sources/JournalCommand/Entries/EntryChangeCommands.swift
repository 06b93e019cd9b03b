import ArgumentParser
import HealthJournal
import HealthModel

/// Corrects an entry.
struct EntryCorrectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "correct",
        abstract: "Correct values of an entry; the earlier values stay in the audit log.",
        discussion: "Example:  healthjournal entry correct 018f2c3b value=75.4 --reason \"misread the scale\""
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The entry's id.")
    var entry: String

    @Argument(help: ArgumentHelp("The fields and their corrected values.", valueName: "FIELD=VALUE"))
    var values: [String]

    func run() async throws {
        let assignments = try assignments(values)
        try await Session.run(options) { session in
            let id = try await session.journal.entry(entry)
            let result = try await session.perform(
                .correctEntry(id) { content throws(ModelError) in
                    try content.set(assignments)
                }
            )
            session.output.result(result, "corrected the entry")
        }
    }
}

/// Retracts an entry.
struct EntryRetractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retract",
        abstract: "Retract an entry that was never true.",
        discussion: "Example:  healthjournal entry retract 018f2c3b --reason \"that was the other dog\""
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The entry's id.")
    var entry: String

    func run() async throws {
        try await Session.run(options) { session in
            let id = try await session.journal.entry(entry)
            session.output.result(try await session.perform(.retractEntry(id)), "retracted the entry")
        }
    }
}

/// Restores a retracted entry.
struct EntryRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a retracted entry.",
        discussion: "Example:  healthjournal entry restore 018f2c3b"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The entry's id.")
    var entry: String

    func run() async throws {
        try await Session.run(options) { session in
            let id = try await session.journal.entry(entry)
            session.output.result(try await session.perform(.restoreEntry(id)), "restored the entry")
        }
    }
}
