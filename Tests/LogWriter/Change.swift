internal import EventLog
internal import Workload

/// Changes of a journal other than appends.
struct Change {
    private let keyFile: String
    private let log: EventLog
    private var rest: Arguments

    init(_ arguments: inout Arguments) throws {
        let folder = JournalFolder(try arguments.next())
        keyFile = try arguments.next()
        var options = EventLog.Options()
        options.mapSize = 4 << 30
        options.witness = LogWriter.witness(of: keyFile)
        try MasterKeyFile.settle(keyFile, for: folder)
        log = try EventLog(folder: folder, masterKey: MasterKey(file: keyFile), options: options)
        rest = arguments
    }

    /// Erases the subject of an append and prints "erased <number>".
    func erase() async throws {
        var rest = rest
        let (tag, number) = (UInt8(try rest.number()), try rest.number())
        let workload = Workload(tag: tag)
        _ = try await log.erase(
            workload.subject(of: number),
            events: [workload.erasure(of: number, journal: log.description.id)]
        )
        LogWriter.say("erased \(number)")
        log.close()
    }

    /// Erases the entry of an append and prints "erased <number>".
    func eraseEntry() async throws {
        var rest = rest
        let (tag, number) = (UInt8(try rest.number()), try rest.number())
        let workload = Workload(tag: tag)
        guard let entry = workload.entry(of: number) else { throw Arguments.Unusable() }
        _ = try await log.erase(
            entry: entry,
            of: workload.subject(of: number),
            events: [workload.erasure(ofEntry: entry, of: number)]
        )
        LogWriter.say("erased \(number)")
        log.close()
    }

    /// Publishes the log and prints "published <size>"; then writes its tiles to a folder and prints "tiles <size>".
    func publish() throws {
        var rest = rest
        let site = try rest.next()
        let signed = try log.publish()
        LogWriter.say("published \(signed.checkpoint.size)")
        _ = try log.write(signed, to: site)
        LogWriter.say("tiles \(signed.checkpoint.size)")
        log.close()
    }

    /// Rotates the journal's master key and prints "rotated".
    func rotate() throws {
        _ = try MasterKeyFile.rotate(keyFile, of: log)
        LogWriter.say("rotated")
        log.close()
    }
}
