internal import Platform

/// A file that reserves disk space for access events and erasures.
///
/// Each read must be recorded before it is answered, so reading would become impossible on a full disk. When there is
/// no space left, an append of access events or of an erasure releases a part of this file and is retried. Any other
/// append is refused until the file has its full size again, so it never uses this space.
final class DiskReserve: Sendable {
    /// How much is released at once, in bytes.
    static let step = 4 << 20
    /// Free space that must remain after the file is allocated or refilled, in bytes.
    static let margin: UInt64 = 8 << 20

    private let path: String
    let size: Int
    /// Nil without a reserve: none was requested, or the file could not be opened, for example for lack of space.
    private let file: DurableFile?

    init(path: String, size: Int) {
        (self.path, self.size) = (path, size)
        file = size > 0 ? DiskReserve.opened(path, size) : nil
    }

    private static func opened(_ path: String, _ size: Int) -> DurableFile? {
        if let file = try? DurableFile(path: path, mode: .readWrite) { return file }
        guard let free = Filesystem.freeBytes(at: DurableFile.folder(of: path)), free >= UInt64(size) + margin,
            let file = try? DurableFile(path: path, mode: .create)
        else { return nil }
        do throws(StorageError) {
            try file.allocate(size)
            return file
        } catch {
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

    /// The state of the disk space reserve; nil for a log that was opened without one.
    package var reserveStatus: ReserveStatus? {
        guard let reserve, reserve.size > 0 else { return nil }
        return ReserveStatus(size: reserve.size, held: reserve.byteCount, isMade: reserve.isMade)
    }
}

extension AppendRequest {
    /// Whether the append may use the disk space reserve.
    var mayUseReserve: Bool {
        erasing != nil
            || frames.allSatisfy {
                $0.header.category == EventLog.accessCategory || EventLog.erasure(by: $0.header) != nil
            }
    }
}
