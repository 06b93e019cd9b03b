internal import Glibc

/// A lock that many threads hold shared or one thread holds exclusively.
///
/// A thread that holds it shared may take it shared again.
///
/// A thread that waits for exclusive access precedes later shared requests, so that overlapping readers cannot starve
/// it.
package final class SharedLock: Sendable {
    @safe private struct Storage: @unchecked Sendable {
        let pointer = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        /// How many times the thread holds the lock, stored in place of a pointer.
        let depth: pthread_key_t

        init() {
            var attributes = pthread_rwlockattr_t()
            unsafe pthread_rwlockattr_init(&attributes)
            unsafe pthread_rwlockattr_setkind_np(
                &attributes,
                Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
            )
            unsafe pthread_rwlock_init(pointer, &attributes)
            unsafe pthread_rwlockattr_destroy(&attributes)
            var key = pthread_key_t()
            let status = unsafe pthread_key_create(&key, nil)
            precondition(status == 0, "this process has too many environments open")
            depth = key
        }
    }

    private let storage = Storage()

    package init() {}

    deinit {
        unsafe pthread_rwlock_destroy(storage.pointer)
        unsafe storage.pointer.deallocate()
        pthread_key_delete(storage.depth)
    }

    /// How many times this thread holds the lock shared.
    package var depth: Int {
        unsafe Int(bitPattern: pthread_getspecific(storage.depth))
    }

    package func lockShared() {
        let depth = depth
        if depth == 0 { unsafe pthread_rwlock_rdlock(storage.pointer) }
        setDepth(depth + 1)
    }

    package func unlockShared() {
        let depth = depth
        assert(depth > 0)
        setDepth(depth - 1)
        if depth == 1 { unsafe pthread_rwlock_unlock(storage.pointer) }
    }

    /// Runs `body` while this thread holds the lock exclusively; the thread must not hold it shared.
    package func alone<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        precondition(depth == 0, "a thread that holds the lock shared would wait for itself")
        unsafe pthread_rwlock_wrlock(storage.pointer)
        defer { unsafe pthread_rwlock_unlock(storage.pointer) }
        return try body()
    }

    private func setDepth(_ depth: Int) {
        unsafe pthread_setspecific(storage.depth, UnsafeRawPointer(bitPattern: depth))
    }
}
