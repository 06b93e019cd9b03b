package import EventLog
package import FoundationEssentials
internal import LMDB

/// Decoding of view rows with validation.
///
/// The tables of views are not synced, so a row may hold any bytes. A value that is too short or out of range throws
/// `EventLogError.damagedRow`.
extension RawSpan {
    package func id(at offset: Int) throws(EventLogError) -> UUID {
        guard byteCount >= offset + 16 else { throw .damagedRow }
        return uuid(at: offset)
    }

    package func position(at offset: Int) throws(EventLogError) -> UInt64 {
        guard byteCount >= offset + 8 else { throw .damagedRow }
        let position: UInt64 = integer(at: offset)
        guard position > 0 else { throw .damagedRow }
        return position
    }
}

extension EventLogError {
    /// The error for a row of a view that cannot be decoded.
    package static let damagedRow = EventLogError(
        .damaged,
        "a row of a view is damaged; run: healthjournal views rebuild"
    )
}
