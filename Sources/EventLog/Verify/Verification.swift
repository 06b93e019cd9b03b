/// What a check of the whole log found.
package struct Verification: Hashable, Sendable {
    /// Something that is not as it was written.
    package struct Fault: Hashable, Sendable {
        package let position: UInt64
        package let what: String

        package init(position: UInt64, what: String) {
            self.position = position
            self.what = what
        }
    }

    /// Faults that a report names; more are counted only.
    package static let namedFaults = 100

    /// How many events the log holds.
    package var head: UInt64 = 0
    /// The root of the tree as computed from the frames.
    package var root: MerkleHash = .empty
    package var sealsOpened: UInt64 = 0
    /// Payloads of subjects that were erased: their hashes were checked, their seals cannot be.
    package var sealsErased: UInt64 = 0
    /// Payloads that could not be read for want of the master key.
    package var sealsUnread: UInt64 = 0
    /// The newest checkpoint that is kept outside the log and that the log extends, and the key that checks it.
    package var checkpoint: Checkpoint?
    package var verifier: NoteVerifier?
    /// The event that began the journal, and what the journal says of itself, as they were checked.
    package var first: StoredEvent?
    /// The first event's payload in clear, where it could be opened.
    package var firstPayload: [UInt8]?
    package var description: JournalDescription?
    /// In the order of their positions.
    package private(set) var faults: [Fault] = []
    package private(set) var faultCount = 0

    package init() {}

    package var isSound: Bool { faultCount == 0 }

    package mutating func report(_ what: String, at position: UInt64) {
        faultCount += 1
        if faults.count < Verification.namedFaults { faults.append(Fault(position: position, what: what)) }
    }

    mutating func report(_ found: [Fault]) {
        for fault in found { report(fault.what, at: fault.position) }
    }

    mutating func sort() {
        faults.sort { $0.position < $1.position }
    }
}
