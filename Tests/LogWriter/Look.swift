internal import EventLog
internal import Glibc

/// Reads a journal beside its writers repeatedly, for some seconds or until a line arrives, and prints the results.
///
/// It ends by itself, because the process that started it may be waiting for the processors that it occupies.
struct Look {
    private let folder: JournalFolder
    private let keyFile: String
    private let end: ContinuousClock.Instant
    private var options = EventLog.Options()

    init(_ arguments: inout Arguments) throws {
        folder = JournalFolder(try arguments.next())
        keyFile = try arguments.next()
        end = .now + .seconds(try arguments.number())
        options.mapSize = 4 << 30
        options.isReadOnly = true
    }

    /// Opens all payloads from the first to the last, repeatedly, and prints "read <events> faults <count>".
    func read() throws {
        let log = try EventLog(folder: folder, masterKey: MasterKey(file: keyFile), options: options)
        LogWriter.say("ready")
        var (count, faults) = (0, 0)
        var position: UInt64 = 0
        while !isToldToEnd {
            do {
                let events = try log.events(after: position)
                for event in events { _ = try log.open(event) }
                count += events.count
                position = events.last?.position ?? 0
            } catch {
                LogWriter.say("err \(error)")
                faults += 1
            }
        }
        LogWriter.say("read \(count) faults \(faults)")
    }

    /// Verifies the whole log repeatedly and prints "audited <times> faults <count>".
    func audit() throws {
        let log = try EventLog(folder: folder, masterKey: MasterKey(file: keyFile), options: options)
        LogWriter.say("ready")
        var (times, faults) = (0, 0)
        while !isToldToEnd {
            let found = try log.verify()
            times += 1
            faults += found.faultCount
            for fault in found.faults.prefix(3) { LogWriter.say("err \(fault)") }
        }
        LogWriter.say("audited \(times) faults \(faults)")
    }

    private var isToldToEnd: Bool {
        if end < .now { return true }
        var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&input, 1, 0) > 0
    }
}
