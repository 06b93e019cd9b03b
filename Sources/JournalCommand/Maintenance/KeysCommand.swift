import ArgumentParser
import EventLog
import HealthJournal
import Interchange

/// Groups the commands on the keys of the journal.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Manage the keys that encrypt the journal.",
        subcommands: [KeysRotateCommand.self, KeysEraseAgainCommand.self]
    )
}

/// Replaces the master key.
struct KeysRotateCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Replace the journal's master key; nothing in the log is rewritten.",
        discussion: """
            Example:  healthjournal keys rotate --reason "the laptop was stolen"

            The old key is kept beside the new one, because backups made under it still need it. When they have been \
            replaced, destroy it. A program that has the journal open must be restarted. A copy of a journal (restored, or copied as \
            a folder) gets a key file of its own, so that the other copies are not locked out.
            """
    )

    @OptionGroup var options: CommonOptions

    func run(in session: FolderSession) async throws {
        let named = session.masterKeyFile
        let rotated = try await session.journal.maintenance.rotateMasterKey(at: named, session.caller)
        let path = rotated.key
        if session.output.isJSON {
            session.output.json(
                .object([
                    .init("position", .integer(rotated.position)), .init("masterKeyFile", .string(path)),
                    .init("oldMasterKeyFile", .string(rotated.oldKey)),
                ]),
                .compact
            )
        } else {
            session.output.line("replaced the master key (position \(rotated.position)): keep a copy of \(path)")
            session.output.line(
                path == named
                    ? "the old key is \(rotated.oldKey): backups made until now need it"
                    : "this is a copy of a journal; the old key stays at \(rotated.oldKey), for the other copies and backups"
            )
        }
    }
}

/// Repeats erasures that an older key file undid.
struct KeysEraseAgainCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase-again",
        abstract: "Repeat the erasures that an older copy of the key file undid.",
        discussion: """
            Example:  healthjournal keys erase-again

            What was erased is listed in the log, so that nothing needs to be named. healthjournal doctor says whether it \
            is necessary. Destroy the older copy as well: whoever has it and the log can read what was erased.
            """
    )

    @OptionGroup var options: CommonOptions

    func run(in session: FolderSession) async throws {
        let repeated = try await session.journal.maintenance.repeatErasures(session.caller)
        if session.output.isJSON {
            return session.output.json(.object([.init("repeated", .integer(repeated.count))]), .compact)
        }
        session.output.line(
            repeated.isEmpty
                ? "nothing that was erased can be read"
                : "repeated \(repeated.count == 1 ? "an erasure" : "\(repeated.count) erasures")"
        )
    }
}
