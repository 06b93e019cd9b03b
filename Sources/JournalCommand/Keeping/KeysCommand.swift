import ArgumentParser
import HealthJournal
import Interchange

/// The keys of the journal.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "The keys that seal the journal.",
        subcommands: [KeysRotateCommand.self]
    )
}

/// Changes the master key.
struct KeysRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Give the journal a new master key; nothing in the log is rewritten.",
        discussion: """
            Example:  healthjournal keys rotate --reason "the laptop was stolen"

            The old key is kept beside the new one, for backups made under it still need it. When they have been made anew, \
            destroy it. A program that has the journal open must be started again.
            """
    )

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await FolderSession.run(options) { session in
            let path = session.masterKeyFile
            let rotated = try await session.journal.rotateMasterKey(at: path, session.caller)
            if session.output.isJSON {
                session.output.json(
                    .object([
                        .init("position", .integer(rotated.position)), .init("masterKeyFile", .string(path)),
                        .init("oldMasterKeyFile", .string(rotated.oldKey)),
                    ]),
                    .compact
                )
            } else {
                session.output.line("the master key is new (position \(rotated.position)): keep a copy of \(path)")
                session.output.line("the old one is \(rotated.oldKey): backups made until now need it")
            }
        }
    }
}
