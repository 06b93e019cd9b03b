internal import CPlatform
internal import Glibc

/// The current boot of the machine, and the state of its clocks as the kernel reports it.
///
/// Data that was written unsynced during another boot may be torn.
package enum Boot {
    /// The kernel's boot id; empty where the kernel does not provide it.
    package static let id: [UInt8] = (try? DurableFile.read(sized: "/proc/sys/kernel/random/boot_id", count: 36)) ?? []

    /// Time since the boot, in microseconds, including the time during which the machine was suspended.
    package static var time: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// Whether a time service (NTP, PTP) keeps the kernel's wall clock synchronised.
    ///
    /// The kernel clears this whenever the clock is set by hand.
    package static var isClockSynchronized: Bool {
        var state = timex()
        return unsafe adjtimex(&state) >= 0 && state.status & STA_UNSYNC == 0
    }
}

extension DurableFile {
    /// Reads up to `count` bytes of a file in /proc, which reports a size of zero.
    fileprivate static func read(sized path: String, count: Int) throws(StorageError) -> [UInt8] {
        try DurableFile(path: path, mode: .read).read(at: 0, count: count)
    }
}
