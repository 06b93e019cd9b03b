internal import Glibc
internal import Platform
internal import Synchronization

/// Reads the state of an environment's writer lock from LMDB's lock file, without taking the lock.
///
/// LMDB has no call that begins a write transaction only if it does not have to wait. The class is immutable, and the
/// mapped word is read atomically, so it may be shared between threads.
@safe final class WriterLock: @unchecked Sendable {
    /// The magic number at the beginning of a lock file in use.
    private static let magic: UInt32 = 0xBEEF_C0DE
    /// The bits of a robust mutex's word that hold its owner's thread id, as the kernel defines them.
    private static let threadBits: UInt32 = 0x3FFF_FFFF
    /// The offset of the writers' mutex, whose first member is the futex word.
    ///
    /// Before it is a block that is padded to cache lines: a magic number, a format, the readers' mutex, a
    /// transaction's number and a count of readers.
    private static let offset: Int = {
        let block = unsafe 8 + MemoryLayout<pthread_mutex_t>.size + 8 + 4
        return (block + 63) / 64 * 64
    }()
    private static let length = 4_096

    private let start: UnsafeMutableRawPointer

    /// Maps the beginning of a lock file; nil when it cannot be mapped or is too short.
    init?(_ descriptor: Int32) {
        guard let size = FileStatus(of: descriptor)?.size, size >= WriterLock.length else { return nil }
        let map = unsafe mmap(nil, WriterLock.length, PROT_READ, MAP_SHARED, descriptor, 0)
        guard let map = unsafe map, unsafe map != MAP_FAILED else { return nil }
        unsafe start = unsafe map
    }

    deinit {
        unsafe munmap(start, WriterLock.length)
    }

    /// The id of the thread that holds the lock, in any process; nil when the lock is free or its state is unknown.
    var holder: Int? {
        guard unsafe start.load(as: UInt32.self) == WriterLock.magic else { return nil }
        let word = unsafe (start + WriterLock.offset).assumingMemoryBound(to: Atomic<UInt32>.self)
        let thread = unsafe word.pointee.load(ordering: .relaxed) & WriterLock.threadBits
        return thread == 0 ? nil : Int(thread)
    }
}

/// Which process, if any, is inside a write transaction of an environment.
package enum WriteActivity: Hashable, Sendable {
    case none
    /// A thread of this process.
    case here
    /// Another process, for an unknown time.
    case elsewhere
}

extension Environment {
    /// The process that is writing, or holds the lock to write; it may change before the caller uses the result.
    package var writeActivity: WriteActivity {
        guard let thread = lockHolder else { return .none }
        return unsafe access("/proc/self/task/\(thread)", F_OK) == 0 ? .here : .elsewhere
    }

    /// Whether a write transaction would have to wait at this moment; cheap.
    package var isWriting: Bool { lockHolder != nil }
}
