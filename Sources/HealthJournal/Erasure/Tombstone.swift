package import FoundationEssentials
package import HealthModel

/// What is left of a record that was erased.
package struct Tombstone: Hashable, Sendable {
    package let record: UUID
    /// Where the log says so, when and by whom; nil where only the key is gone, as in a journal that was restored from a
    /// backup of before.
    package let stamp: Stamp?
    /// The day of it in the journal's zone.
    package let day: Day?
    package let reason: String

    /// As `record 0198…: erased on 2026-11-21 (position 812)`.
    package var sentence: String {
        guard let stamp, let day else { return "record \(record.text): erased" }
        return "record \(record.text): erased on \(day) (position \(stamp.position))"
    }

    /// With the reason, for those whom it concerns.
    package var explained: String { reason.isEmpty ? sentence : "\(sentence): \(reason)" }
}
