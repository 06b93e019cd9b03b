internal import EventLog
internal import Foundation
internal import Glibc
internal import LMDB

/// A program that tests start to access a database or a journal from another process.
///
/// The commands from "hold-read" to "verify" print "ready" and wait for a line; "read" and "audit" only print it.
@main
enum LogWriter {
    static func main() async throws {
        var arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
        switch try arguments.next() {
        case "hold-read": try holdRead(&arguments)
        case "hold-write": try holdWrite(&arguments)
        case "fill": try fill(&arguments)
        case "append": try await append(&arguments)
        case "verify": try verify(&arguments)
        case "create": try create(&arguments)
        case "work": try await Work(&arguments).run()
        case "read": try Look(&arguments).read()
        case "audit": try Look(&arguments).audit()
        case "erase": try await Change(&arguments).erase()
        case "erase-entry": try await Change(&arguments).eraseEntry()
        case "rotate": try Change(&arguments).rotate()
        case "publish": try Change(&arguments).publish()
        default: throw Arguments.Unusable()
        }
    }

    /// Holds a read transaction until the process is killed or receives a line.
    private static func holdRead(_ arguments: inout Arguments) throws {
        let environment = try Environment(folder: arguments.next())
        try environment.read { _ in waitForLine() }
    }

    /// Holds a write transaction with an uncommitted row until the process is killed or receives a line.
    private static func holdWrite(_ arguments: inout Arguments) throws {
        let environment = try Environment(folder: arguments.next())
        try environment.write { transaction in
            let table = try transaction.makeTable("numbers")
            try transaction.put(Key(UInt64.max), [1, 2, 3].raw, in: table)
            waitForLine()
        }
    }

    /// Stores rows of a given size under keys from 1, in a map of a given size.
    private static func fill(_ arguments: inout Arguments) throws {
        var options = Environment.Options()
        let folder = try arguments.next()
        options.mapSize = try arguments.number()
        let (count, size) = (try arguments.number(), try arguments.number())
        let environment = try Environment(folder: folder, options: options)
        waitForLine()
        try environment.write { transaction in
            let table = try transaction.makeTable("numbers")
            let value = [UInt8](repeating: 7, count: size)
            for key in 1...count { try transaction.put(Key(UInt64(key)), value.raw, in: table) }
        }
    }

    /// Appends events, several concurrently, and prints "ack <number> <position> <repeated>" for each.
    private static func append(_ arguments: inout Arguments) async throws {
        let folder = JournalFolder(try arguments.next())
        let master = try MasterKey(file: arguments.next())
        let (first, count) = (try arguments.number(), try arguments.number())
        let streams = try arguments.number()
        let (tag, isKeyed) = (UInt8(try arguments.number()), try arguments.next() == "keyed")
        var options = EventLog.Options()
        options.mapSize = 4 << 30
        let log = try EventLog(folder: folder, masterKey: master, options: options)
        waitForLine()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in first..<(first + count) {
                if number - first >= 64 { try await group.next() }
                group.addTask {
                    let event = WrittenEvent.event(number: number, streams: streams, tag: tag, isKeyed: isKeyed)
                    let result = try await log.append([event])
                    say("ack \(number) \(result.first) \(result.isRepeated)")
                }
            }
            try await group.waitForAll()
        }
        log.close()
    }

    /// Prints the head of a journal and the number of its faults.
    private static func verify(_ arguments: inout Arguments) throws {
        let folder = JournalFolder(try arguments.next())
        let master = try MasterKey(file: arguments.next())
        var options = EventLog.Options()
        options.mapSize = 4 << 30
        waitForLine()
        do throws(EventLogError) {
            let found = try EventLog.verify(folder, masterKey: master, options: options)
            say("head \(found.head) faults \(found.faultCount)")
        } catch {
            say("refused \(error.code)|\(error.message)")
        }
    }

    /// Creates a journal and its master key.
    private static func create(_ arguments: inout Arguments) throws {
        let folder = JournalFolder(try arguments.next())
        let path = try arguments.next()
        do {
            // The key of an interrupted attempt is used again.
            let master = try (try? MasterKeyFile.read(path, for: folder)) ?? newKey(path)
            var options = EventLog.Options()
            options.mapSize = 4 << 30
            options.witness = witness(of: path)
            let log = try EventLog.create(in: folder, masterKey: master, id: UUID(), zone: "UTC", options: options)
            say("created")
            log.close()
        } catch let error as EventLogError {
            say("refused \(error.code)|\(error.message)")
        }
    }

    /// Returns the path of the witness file, which is next to the master key and outside the journal's folder.
    static func witness(of keyFile: String) -> String { keyFile.replacing(".key", with: "") + ".checkpoint" }

    private static func newKey(_ path: String) throws(EventLogError) -> MasterKey {
        let master = MasterKey()
        try master.write(to: path)
        return master
    }

    static func waitForLine() {
        say("ready")
        _ = readLine()
    }

    /// Prints a line with one write, so that a killed process leaves whole lines or none.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
    }
}

/// The command-line arguments, read one by one.
struct Arguments {
    struct Unusable: Error {}

    private var rest: [String]

    init(_ all: [String]) {
        rest = all.reversed()
    }

    mutating func next() throws -> String {
        guard let argument = rest.popLast() else { throw Unusable() }
        return argument
    }

    mutating func number() throws -> Int {
        guard let number = Int(try next()) else { throw Unusable() }
        return number
    }
}

/// The events of the command "append": their payloads contain only the tag and the number.
private enum WrittenEvent {
    static func event(number: Int, streams: Int, tag: UInt8, isKeyed: Bool) -> NewEvent {
        let stream = id(version: 8, tag: tag, number: number % streams)
        return NewEvent(
            header: EventHeader(
                stream: stream,
                id: isKeyed ? id(version: 5, tag: tag, number: number) : UUID.timeOrdered(at: EventLog.clock()),
                subject: stream,
                type: 7,
                schemaVersion: 1,
                category: 2,
                actor: stream,
                correlation: .zero,
                source: 1
            ),
            payload: Array("\(tag):\(number)".utf8)
        )
    }

    private static func id(version: UInt8, tag: UInt8, number: Int) -> UUID {
        func byte(_ shift: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
        return UUID(
            uuid: (
                0xAB, tag, 0, 0, 0, 0, version << 4, 0, 0x80, 0, 0, 0, byte(24), byte(16), byte(8), byte(0)
            )
        )
    }
}
