internal import Glibc

/// A lock that many may hold shared or one alone. A thread that holds it shared may take it shared again.
final class SharedLock: Sendable {
    @safe private struct Storage: @unchecked Sendable {
        let pointer = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    }

    private let storage = Storage()

    init() {
        unsafe pthread_rwlock_init(storage.pointer, nil)
    }

    deinit {
        unsafe pthread_rwlock_destroy(storage.pointer)
        unsafe storage.pointer.deallocate()
    }

    func lockShared() {
        unsafe pthread_rwlock_rdlock(storage.pointer)
    }

    func lockAlone() {
        unsafe pthread_rwlock_wrlock(storage.pointer)
    }

    func unlock() {
        unsafe pthread_rwlock_unlock(storage.pointer)
    }
}
