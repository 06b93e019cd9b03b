import EventLog
import Foundation
import TestSupport
import Testing
import Workload

extension FaultSuite {
    @Suite("Power cuts")
    struct PowerCutTests {}
}

extension FaultSuite.PowerCutTests {
    /// The processes that are recorded, one after the other.
    struct Course: CustomTestStringConvertible {
        let name: String
        let processes: [Process]

        enum Process {
            case create
            case work(first: Int, count: Int, width: Int, words: [String])
            /// Erases the subject of an append.
            case erase(number: Int)
            /// Erases the entry of an append.
            case eraseEntry(number: Int)
            /// Rotates the journal's master key.
            case rotate
            /// Publishes the log, and writes its tiles to a folder.
            case publish
        }

        var testDescription: String { name }
    }

    static let courses = [
        Course(
            name: "creation, then one append after the other",
            processes: [.create, .work(first: 0, count: 25, width: 1, words: [])]
        ),
        Course(
            name: "many appends at once, and a clean end between",
            processes: [
                .create, .work(first: 0, count: 40, width: 8, words: []),
                .work(first: 40, count: 40, width: 20, words: []),
            ]
        ),
        Course(
            name: "appends and views, ended in order and begun again",
            processes: [
                .create, .work(first: 0, count: 20, width: 1, words: ["views"]),
                .work(first: 20, count: 20, width: 3, words: ["views"]),
            ]
        ),
        Course(
            name: "checkpoints, erasures and new master keys",
            processes: [
                .create, .work(first: 0, count: 12, width: 1, words: ["checkpoint"]), .erase(number: 5), .rotate,
                .work(first: 12, count: 6, width: 2, words: ["checkpoint"]), .rotate, .erase(number: 0),
            ]
        ),
        Course(
            name: "erasures of entries among appends",
            processes: [
                .create, .work(first: 0, count: 12, width: 1, words: []), .eraseEntry(number: 5),
                .work(first: 12, count: 6, width: 2, words: []), .eraseEntry(number: 7), .eraseEntry(number: 13),
            ]
        ),
        // More than 256 events, so that tiles are filled.
        Course(
            name: "publications of a growing log",
            processes: [
                .create, .work(first: 0, count: 110, width: 20, words: []), .publish,
                .work(first: 110, count: 30, width: 8, words: []), .publish,
                .work(first: 140, count: 3, width: 1, words: []), .publish,
            ]
        ),
    ]

    @Test("No acknowledged event is lost in a power cut, whatever unsynced data remains", arguments: courses)
    func cuts(_ course: Course) async throws {
        guard FaultSuite.canPreload else { return }
        let random = SeededGenerator()
        let cuts = FaultScale.count(30, long: 400)
        var tally = Tally("power cut: \(course.name)", atLeast: cuts)
        let traces = try record(course).traces
        var power = try PowerCut(course, traces, random)
        try await power.run(times: cuts, &tally.row)
        tally.finish()
    }

    /// After a failed sync Linux treats the pages as written, so that the next sync succeeds without writing them.
    @Test("A power cut after a failed sync, whose data the system has dropped, loses nothing acknowledged")
    func afterFailedSync() async throws {
        guard FaultSuite.canPreload else { return }
        let random = SeededGenerator()
        let course = Course(
            name: "after a failed sync",
            processes: [.create, .work(first: 0, count: 12, width: 1, words: ["checkpoint"])]
        )
        let cuts = FaultScale.count(4, long: 12)
        var tally = Tally("power cut after a sync that failed", atLeast: cuts)
        let creation = try record(course, through: 1)
        for sync in stride(from: 1, through: 40, by: FaultScale.isLong ? 1 : 13) {
            let journal = try creation.journal.copy()
            let path = journal.beside("trace")
            let shim = FaultJournal.Shim(plan: "fail sync \(sync) 1 \(EIO)", trace: path, isOtherBoot: true)
            _ = try journal.work(1, from: 0, count: 12, ["checkpoint"], shim: shim).readLines()
            let traces = try creation.traces + [Trace(path: path)]
            var power = try PowerCut(course, traces, random)
            try await power.run(times: cuts, from: creation.traces[0].steps.count, &tally.row)
        }
        tally.finish()
    }

    /// Shows that the tests above can detect lost commits.
    @Test("Commits that are not synced are detected", arguments: [true, false])
    func lyingDisk(writesThrough: Bool) async throws {
        guard FaultSuite.canPreload else { return }
        let random = SeededGenerator()
        let course = FaultSuite.PowerCutTests.courses[0]
        let traces = try record(course, plan: "swallow sync 1 0 0").traces
        var row = FaultRow("a disk that does not sync")
        var power = try PowerCut(course, traces, writesThrough: writesThrough, random)
        try await power.run(times: 20, &row)
        #expect(row.tried == 20)
        #expect(row.lost > 20)
        #expect(!row.complaints.isEmpty)
    }

    private func record(_ course: Course, through count: Int? = nil, plan: String? = nil) throws
        -> (journal: FaultJournal, traces: [Trace])
    {
        let journal = try FaultJournal()
        let traces = try course.processes.prefix(count ?? course.processes.count).enumerated()
            .map { number, process in
                let path = journal.beside("trace-\(number)")
                let shim = FaultJournal.Shim(plan: plan, trace: path, isOtherBoot: true)
                let child =
                    switch process {
                    case .create: try journal.create(shim)
                    case .work(let first, let count, let width, let words):
                        try journal.work(1, from: first, count: count, width: width, words, shim: shim)
                    case .erase(let number):
                        try journal.child(["erase", journal.folder.path, journal.keyFile, "1", "\(number)"], shim)
                    case .eraseEntry(let number):
                        try journal.child(
                            ["erase-entry", journal.folder.path, journal.keyFile, "1", "\(number)"],
                            shim
                        )
                    case .rotate: try journal.child(["rotate", journal.folder.path, journal.keyFile], shim)
                    case .publish:
                        try journal.child(["publish", journal.folder.path, journal.keyFile, journal.site], shim)
                    }
                let last = child.readLines().last?.prefix(while: \.isLetter)
                #expect(["done", "created", "erased", "rotated", "tiles"].contains(last), "\(process)")
                return try Trace(path: path)
            }
        return (journal, traces)
    }
}

/// Replays traces onto a simulated disk, cuts the power at random instants, and checks what is left each time.
private struct PowerCut {
    let course: FaultSuite.PowerCutTests.Course
    let traces: [Trace]
    private let disk: Disk
    private let length: Int
    private var acknowledged: [Acknowledgement] = []
    private var wasCreated = false
    private var erasing = Aftermath.Targets()
    private var erased = Aftermath.Targets()
    private var published = Publication()
    private var random: SeededGenerator

    init(
        _ course: FaultSuite.PowerCutTests.Course,
        _ traces: [Trace],
        writesThrough: Bool = true,
        _ random: SeededGenerator
    ) throws {
        self.course = course
        self.traces = traces
        self.random = random
        length = traces.reduce(0) { $0 + $1.steps.count }
        disk = Disk()
        disk.writesThrough = writesThrough
    }

    mutating func run(times: Int, from first: Int = 0, _ row: inout FaultRow) async throws {
        var instants = (0..<times).map { _ in Int.random(in: first...length, using: &random) }.sorted()[...]
        var done = 0
        for (trace, process) in zip(traces, course.processes) {
            disk.beginProcess()
            let workload = Workload(tag: 1)
            switch process {
            case .erase(let number): erasing.subjects.insert(workload.subject(of: number))
            case .eraseEntry(let number):
                if let entry = workload.entry(of: number) { erasing.entries[entry] = workload.subject(of: number) }
            case .create, .work, .rotate, .publish: break
            }
            for step in trace.steps {
                while instants.first == done {
                    instants.removeFirst()
                    try await cut(after: done, &row)
                }
                take(step)
                done += 1
            }
        }
        for _ in instants { try await cut(after: done, &row) }
    }

    private mutating func take(_ step: Trace.Step) {
        disk.take(step)
        guard case .said(let line) = step else { return }
        wasCreated = wasCreated || line == "created"
        if line.hasPrefix("erased ") { erased = erasing }
        published.take(line)
        if let answer = Acknowledgement(line, tag: 1) { acknowledged.append(answer) }
    }

    private mutating func cut(after done: Int, _ row: inout FaultRow) async throws {
        let cut = Disk.Cut.allCases.randomElement(using: &random) ?? .nothing
        let journal = try FaultJournal()
        try disk.write(after: cut, to: journal.root, &random)
        let what = "\(course.name): cut after step \(done) of \(length), left: \(cut)"
        if acknowledged.isEmpty {
            try await examineCreation(journal, wasCreated: wasCreated, what, &row)
        } else {
            await Aftermath(
                journal: journal,
                acknowledged: acknowledged,
                hasViews: erasing.isEmpty,
                erasing: erasing,
                erased: erased,
                what: what
            )
            .examine(&row)
            published.examine(journal, what, &row)
        }
    }
}
