internal import Cipher
package import FoundationEssentials

extension UUID {
    /// Returns a UUIDv7 of the given time; ids of later milliseconds sort later.
    package static func timeOrdered(microseconds: Int64, using random: inout some RandomNumberGenerator) -> UUID {
        timeOrdered(microseconds: microseconds, (random.next(), random.next()))
    }

    private static func timeOrdered(microseconds: Int64, _ random: (UInt64, UInt64)) -> UUID {
        let milliseconds = UInt64(clamping: microseconds / 1000)
        let (high, low) = random
        func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
        return UUID(
            uuid: (
                byte(milliseconds, 40), byte(milliseconds, 32), byte(milliseconds, 24), byte(milliseconds, 16),
                byte(milliseconds, 8), byte(milliseconds, 0), 0x70 | byte(high, 0) & 0x0F, byte(high, 8),
                0x80 | byte(low, 0) & 0x3F, byte(low, 8), byte(low, 16), byte(low, 24),
                byte(low, 32), byte(low, 40), byte(low, 48), byte(low, 56)
            )
        )
    }

    /// Returns a UUIDv7 of the given time, with random bits from the system.
    package static func timeOrdered(at microseconds: Int64) -> UUID {
        timeOrdered(microseconds: microseconds, Cipher.randomWords())
    }
}
