internal import EventLog
internal import Foundation
internal import HealthModel

@testable internal import HealthJournal
@testable import JournalReplication

/// Work on the outbox of a replica, as its commands and syncs do it, for tests that record what reaches the disk.
enum ReplicaWork {
    /// Runs a command, of which the arguments are "create" or "work", the folder of the replica and its key file, and
    /// for "work" the number of the first change and how many there are.
    static func run(_ arguments: [String]) async throws {
        guard arguments.count >= 3 else { exit(64) }
        let folder = ReplicaFolder(arguments[1])
        let master = try MasterKey(file: arguments[2])
        switch arguments[0] {
        case "create": try await create(folder, master)
        case "work":
            guard arguments.count == 5, let first = UInt64(arguments[3]), let count = UInt64(arguments[4]) else {
                exit(64)
            }
            try await work(folder, master, first..<(first + count))
        default: exit(64)
        }
    }

    private static func create(_ folder: ReplicaFolder, _ master: MasterKey) async throws {
        let state = ReplicaState(
            service: "http://localhost",
            account: id(1),
            accountName: "anna",
            device: id(2),
            deviceName: "phone"
        )
        let replica = try await Replica.create(in: folder, id: id(3), masterKey: master, state)
        JournalReader.say("created")
        replica.close()
    }

    /// Keeps changes; lets the service answer most of them; and compacts the outbox now and then.
    ///
    /// Prints "kept N", "answered N" and "compacted" when each is done, and "done" at the end.
    private static func work(_ folder: ReplicaFolder, _ master: MasterKey, _ numbers: Range<UInt64>) async throws {
        let replica = try await Replica(folder, masterKey: master)
        for number in numbers {
            try await replica.outbox.keep([change(number)])
            JournalReader.say("kept \(number)")
            if number % 3 == 2 {
                try await replica.outbox.record([(try change(number - 1), Outbox.Answer(.taken, position: number))])
                JournalReader.say("answered \(number - 1)")
            }
            if number % 7 == 6 {
                try replica.update { $0.through = number }
                try await replica.compact(always: true)
                JournalReader.say("compacted")
            }
        }
        replica.close()
        JournalReader.say("done")
    }

    private static func change(_ number: UInt64) throws -> SyncCommand {
        var content = EntryContent(kind: Weight.kind)
        try content.set("value", text: "70.\(number)")
        try content.set("unit", text: "kg")
        return SyncCommand(
            id: "change-\(number)",
            device: id(2),
            seq: number,
            madeAt: Instant(microseconds: 1_790_000_000_000_000 + Int64(number)),
            record: id(10 + UInt8(number % 3)),
            entry: UUID(nameBased: id(4), "\(number)"),
            kind: Weight.kind,
            action: .add,
            content: content
        )
    }

    private static func id(_ number: UInt8) -> UUID {
        UUID(uuid: (number, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    }
}
