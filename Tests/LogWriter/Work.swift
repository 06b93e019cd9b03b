internal import EventLog
internal import Glibc
internal import ProjectionKit
internal import Workload

/// Appends the events of a `Workload` and prints the result of each append.
///
///     ack <number> <first> <last> <recorded>     it is on the disk
///     err <number> <code>|<message>              it was refused or failed
///     refused <code>|<message>                   the journal could not be opened
///     view <position> <digest>                   the digest of the view at that position
///     done                                       all appends were tried, and the log is closed
struct Work {
    private let folder: JournalFolder
    private let keyFile: String
    private let numbers: Range<Int>
    private let workload: Workload
    /// The largest number of concurrent appends.
    private let width: Int
    private var options = EventLog.Options()
    private let words: Set<String>

    init(_ arguments: inout Arguments) throws {
        folder = JournalFolder(try arguments.next())
        keyFile = try arguments.next()
        let first = try arguments.number()
        numbers = first..<(first + (try arguments.number()))
        workload = Workload(tag: UInt8(try arguments.number()))
        width = try arguments.number()
        options.mapSize = try arguments.number()
        // "views": also updates a view; "checkpoint": also stores checkpoints; "seconds=3": stops after that time;
        // "files=40": limits the number of open files; "hog": opens as many files as the limit allows and keeps them
        // open.
        var words: Set<String> = []
        while let word = try? arguments.next() { words.insert(word) }
        self.words = words
        options.witness = LogWriter.witness(of: keyFile)
    }

    /// Returns the number in a word, as in "seconds=3".
    private func number(_ name: String) -> Int? {
        words.compactMap { $0.hasPrefix(name + "=") ? Int($0.dropFirst(name.count + 1)) : nil }.first
    }

    func run() async throws {
        if let files = number("files") {
            // The runtime opens its own files when it first waits, and ends the process if it cannot: it has to do so
            // before the limit is set.
            try? await Task.sleep(for: .milliseconds(1))
            var limit = rlimit(rlim_cur: rlim_t(files), rlim_max: rlim_t(files))
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        let log: EventLog
        do throws(EventLogError) {
            log = try EventLog(folder: folder, masterKey: MasterKeyFile.read(keyFile, for: folder), options: options)
        } catch {
            return LogWriter.say("refused \(error.code)|\(error.message)")
        }
        let views = words.contains("views") ? try? ViewStore(log: log, mapSize: options.mapSize) : nil
        if words.contains("hog") { while dup(0) >= 0 {} }
        let clock = ContinuousClock()
        let end = number("seconds").map { clock.now + .seconds($0) }
        await withTaskGroup(of: Void.self) { group in
            for number in numbers {
                if let end, clock.now > end { break }
                if number - numbers.lowerBound >= width { await group.next() }
                group.addTask { await append(number, to: log) }
                guard number % 5 == 4 else { continue }
                if let views { look(views, log) }
                if words.contains("checkpoint") { keep(log) }
            }
        }
        views?.close()
        log.close()
        LogWriter.say("done")
    }

    private func append(_ number: Int, to log: EventLog) async {
        do throws(EventLogError) {
            let result = try await log.append(workload.events(of: number))
            LogWriter.say("ack \(number) \(result.first) \(result.last) \(result.recordedAt)")
        } catch {
            LogWriter.say("err \(number) \(error.code)|\(error.message)")
        }
    }

    private func keep(_ log: EventLog) {
        do throws(EventLogError) {
            LogWriter.say("kept \(try log.checkpoint().checkpoint.size)")
        } catch {
            LogWriter.say("err checkpoint \(error.code)|\(error.message)")
        }
    }

    private func look(_ views: ViewStore, _ log: EventLog) {
        do {
            try LogWriter.say("view \(log.head()) \(views.digest())")
        } catch {
            LogWriter.say("err view \(error)")
        }
    }
}
