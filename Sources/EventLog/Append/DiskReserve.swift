internal import Platform

/// A file that reserves disk space for reads and erasures.
///
/// Each read must be recorded before it is answered, and may have to bring the index and the views up to date, so
/// reading would become impossible on a full disk. When there is no space left, work that a read or an erasure needs
/// releases a part of this file and is repeated: see `spending`. Any other work is refused until the file has its full
/// size again, so it never uses this space: see `requireFull`.
final class DiskReserve: Sendable {
    /// How much is released at once, in bytes.
    static let step = 4 << 20
    /// Free space that must remain after the file is allocated or refilled, in bytes.
    static let margin: UInt64 = 8 << 20

    private let path: String
    let size: Int
    /// Nil without a reserve: none was requested, or the file could not be opened, for example for lack of space.
    private let opened: Guarded<DurableFile?>

    /// Opens a reserve that exists; `make` creates it.
    init(path: String, size: Int) {
        (self.path, self.size) = (path, size)
        opened = Guarded(size > 0 ? try? DurableFile(path: path, mode: .readWrite) : nil)
    }

    private var file: DurableFile? { opened.withLock(\.self) }

    /// Creates the file if there is none and enough space for it, and allocates the part that was released.
    func make() {
        opened.withLock { file in
            if size > 0, file == nil { file = DiskReserve.made(path, size) }
        }
        _ = refill()
    }

    private static func made(_ path: String, _ size: Int) -> DurableFile? {
        guard let free = Filesystem.freeBytes(at: DurableFile.folder(of: path)), free >= UInt64(size) + margin,
            let file = try? DurableFile(path: path, mode: .create)
        else { return nil }
        do throws(StorageError) {
            try file.allocate(size)
            return file
        } catch {
            // There is no reserve, which the readiness reports; a file that remains is used at the next attempt.
            try? DurableFile.remove(path)
            return nil
        }
    }

    var isMade: Bool { file != nil }

    /// The current size of the reserve, in bytes.
    var byteCount: Int { file.map { min($0.size, size) } ?? 0 }

    /// Allocates the released part again if there is space, and returns whether the reserve has its full size.
    func refill() -> Bool {
        guard let file else { return true }
        let held = file.size
        guard held < size else { return true }
        guard let free = Filesystem.freeBytes(at: path), free >= UInt64(size - held) + DiskReserve.margin else {
            return false
        }
        do throws(StorageError) {
            try file.allocate(size)
            return true
        } catch {
            // A longer file than before is no harm: all of it can be released.
            try? file.truncate(to: held)
            return false
        }
    }

    /// Releases a part of the reserve; returns false if nothing could be released.
    func release() -> Bool {
        guard let file, case let held = min(file.size, size), held > 0 else { return false }
        do throws(StorageError) {
            try file.truncate(to: max(0, held - DiskReserve.step))
            return true
        } catch {
            return false
        }
    }
}

extension DiskReserve {
    /// Runs work that a read or an erasure needs.
    ///
    /// While the work fails because the disk is full, a part of the reserve is released and the work is repeated.
    /// `path` is where it writes: on another filesystem, the reserve is of no use to it.
    func spending<Result, Failure: Error>(
        at path: String,
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        while true {
            do throws(Failure) {
                return try work()
            } catch {
                guard DiskReserve.isOfFullDisk(error), isOnFilesystem(of: path), release() else { throw error }
            }
        }
    }

    /// Throws if a part of the reserve is released and there is no space to allocate it again: the space that is left
    /// is for reads and erasures.
    func requireFull() throws(EventLogError) {
        guard isMade, byteCount < size, !refill() else { return }
        throw DiskReserve.onlyReserveLeft
    }

    static var onlyReserveLeft: EventLogError {
        EventLogError(
            .diskFull,
            "the disk is full: the rest is reserved for reads and erasures; free some space and try again"
        )
    }

    private static func isOfFullDisk(_ error: any Error) -> Bool {
        switch error {
        case let error as StorageError: error.code == .diskFull
        case let error as EventLogError: error.isOfFullDisk
        default: false
        }
    }

    private func isOnFilesystem(of other: String) -> Bool {
        guard let own = file?.identity else { return false }
        // A file that could not be created has no identity, but its folder has.
        let identity =
            FileStatus(following: other)?.identity ?? FileStatus(following: DurableFile.folder(of: other))?.identity
        return identity.map { $0.isOnFilesystem(of: own) } ?? false
    }
}

/// The state of the disk space reserve.
package struct ReserveStatus: Hashable, Sendable {
    /// The intended and the current size of the reserve, in bytes.
    package let size: Int
    package let held: Int
    /// Whether the reserve could be created.
    package let isMade: Bool

    /// Whether a part of the reserve is released, so that only reads and erasures can be recorded.
    package var isInUse: Bool { isMade && held < size }
}

extension EventLog {
    /// The category of events that record who has read what; `EventCategory.access` of the model.
    package static let accessCategory: UInt16 = 6

    /// The types of the events that record a sign-in, without which no one can read in a browser, and the end of older
    /// sessions; `SessionBegun` and `SessionEnded` of the model.
    package static let sessionTypes: ClosedRange<UInt16> = 14...15

    /// The state of the disk space reserve; nil for a log that was opened without one.
    package var reserveStatus: ReserveStatus? {
        guard let reserve, reserve.size > 0 else { return nil }
        return ReserveStatus(size: reserve.size, held: reserve.byteCount, isMade: reserve.isMade)
    }

    /// Allocates the released part of the reserve again if there is space.
    ///
    /// Appends do this too; this is for journals in which nothing is appended after space was freed.
    package func refillReserve() { _ = reserve?.refill() }

    /// Runs work that a read or an erasure needs, with the disk space reserve: see `DiskReserve`.
    ///
    /// `path` is where it writes. The work is repeated after it failed because the disk is full.
    package func spendingReserve<Result, Failure: Error>(
        at path: String,
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let reserve else { return try work() }
        return try reserve.spending(at: path, work)
    }

    /// Throws `diskFull` while a part of the reserve is in use: for work that no read and no erasure needs.
    package func requireSpaceBesideReserve() throws(EventLogError) { try reserve?.requireFull() }
}

extension EventHeader {
    /// Whether an append of the event may use the disk space reserve.
    var mayUseReserve: Bool {
        category == EventLog.accessCategory || EventLog.sessionTypes.contains(type)
            || EventLog.erasure(by: self) != nil
    }
}

extension AppendRequest {
    /// Whether the append may use the disk space reserve.
    var mayUseReserve: Bool { !erasing.isEmpty || frames.allSatisfy(\.header.mayUseReserve) }
}
