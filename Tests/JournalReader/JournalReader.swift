internal import EventLog
internal import Foundation
internal import HealthModel

@testable internal import HealthJournal

/// A second process that has a journal open and has read a record of it.
///
/// With the argument "replica" it works on a replica instead: see `ReplicaWork`. Otherwise it prints "read", waits for a line, repeats all reads and changes, and prints the outcome of each.
@main
enum JournalReader {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "replica" { return try await ReplicaWork.run(Array(arguments.dropFirst())) }
        let ids = arguments.dropFirst(2).compactMap { UUID(uuidString: $0) }
        guard arguments.count == 5, ids.count == 3 else { exit(64) }
        var options = EventLog.Options()
        options.mapSize = 4 << 30
        let journal = try Journal(
            folder: JournalFolder(arguments[0]),
            masterKey: MasterKey(file: arguments[1]),
            options: options
        )
        let owner = try journal.accounts.caller(Journal.ownerName, source: .commandLine)
        let (record, entry, file) = (ids[0], ids[1], ids[2])
        let risk = EntryContent(kind: Risk.kind)
        let tries: [(name: String, body: () async throws -> Void)] = [
            ("record", { _ = try await journal.records.read(record, ReadOptions(), owner) }),
            ("past", { _ = try await journal.records.read(record, ReadOptions(asOf: .position(5)), owner) }),
            ("document", { _ = try await journal.entries.document(file, owner) }),
            ("history", { _ = try await journal.trail.history(ofEntry: entry, owner) }),
            ("costs", { _ = try await journal.records.costs(of: record, owner) }),
            ("add", { _ = try await journal.entries.addEntry(risk, to: record, owner) }),
            ("attach", { _ = try journal.log.blobs.put([1], subject: record) }),
            ("open", { if let event = try journal.log.newest(of: entry) { _ = try journal.log.open(event) } }),
        ]
        // Reading first fills all caches of this process.
        for (name, body) in tries where name != "add" && name != "attach" { try await body() }
        say("read")
        _ = readLine()
        for (name, body) in tries { say("\(name) \(await outcome(body))") }
        say("records \(try await journal.records.listRecords(owner).count)")
    }

    private static func outcome(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "done"
        } catch {
            return JournalError(error).code.rawValue
        }
    }

    static func say(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    }
}
