package import EventLog
package import FoundationEssentials
internal import LMDB

/// Reading the rows of views, which are not synced and may be anything: what does not fit is told, not trusted.
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
    /// A row of a view that cannot be one.
    package static let damagedRow = EventLogError(
        .damaged,
        "a row of a view is damaged; run: healthjournal views rebuild"
    )
}
