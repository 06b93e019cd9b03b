internal import Platform

/// The wall clock with which a log stamps its events, and the boot clock that it is checked against.
package struct JournalClock: Sendable {
    /// A clock that does not change when the wall clock is set.
    package struct BootClock: Sendable {
        /// The kernel's boot id, empty if it is unknown; boot times with different ids cannot be compared.
        package var id: [UInt8]
        /// Time since the boot, in microseconds, including the time in which the machine was suspended.
        package var now: @Sendable () -> Int64
        /// Whether a time service keeps the wall clock synchronised.
        package var isSynchronized: @Sendable () -> Bool

        package init(
            id: [UInt8],
            now: @escaping @Sendable () -> Int64,
            isSynchronized: @escaping @Sendable () -> Bool = { false }
        ) {
            (self.id, self.now, self.isSynchronized) = (id, now, isSynchronized)
        }
    }

    /// The wall clock, in microseconds since 1970.
    package var now: @Sendable () -> Int64
    /// The clock that the wall clock is checked against; nil if the wall clock is used unchecked.
    package var boot: BootClock?

    /// Creates a wall clock that is used unchecked.
    package init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    package init(now: @escaping @Sendable () -> Int64, boot: BootClock) {
        (self.now, self.boot) = (now, boot)
    }

    /// The clocks of this machine.
    package static let machine = JournalClock(
        now: EventLog.clock,
        boot: BootClock(id: Boot.id, now: { Boot.time }, isSynchronized: { Boot.isClockSynchronized })
    )
}
