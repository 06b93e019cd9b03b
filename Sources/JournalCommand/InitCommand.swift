import ArgumentParser
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Creates a journal.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a new journal, its owner's account and its master key.",
        discussion: """
            Example:  healthjournal init --journal ./journal --zone Europe/Zurich

            The master key is stored outside the journal's folder. Copy it to a safe place: without it nobody can read \
            the journal, and nobody can recover it.
            """
    )

    @OptionGroup var options: CommonOptions

    @Option(name: .long, help: "The IANA time zone in which the journal's days end (default: that of this machine).")
    var zone: String?

    /// Returns the given zone or that of the machine; UTC if that has no name, as with `TZ=CET-1CEST`.
    private func chosenZone() throws -> TimeZone {
        if let zone {
            guard let found = TimeZone(identifier: zone) else {
                throw ValidationError("there is no time zone with that name; give one such as Europe/Zurich")
            }
            return found
        }
        let current = TimeZone.current.identifier
        return TimeZone.knownTimeZoneIdentifiers.contains(current) ? .current : TimeZone(identifier: "UTC") ?? .gmt
    }

    func run() async throws {
        try options.place.requireFolder()
        let output = options.out
        try await output.reporting {
            let chosen = try chosenZone()
            try options.place.refuseReplica()
            let folder = options.place.folder
            let begun = try begun(in: folder)
            let id = begun ?? UUID.timeOrdered(at: EventLog.clock())
            let path = options.place.masterKeyFile(of: id)
            let key = try begun == nil ? InitCommand.masterKey(at: path) : MasterKey(file: path)
            try FileManager.default.createDirectory(
                atPath: folder.path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            var logOptions = options.place.logOptions
            try logOptions.keep(MasterKeyFile.witness(of: id, in: folder, besideKey: path))
            let journal = try await Journal.create(
                in: folder,
                masterKey: key,
                id: id,
                zone: chosen,
                options: logOptions
            )
            let head = try journal.head()
            journal.close()
            if output.isJSON {
                output.json(
                    .object([
                        .init("journal", .string(id.text)), .init("position", .integer(head)),
                        .init("masterKeyFile", .string(path)),
                    ]),
                    .compact
                )
            } else {
                output.line("created the journal \(folder.path) with the account \(Journal.ownerName)")
                output.line("its master key is \(path): keep a copy in a safe place")
                if zone == nil {
                    output.note("its days end in the time zone \(chosen.identifier); init --zone chooses another one")
                }
            }
        }
    }

    /// Returns the id of a journal whose creation was interrupted; throws when there is a complete one.
    private func begun(in folder: JournalFolder) throws -> UUID? {
        var reading = options.place.logOptions
        reading.isReadOnly = true
        guard let log = try? EventLog(folder: folder, masterKey: nil, options: reading) else { return nil }
        guard try log.head() == 0 else {
            throw JournalError(.conflict, "there is a journal in \(folder.path) already")
        }
        return log.description.id
    }

    /// Returns the key of an existing key file; otherwise creates the file with a new key.
    static func masterKey(at path: String) throws -> MasterKey {
        if FileManager.default.fileExists(atPath: path) { return try MasterKey(file: path) }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let key = MasterKey()
        try key.write(to: path)
        return key
    }
}
