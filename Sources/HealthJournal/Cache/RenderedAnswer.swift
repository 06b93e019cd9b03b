package import HealthModel

/// In which form a door gives an answer; what was rendered in one is not shown in another.
package enum AnswerForm: Hashable, Sendable {
    case record
    case entries
}

/// An answer in the form in which it is given.
package struct RenderedAnswer: Sendable {
    package let bytes: [UInt8]
    /// The last event that counts.
    package internal(set) var asOf: Stamp
    /// As in ``RecordAnswer``.
    package let version: UInt64?
    /// Of how many entries it tells.
    let entryCount: Int
    /// As of which position it was worked out.
    let position: UInt64

    /// What it takes in memory, about.
    var byteCount: Int { bytes.count + 512 }
}
