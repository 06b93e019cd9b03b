package import HealthModel

/// The form of an answer; a cached answer is reused only for the same form.
package enum AnswerForm: Hashable, Sendable {
    case record
    case entries
    /// A page of resources of FHIR, which contains the address that it is served at.
    case fhir(address: String)
}

/// A rendered answer.
package struct RenderedAnswer: Sendable {
    package let bytes: [UInt8]
    /// The last event that the answer reflects, as far as the caller may know of it.
    package var asOf: Stamp
    /// The version, as in ``RecordAnswer``.
    package let version: UInt64?
    /// The number of entries in the answer.
    package let entryCount: Int
    /// The entries in the answer.
    package let entries: [ShownEntries]
    /// The log position that the answer reflects.
    package let position: UInt64

    package init(
        bytes: [UInt8],
        asOf: Stamp,
        version: UInt64?,
        entryCount: Int,
        entries: [ShownEntries],
        position: UInt64
    ) {
        self.bytes = bytes
        self.asOf = asOf
        self.version = version
        self.entryCount = entryCount
        self.entries = entries
        self.position = position
    }

    /// The approximate size in memory, in bytes.
    var byteCount: Int { bytes.count + entries.count * MemoryLayout<ShownEntries>.stride + 512 }
}
