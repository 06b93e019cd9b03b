internal import Glibc

/// A value that only one thread at a time can access; it must not be of size zero.
///
/// `Mutex` of the standard library is not used: it takes its slow path inside the library, where the thread sanitizer
/// does not see it, so that the sanitizer reports every wait as a race.
@safe package final class Guarded<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: sending Value) {
        // A field of size zero has the address of another field, and the thread sanitizer would confuse the two.
        precondition(MemoryLayout<Value>.size > 0, "a guarded value must not be empty")
        self.value = value
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` while no other thread can access the value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Runs `body` as `withLock` does, or returns nil if a thread has access already.
    @discardableResult package func withLockIfAvailable<Result>(_ body: (inout Value) -> Result) -> Result? {
        guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
