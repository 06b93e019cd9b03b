internal import EventLog
internal import Glibc
internal import ProjectionKit
internal import Workload

/// Appends what a `Workload` says, and says of each append what came of it, however it goes.
///
///     ack <number> <first> <last> <recorded>     it is on the disk
///     err <number> <code>|<message>              it was refused or failed
///     refused <code>|<message>                   the journal could not be opened
///     view <position> <digest>                   what the view says of the log up to there
///     done                                       all was tried, and the log closed
struct Work {
    private let folder: JournalFolder
    private let keyFile: String
    private let numbers: Range<Int>
    private let workload: Workload
    /// How many appends are under way at once.
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
        // "views": keeps a view as well; "files=40": may have so many files open; "hold": waits for a line at the end.
        var words: Set<String> = []
        while let word = try? arguments.next() { words.insert(word) }
        self.words = words
    }

    func run() async throws {
        if let files = words.compactMap({ $0.hasPrefix("files=") ? rlim_t($0.dropFirst(6)) : nil }).first {
            var limit = rlimit(rlim_cur: files, rlim_max: files)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        let log: EventLog
        do throws(EventLogError) {
            log = try EventLog(folder: folder, masterKey: MasterKey(file: keyFile), options: options)
        } catch {
            return LogWriter.say("refused \(error.code)|\(error.message)")
        }
        let views = words.contains("views") ? try? ViewStore(log: log, mapSize: options.mapSize) : nil
        await withTaskGroup(of: Void.self) { group in
            for number in numbers {
                if number - numbers.lowerBound >= width { await group.next() }
                group.addTask { await append(number, to: log) }
                if let views, number % 5 == 4 { look(views, log) }
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

    private func look(_ views: ViewStore, _ log: EventLog) {
        do {
            try LogWriter.say("view \(log.head()) \(views.digest())")
        } catch {
            LogWriter.say("err view \(error)")
        }
    }
}
