package import FoundationEssentials
package import HealthModel

/// What remains of a record that was erased.
package struct Tombstone: Hashable, Sendable {
    package let record: UUID
    /// The position, the time and the actor of the erasure.
    ///
    /// Nil if only the key was destroyed, as in a journal that was restored from a backup made before the erasure.
    package let stamp: Stamp?
    /// The day of the erasure in the journal's time zone.
    package let day: Day?
    package let reason: String

    /// A sentence such as `record 0198…: erased on 2026-11-21 (position 812)`.
    package var sentence: String {
        guard let stamp, let day else { return "record \(record.text): erased" }
        return "record \(record.text): erased on \(day) (position \(stamp.position))"
    }

    /// The sentence with the reason, for callers who may know it.
    package var explained: String { reason.isEmpty ? sentence : "\(sentence): \(reason)" }
}
