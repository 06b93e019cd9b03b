import Glibc
import NIOCore

/// What connections may take, one and all.
enum ConnectionLimits {
    /// Long enough for a client that comes back each minute; a header that takes longer is given up.
    static let idle: TimeAmount = .seconds(75)

    /// How many there may be at once: each is a file that is open, and the journal needs some for itself.
    ///
    /// Takes from the system as many as it gives. Whoever comes when all are taken waits until one is free.
    static func most() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
        let given = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        let isRaised = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        let files = Int(clamping: isRaised ? limit.rlim_max : given)
        return min(max(64, files - ConnectionLimits.kept), ConnectionLimits.ceiling)
    }

    /// Some 40 kB each: more than that takes memory that the requests need.
    private static let ceiling = 20_000
    /// Files that are left to the journal.
    private static let kept = 256
}
