package import FoundationEssentials

/// When a change was made, and on which device.
///
/// A change that was made offline is recorded later than it was made. Of two changes of the same values, the one that
/// was made later is shown.
package struct ChangeOrigin: Hashable, Sendable {
    /// By the device's clock, corrected by its distance from the service's clock; never later than the recorded time.
    package var madeAt: Instant
    /// Nil for a change that was made at the service itself.
    package var device: UUID?

    package init(madeAt: Instant, device: UUID? = nil) {
        self.madeAt = madeAt
        self.device = device
    }
}

extension ChangeOrigin: Comparable {
    /// Equal times are ordered by the device, so that every order of arrival has the same result.
    package static func < (left: ChangeOrigin, right: ChangeOrigin) -> Bool {
        if left.madeAt != right.madeAt { return left.madeAt < right.madeAt }
        return (left.device?.text ?? "") < (right.device?.text ?? "")
    }
}

/// The account that made a change, with the time and the device.
package struct ChangeWriter: Hashable, Sendable {
    package var author: UUID
    package var origin: ChangeOrigin

    package init(author: UUID, origin: ChangeOrigin) {
        self.author = author
        self.origin = origin
    }
}

extension RecordedEvent {
    package var writer: ChangeWriter {
        ChangeWriter(author: stamp.actor, origin: origin ?? ChangeOrigin(madeAt: stamp.recordedAt))
    }
}
