internal import FoundationEssentials
internal import LMDB
internal import Platform
internal import Synchronization

/// Checks the wall clock before each append, against the boot clock and the newest event.
///
/// `index/clock` stores the boot id, the boot time and the wall time of the last append, and the newest recorded time
/// before it. All processes share the file through a memory map. It is never synced, because its content is only used
/// within one boot. It is changed under the log's write lock.
final class ClockGuard: Sendable {
    /// How far the wall clock may move against the boot clock between two appends, in microseconds.
    static let allowedMove: Int64 = 3_600 * 1_000_000
    /// How far the wall clock may be ahead of the newest event if the boot clock cannot confirm it, in microseconds.
    static let allowedPause: Int64 = 366 * 86_400 * 1_000_000

    private let folder: String
    private let path: String
    private let clock: JournalClock
    private let state = Guarded<MappedFile?>(nil)

    private enum Word {
        static let magic = 0
        static let boot = 1
        static let bootTime = 3
        static let wallTime = 4
        /// The newest event's recorded time when the wall clock was read.
        static let newest = 5
        static let check = 6
        static let count = 8
    }

    private static let magic: UInt64 = 0x0001_4B43_4F4C_434A  // "JCLOCK", version 1

    init(folder: JournalFolder, clock: JournalClock) {
        self.folder = folder.index
        path = folder.index + "/clock"
        self.clock = clock
    }

    /// One reading of both clocks.
    struct Reading: Sendable {
        let wall: Int64
        /// Nil if the wall clock is used unchecked.
        let boot: Int64?
    }

    func read() -> Reading { Reading(wall: clock.now(), boot: clock.boot.map { $0.now() }) }

    /// Returns the problem of a reading, if there is one.
    ///
    /// `newest` is the recorded time of the newest event; nil for an empty log.
    func problem(_ reading: Reading, newest: Int64?) -> ClockProblem? {
        guard let newest, let bootTime = reading.boot, let boot = clock.boot else { return nil }
        if let last = last(inBoot: boot.id) {
            let expected = last.wall.addingClamped(bootTime - last.boot)
            if abs(reading.wall.subtractingClamped(expected)) <= ClockGuard.allowedMove { return nil }
            // The wall clock was behind the newest event, so it was known to be slow, and has caught up: it was set by
            // a time service at its first sync after the boot, or by hand on a machine without a time service.
            let isCaughtUp =
                last.wall < last.newest && reading.wall >= last.newest.subtractingClamped(ClockGuard.allowedMove)
            // A time service has set the clock, for example at its first sync or after a virtual machine was paused.
            guard isCaughtUp || boot.isSynchronized() else {
                return ClockProblem(finding: .moved, expected: expected, found: reading.wall)
            }
        }
        guard reading.wall.subtractingClamped(newest) > ClockGuard.allowedPause else { return nil }
        return ClockProblem(finding: .farAhead, expected: newest, found: reading.wall)
    }

    /// Stores the clock readings of an append, under the log's write lock.
    func keep(_ reading: Reading, newest: Int64?) {
        guard let bootTime = reading.boot, let boot = clock.boot else { return }
        let words = ClockGuard.words(boot.id)
        state.withLock { file in
            // Without the file, for example on a full disk, the clock is checked against the newest event only.
            guard let file = opened(&file, isMade: true) else { return }
            file[word: Word.check] = 0
            file[word: Word.boot] = words.0
            file[word: Word.boot + 1] = words.1
            file[word: Word.bootTime] = UInt64(bitPattern: bootTime)
            file[word: Word.wallTime] = UInt64(bitPattern: reading.wall)
            file[word: Word.newest] = UInt64(bitPattern: newest ?? reading.wall)
            file[word: Word.magic] = ClockGuard.magic
            file[word: Word.check] = ClockGuard.check(file)
        }
    }

    private func last(inBoot id: [UInt8]) -> (boot: Int64, wall: Int64, newest: Int64)? {
        let words = ClockGuard.words(id)
        return state.withLock { file in
            guard !id.isEmpty, let file = opened(&file, isMade: false), file[word: Word.magic] == ClockGuard.magic,
                file[word: Word.check] == ClockGuard.check(file), file[word: Word.boot] == words.0,
                file[word: Word.boot + 1] == words.1
            else { return nil }
            return (
                Int64(bitPattern: file[word: Word.bootTime]), Int64(bitPattern: file[word: Word.wallTime]),
                Int64(bitPattern: file[word: Word.newest])
            )
        }
    }

    private func opened(_ file: inout MappedFile?, isMade: Bool) -> MappedFile? {
        if let file { return file }
        if let found = try? MappedFile(path: path), found.byteCount == Word.count * 8 {
            file = found
        } else if isMade {
            // Without the record, a clock that was set back is noticed only by the newest event, as in older journals.
            try? DurableFile.makeFolder(folder)
            file = try? MappedFile(path: path, size: Word.count * 8)
        }
        return file
    }

    /// Computes the check word, which detects a record that was partly written or that another process is writing.
    private static func check(_ file: MappedFile) -> UInt64 {
        var check = magic
        for word in Word.boot...Word.newest { check = (check ^ file[word: word]) &* 0x9E37_79B9_7F4A_7C15 }
        return check | 1
    }

    /// Folds a boot id into two words.
    private static func words(_ id: [UInt8]) -> (UInt64, UInt64) {
        var words: (UInt64, UInt64) = (0, 0)
        for byte in id {
            (words.0, words.1) = (words.1, (words.0 ^ UInt64(byte)) &* 0x0000_0100_0000_01B3)
        }
        return words
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other > 0 ? .max : .min) : sum
    }

    /// Never returns `Int64.min`, so that `abs` of the result does not overflow.
    fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : -.max) : Swift.max(difference, -.max)
    }
}

/// The recorded time of the newest event that this process knows of, available without reading the log.
package final class NewestRecordedAt: Sendable {
    private let time = Atomic<Int64>(.min)

    func note(_ microseconds: Int64) {
        time.store(microseconds, ordering: .relaxed)
    }

    var microseconds: Int64 { time.load(ordering: .relaxed) }
}

extension LogTables {
    /// Returns the recorded time of the newest event, or `Int64.min` for an empty log.
    func newestRecordedAt(in environment: Environment) throws -> Int64 {
        try environment.read { transaction in
            let head = try head(transaction)
            return head == 0 ? .min : try frame(at: head, transaction).recordedAt
        }
    }
}
